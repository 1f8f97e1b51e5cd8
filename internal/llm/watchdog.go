package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// How long things may take: the design's figures. The command has a deadline of its own, in the context.
const (
	idleLimit    = 90 * time.Second // without a byte
	attemptLimit = 10 * time.Minute // for one attempt, however much it trickles
	tailLimit    = 5 * time.Second  // for what is only nice to have: figures after the end, the text of an error
)

var (
	errIdle    = errors.New("nothing came for 90 seconds")
	errAttempt = errors.New("no end after 10 minutes")
)

// watchdog cancels an attempt that stands still or takes too long. Time in which nobody waits for the provider, but the
// provider for us, does not count as standing still.
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

// tail says that what matters has come.
func (w *watchdog) tail() { w.attempt.Reset(min(tailLimit, time.Until(w.end))) }

func (w *watchdog) waiting() { w.idle.Reset(idleLimit) }
func (w *watchdog) resting() { w.idle.Stop() }

func (w *watchdog) stop() {
	w.idle.Stop()
	w.attempt.Stop()
}

// send lets a request go out under watch, and its body be read under watch.
func (w *watchdog) send(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	w.waiting()
	defer w.resting()
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
	b.dog.waiting()
	defer b.dog.resting()
	return b.ReadCloser.Read(p)
}
