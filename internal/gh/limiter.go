package gh

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// patience is how long one request waits in all before its caller is told to come again later.
	patience = 10 * time.Second
	// maxSends bounds how often one request goes out.
	maxSends = 4
	// maxAnswer bounds the body of an answer. A page of 100 comments of 65,536 characters, each escaped in six bytes, fits.
	maxAnswer = 64 << 20
	// noInstallation is the gate of the App's own requests.
	noInstallation = 0
)

// limiter keeps the requests of each installation, of REST and GraphQL together, within GitHub's limits: nothing goes out
// while GitHub asks to wait, and writes are paced before it does (pace.go). Short waits are waited for, longer ones are a
// *limitError. It sends again what had no effect: a request that was refused by a limit, and a GET that met a broken server
// or connection. It knows of this process alone.
type limiter struct {
	next  http.RoundTripper
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	log   *slog.Logger
	// most is how many bytes an answer may have.
	most int64

	mu    sync.Mutex
	gates map[int64]*gate
}

// gate is shut until a time. strikes counts the refusals that named no time, since the last request that passed; content are
// the times of the writes of the last hour, oldest first.
type gate struct {
	until   time.Time
	strikes int
	content []time.Time
}

// limitError says that GitHub's rate limit does not let a request out for some time.
type limitError struct{ after time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("GitHub's rate limit is reached; the next request may go out in %s", e.after.Round(time.Second))
}

// RetryAfter tells the queue when to try again.
func (e *limitError) RetryAfter() time.Duration { return e.after }

// of returns the way out for the requests of one installation, with a share of what it may write.
func (l *limiter) of(installation int64, s share) http.RoundTripper {
	return &outlet{l, installation, s}
}

type outlet struct {
	*limiter
	installation int64
	share        share
}

// RoundTrip sends the request, again where that is safe and of use.
func (o *outlet) RoundTrip(req *http.Request) (*http.Response, error) {
	t := &trip{outlet: o, req: req, left: patience}
	if o.share == halfContent {
		t.left = 0
	}
	for sends := 1; ; sends++ {
		resp, again, err := t.once(sends)
		if !again {
			return resp, err
		}
	}
}

// trip is one request on its way, with the waiting that it has left.
type trip struct {
	*outlet
	req    *http.Request
	left   time.Duration
	broken int
}

// once sends the request one time; again says that it should be sent once more.
func (t *trip) once(sends int) (resp *http.Response, again bool, err error) {
	if err := t.pass(); err != nil {
		if sends == 1 {
			closeBody(t.req)
		}
		return nil, false, err
	}
	out := t.req
	if sends > 1 {
		if out, err = rewound(t.req); err != nil {
			return nil, false, err
		}
	}
	resp, err = t.next.RoundTrip(out)
	switch {
	case err != nil || resp.StatusCode >= http.StatusInternalServerError:
		return t.afterBreak(resp, err)
	case limited(resp) || graphLimited(t.req, resp):
		discard(resp)
		wait := t.shut(resp)
		t.log.WarnContext(t.req.Context(), "github asks to wait", "installation", t.installation, "status", resp.StatusCode,
			"method", t.req.Method, "path", t.req.URL.Path, "wait", wait)
		if sends == maxSends {
			return nil, false, &limitError{wait}
		}
		return nil, true, nil
	}
	t.passed(resp)
	resp.Body = http.MaxBytesReader(nil, resp.Body, t.most)
	return resp, false, nil
}

// pass waits until the installation's gate is open, and there is room for what the request writes.
func (t *trip) pass() error {
	for {
		wait := t.enter()
		if wait <= 0 {
			return nil
		}
		if wait > t.left {
			return &limitError{wait}
		}
		if err := t.pause(wait); err != nil {
			return err
		}
	}
}

func (t *trip) pause(d time.Duration) error {
	t.left -= d
	return t.sleep(t.req.Context(), d)
}

// pauses are the waits before a GET that met a broken server or connection is sent again.
var pauses = []time.Duration{300 * time.Millisecond, 1500 * time.Millisecond}

// afterBreak decides on a failure of the server or of the way to it. What may have had an effect is not sent again.
func (t *trip) afterBreak(resp *http.Response, err error) (*http.Response, bool, error) {
	if resp != nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, t.most)
	}
	if t.req.Method != http.MethodGet || t.broken == len(pauses) || pauses[t.broken] > t.left || t.req.Context().Err() != nil {
		return resp, false, err
	}
	if resp != nil {
		discard(resp)
	}
	t.broken++
	if err := t.pause(pauses[t.broken-1]); err != nil {
		return nil, false, err
	}
	return nil, true, nil
}

func (o *outlet) gate() *gate {
	g := o.gates[o.installation]
	if g == nil {
		g = &gate{}
		o.gates[o.installation] = g
	}
	return g
}

// enter says how long the request has to wait; when that is nothing, it is counted.
func (t *trip) enter() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, now := t.gate(), t.now()
	if wait := g.until.Sub(now); wait > 0 || t.share == noContent || t.req.Method == http.MethodGet {
		return wait
	}
	return g.pace(now, t.share)
}

// shut closes the gate for as long as the refusal asks.
func (o *outlet) shut(resp *http.Response) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	g := o.gate()
	wait, told := askedWait(resp.Header, o.now())
	if !told {
		wait = growingWait(g.strikes)
		g.strikes++
	}
	if until := o.now().Add(wait); until.After(g.until) {
		g.until = until
	}
	return wait
}

// passed notes a request that was not refused; one that was the hour's last closes the gate.
func (o *outlet) passed(resp *http.Response) {
	o.mu.Lock()
	defer o.mu.Unlock()
	g := o.gate()
	g.strikes = 0
	if resp.Header.Get("X-RateLimit-Remaining") != "0" {
		return
	}
	if wait, told := askedWait(resp.Header, o.now()); told {
		g.until = o.now().Add(wait)
	}
}
