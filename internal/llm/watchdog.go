package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// How long things may take: the design's figures. The command has a deadline of its own, in the context.
const (
	idleLimit    = 90 * time.Second // without a byte
	attemptLimit = 10 * time.Minute // for one attempt, however much it trickles
	tailLimit    = 5 * time.Second  // for the usage figures, after the model has ended
)

var (
	errIdle    = errors.New("nothing came for 90 seconds")
	errAttempt = errors.New("no end after 10 minutes")
)

// watchdog cancels an attempt that stands still or takes too long. Time in which nobody waits for the provider, but the
// provider for us, does not count as standing still.
type watchdog struct {
	idle, attempt *time.Timer
	limit         atomic.Int64 // how long the next read may take
}

func newWatchdog(cancel context.CancelCauseFunc) *watchdog {
	w := &watchdog{
		idle:    time.AfterFunc(idleLimit, func() { cancel(errIdle) }),
		attempt: time.AfterFunc(attemptLimit, func() { cancel(errAttempt) }),
	}
	w.limit.Store(int64(idleLimit))
	return w
}

// tail says that what matters has come.
func (w *watchdog) tail() { w.limit.Store(int64(tailLimit)) }

func (w *watchdog) waiting() { w.idle.Reset(time.Duration(w.limit.Load())) }
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
