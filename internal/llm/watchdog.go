package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// Bounds of one attempt. The command has a deadline of its own, in the context.
const (
	idleLimit    = 90 * time.Second // without a byte
	attemptLimit = 10 * time.Minute // in all
	tailLimit    = 5 * time.Second  // for what is useful only: figures after the text, the body of an error
)

var (
	errIdle    = errors.New("nothing came for 90 seconds")
	errAttempt = errors.New("no end after 10 minutes")
)

// watchdog cancels an attempt that is idle or takes too long. Only time in which the provider is waited for counts as
// idle.
type watchdog struct {
	idle, attempt *time.Timer
	end           time.Time // of the attempt
}

func newWatchdog(cancel context.CancelCauseFunc) *watchdog {
	return &watchdog{
		idle:    time.AfterFunc(idleLimit, func() { cancel(errIdle) }),
		attempt: time.AfterFunc(attemptLimit, func() { cancel(errAttempt) }),
		end:     time.Now().Add(attemptLimit),
	}
}

// tail shortens the rest of the attempt, as what matters was received.
func (w *watchdog) tail() { w.attempt.Reset(min(tailLimit, time.Until(w.end))) }

func (w *watchdog) startIdle() { w.idle.Reset(idleLimit) }
func (w *watchdog) stopIdle()  { w.idle.Stop() }

func (w *watchdog) stop() {
	w.idle.Stop()
	w.attempt.Stop()
}

// send sends a request, and watches that and the reading of the response's body.
func (w *watchdog) send(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	w.startIdle()
	defer w.stopIdle()
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	resp.Body = watchedBody{resp.Body, w}
	return resp, nil
}

type watchedBody struct {
	io.ReadCloser
	dog *watchdog
}

func (b watchedBody) Read(p []byte) (int, error) {
	b.dog.startIdle()
	defer b.dog.stopIdle()
	return b.ReadCloser.Read(p)
}
