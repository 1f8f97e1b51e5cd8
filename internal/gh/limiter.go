package gh

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxTotalWait bounds the waits of one request; beyond that its caller gets a *limitError.
	maxTotalWait = 10 * time.Second
	// maxAttempts bounds how often one request is sent.
	maxAttempts = 4
	// maxResponse bounds the body of a response, in bytes. A page of 100 comments of 65,536 characters, each escaped in
	// six bytes, fits.
	maxResponse = 64 << 20
	// noInstallation is the installation of the App's own requests.
	noInstallation = 0
)

// limiter keeps the requests of each installation, those of REST and GraphQL together, within GitHub's limits. It sends
// nothing while GitHub asks to wait, and limits writes before GitHub does (contentlimit.go). It waits for a short time,
// and returns a *limitError for a longer one. It retries what a limit refused and, after a failure of the server or the
// connection, requests that had no effect or may have it twice.
type limiter struct {
	next     http.RoundTripper
	pace     port.Pace
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
	log      *slog.Logger
	maxBytes int64 // of a response

	mu sync.Mutex
	// refusals counts those without a time to wait, since the last request that succeeded, by installation.
	refusals map[int64]int
}

// roundTripper returns the round tripper for requests of one class of one installation.
func (l *limiter) roundTripper(installation int64, c class) http.RoundTripper {
	return &roundTripper{l, installation, c}
}

type roundTripper struct {
	*limiter
	installation int64
	class        class
}

// RoundTrip sends the request, and retries it where that is safe.
func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	a := &attempts{roundTripper: r, req: req, waitLeft: maxTotalWait}
	if !r.class.waits() {
		a.waitLeft = 0
	}
	for n := 1; ; n++ {
		resp, retry, err := a.attempt(n)
		if !retry {
			return resp, err
		}
	}
}

// attempts are the attempts to send one request.
type attempts struct {
	*roundTripper
	req      *http.Request
	waitLeft time.Duration
	failures int // of the server or the connection
}

// attempt sends the request for the n-th time, from 1; retry reports whether to send it again.
func (a *attempts) attempt(n int) (resp *http.Response, retry bool, err error) {
	if err := a.wait(); err != nil {
		if n == 1 {
			closeBody(a.req)
		}
		return nil, false, err
	}
	req := a.req
	if n > 1 {
		if req, err = rewound(a.req); err != nil {
			return nil, false, err
		}
	}
	if err := a.guard(); err != nil {
		closeBody(req)
		return nil, false, err
	}
	resp, err = a.next.RoundTrip(req)
	switch {
	case err != nil || resp.StatusCode >= http.StatusInternalServerError:
		return a.afterFailure(resp, err)
	case isRateLimited(resp) || isGraphQLRateLimit(a.req, resp):
		discard(resp)
		wait, err := a.block(resp)
		if err != nil {
			return nil, false, err
		}
		a.log.WarnContext(a.req.Context(), "GitHub asks to wait", "installation", a.installation, "status", resp.StatusCode,
			"method", a.req.Method, "path", a.req.URL.Path, "wait", wait)
		if n == maxAttempts {
			return nil, false, &limitError{wait}
		}
		return nil, true, nil
	}
	a.succeeded(resp)
	resp.Body = http.MaxBytesReader(nil, resp.Body, a.maxBytes)
	return resp, false, nil
}

// guard returns an error if the request would change something and the event's lease is lost. Nothing is sent then.
func (a *attempts) guard() error {
	if a.req.Method == http.MethodGet || a.installation == noInstallation {
		return nil
	}
	if err := port.Guard(a.req.Context()); err != nil {
		return &guardError{err}
	}
	return nil
}

// wait waits until the installation's pace allows the request.
func (a *attempts) wait() error {
	for {
		wait, err := a.take()
		if wait <= 0 || err != nil {
			return err
		}
		if wait > a.waitLeft {
			return &limitError{wait}
		}
		if err := a.pause(wait); err != nil {
			return err
		}
	}
}

func (a *attempts) pause(d time.Duration) (err error) {
	a.waitLeft -= d
	ctx := a.req.Context()
	port.Waiting(ctx, func() { err = a.sleep(ctx, d) })
	return err
}

// afterFailure decides about a retry after a failure of the server or the connection. A request that may have had an
// effect is not retried.
func (a *attempts) afterFailure(resp *http.Response, err error) (*http.Response, bool, error) {
	if resp != nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, a.maxBytes)
	}
	if !isRepeatable(a.req) && !hadNoEffect(err) || a.req.Context().Err() != nil || isUntrusted(err) {
		return resp, false, err
	}
	delay, ok := repeatDelays.Wait(a.failures + 1)
	if !ok || delay > a.waitLeft {
		return resp, false, err
	}
	if resp != nil {
		discard(resp)
	}
	a.failures++
	if err := a.pause(delay); err != nil {
		return nil, false, err
	}
	return nil, true, nil
}

// take logs a write, or returns how long the request has to wait. A write that follows a redirect is logged already.
func (a *attempts) take() (wait time.Duration, err error) {
	ctx := a.req.Context()
	if a.class == reads || a.req.Method == http.MethodGet || a.req.Response != nil {
		wait, err = a.pace.Blocked(ctx, a.installation)
	} else {
		wait, err = a.pace.Write(ctx, a.installation, a.class.kind(), a.class.wait)
	}
	if err != nil {
		return 0, &guardError{err}
	}
	return wait, nil
}

// block lets the installation send nothing for as long as a refusal asks, and returns the wait.
func (a *attempts) block(resp *http.Response) (time.Duration, error) {
	wait, ok := requestedWait(resp.Header, a.now())
	if !ok {
		wait = backoff(a.refused())
	}
	if err := a.pace.Block(a.req.Context(), a.installation, wait); err != nil {
		return 0, &guardError{err}
	}
	return wait, nil
}

// refused counts a refusal without a time to wait, and returns the number of those before it.
func (r *roundTripper) refused() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.refusals[r.installation]
	r.refusals[r.installation] = n + 1
	return n
}

// succeeded records a request that was not refused. After the hour's last one, nothing is sent until the hour ends.
func (a *attempts) succeeded(resp *http.Response) {
	a.mu.Lock()
	delete(a.refusals, a.installation)
	a.mu.Unlock()
	if resp.Header.Get("X-RateLimit-Remaining") != "0" {
		return
	}
	wait, ok := requestedWait(resp.Header, a.now())
	if !ok {
		return
	}
	if err := a.pace.Block(a.req.Context(), a.installation, wait); err != nil { // the request itself succeeded
		a.log.WarnContext(a.req.Context(), "the end of the hour's requests is not recorded", "error", err)
	}
}
