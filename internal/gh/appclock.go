package gh

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// clockTolerance is how far a clock may be from GitHub's without being corrected: half of what the iat of signer
// allows.
const clockTolerance = 30 * time.Second

// appClock has the time by which the App's requests are signed: this machine's, until GitHub refuses one because of it.
// From then on it is GitHub's, and passes as time does in the process, however this machine's clock is set. Safe for
// concurrent use.
type appClock struct {
	local func() time.Time
	// correction is nil while this machine's clock is used.
	correction atomic.Pointer[correction]
}

// correction is one moment by GitHub's clock and by this machine's. nil corrects nothing.
type correction struct{ github, local time.Time }

// Now returns the time.
func (c *appClock) Now() time.Time { return c.correction.Load().apply(c.local()) }

// ahead returns how far this machine's clock is ahead of GitHub's, negative if it is behind; 0 if it is not corrected.
func (c *appClock) ahead() time.Duration {
	now := c.local()
	ahead := now.Round(0).Sub(c.correction.Load().apply(now)) // Round(0) strips the monotonic reading
	if ahead.Abs() <= clockTolerance {
		return 0
	}
	return ahead
}

// apply returns the time by GitHub's clock at a time of this machine's.
func (c *correction) apply(local time.Time) time.Time {
	if c == nil {
		return local
	}
	return c.github.Add(local.Sub(c.local)) // by the monotonic clock, if local has its reading
}

// correct corrects the clock by the Date header of a response to a request that was signed with the correction used. It
// returns nil if that was as good.
func (c *appClock) correct(resp *http.Response, used *correction) *correction {
	github, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return nil
	}
	next := &correction{github: github.Add(time.Second / 2), local: c.local()} // the header has no fraction
	if used.apply(next.local).Sub(next.github).Abs() <= clockTolerance {
		return nil
	}
	c.correction.CompareAndSwap(used, next)
	return next
}

// appTransport authorises requests as the App.
type appTransport struct {
	next    http.RoundTripper // signs by the clock
	clock   *appClock
	refused *refusedApp
	log     *slog.Logger
}

// RoundTrip sends a request again, once, when GitHub refuses it (401) and says that the time by which it was signed is
// wrong, as the request had no effect. A correction that does not help is undone.
func (t *appTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	used := t.clock.correction.Load()
	resp, err := t.next.RoundTrip(req.Clone(req.Context()))
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return t.accepted(resp, err)
	}
	next := t.clock.correct(resp, used)
	if next == nil {
		return resp, nil
	}
	again, err := rewound(req)
	if err != nil {
		return resp, nil //nolint:nilerr // the 401 is the better result
	}
	discard(resp)
	resp, err = t.next.RoundTrip(again)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		t.clock.correction.CompareAndSwap(next, used)
		return resp, nil
	}
	if ahead := t.clock.ahead(); ahead != 0 {
		t.log.WarnContext(req.Context(), "this machine's clock is wrong; GitHub's time is used for the App's requests",
			"clock", port.ClockOff(ahead))
	}
	return t.accepted(resp, err)
}

// accepted forgets an earlier refusal of the App if a response shows that GitHub accepts it.
func (t *appTransport) accepted(resp *http.Response, err error) (*http.Response, error) {
	if err == nil && resp.StatusCode < http.StatusMultipleChoices {
		t.refused.forget()
	}
	return resp, err
}
