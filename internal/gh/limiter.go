package gh

import (
	"context"
	"fmt"
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
// connection, requests that had no effect or may have it twice. It knows the requests of this process only.
type limiter struct {
	next     http.RoundTripper
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
	log      *slog.Logger
	maxBytes int64 // of a response

	mu      sync.Mutex
	buckets map[int64]*bucket // by installation
}

// bucket limits the requests of one installation.
type bucket struct {
	// blockedUntil is until when GitHub asked to wait.
	blockedUntil time.Time
	// refusals counts those without a time to wait, since the last request that succeeded.
	refusals int
	// writes are the times of the writes of the last hour, oldest first.
	writes []time.Time
}

// limitError is the error of a request that GitHub's rate limit does not allow for some time.
type limitError struct{ after time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("GitHub's rate limit is reached; the next request may go out in %s", e.after.Round(time.Second))
}

// roundTripper returns the round tripper for one installation, with a share of its content limits.
func (l *limiter) roundTripper(installation int64, s share) http.RoundTripper {
	return &roundTripper{l, installation, s}
}

type roundTripper struct {
	*limiter
	installation int64
	share        share
}

// RoundTrip sends the request, and retries it where that is safe.
func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	a := &attempts{roundTripper: r, req: req, waitLeft: maxTotalWait}
	if r.share == halfContent {
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
		wait := a.block(resp)
		a.log.WarnContext(a.req.Context(), "github asks to wait", "installation", a.installation, "status", resp.StatusCode,
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

// wait waits until the installation's bucket allows the request.
func (a *attempts) wait() error {
	for {
		wait := a.take()
		if wait <= 0 {
			return nil
		}
		if wait > a.waitLeft {
			return &limitError{wait}
		}
		if err := a.pause(wait); err != nil {
			return err
		}
	}
}

func (a *attempts) pause(d time.Duration) error {
	a.waitLeft -= d
	return a.sleep(a.req.Context(), d)
}

// afterFailure decides about a retry after a failure of the server or the connection. A request that may have had an
// effect is not retried.
func (a *attempts) afterFailure(resp *http.Response, err error) (*http.Response, bool, error) {
	if resp != nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, a.maxBytes)
	}
	if !isRepeatable(a.req) && !hadNoEffect(err) || a.failures == len(repeatDelays) || a.req.Context().Err() != nil {
		return resp, false, err
	}
	delay := withJitter(repeatDelays[a.failures])
	if delay > a.waitLeft {
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

// bucket returns the installation's bucket. The caller holds the lock.
func (r *roundTripper) bucket() *bucket {
	b := r.buckets[r.installation]
	if b == nil {
		b = &bucket{}
		r.buckets[r.installation] = b
	}
	return b
}

// take counts the request, or returns how long it has to wait.
func (a *attempts) take() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	b, now := a.bucket(), a.now()
	wait := b.blockedUntil.Sub(now)
	if wait > 0 || a.share == noContent || a.req.Method == http.MethodGet {
		return wait
	}
	return b.takeWrite(now, a.share)
}

// block blocks the bucket for as long as a refusal asks, and returns the wait.
func (r *roundTripper) block(resp *http.Response) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.bucket()
	wait, ok := requestedWait(resp.Header, r.now())
	if !ok {
		wait = backoff(b.refusals)
		b.refusals++
	}
	if until := r.now().Add(wait); until.After(b.blockedUntil) {
		b.blockedUntil = until
	}
	return wait
}

// succeeded records a request that was not refused. The hour's last one blocks the bucket.
func (r *roundTripper) succeeded(resp *http.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.bucket()
	b.refusals = 0
	if resp.Header.Get("X-RateLimit-Remaining") != "0" {
		return
	}
	if wait, ok := requestedWait(resp.Header, r.now()); ok {
		b.blockedUntil = r.now().Add(wait)
	}
}
