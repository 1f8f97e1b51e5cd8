// Package retry decides how long to wait before a request is sent again, and waits. All functions are safe for
// concurrent use.
package retry

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// maxAfter bounds what After returns, so that no arithmetic with it overflows.
const maxAfter = 365 * 24 * time.Hour

// Delays are the waits after the first failure, the second and so on, without jitter. There is no retry after the last.
type Delays []time.Duration

// Wait returns the wait after a number of failures, with jitter. ok is false if there is no retry.
func (d Delays) Wait(failures int) (wait time.Duration, ok bool) {
	if failures > len(d) {
		return 0, false
	}
	return Jitter(d[failures-1]), true
}

// Jitter returns a wait that is up to a quarter shorter or longer than d.
func Jitter(d time.Duration) time.Duration {
	return time.Duration((0.75 + 0.5*rand.Float64()) * float64(d))
}

// Longer returns a wait that is up to a tenth longer than d, for a time before which a retry is not welcome.
func Longer(d time.Duration) time.Duration {
	return d + time.Duration(rand.Float64()*float64(d)/10)
}

// After returns how long a response asks to wait: by Retry-After-Ms, which some providers of models send, or by
// Retry-After, in seconds or as a date, which may have passed. A number gives at most a year. ok is false if there is
// neither header, or none that can be read.
func After(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	if wait, ok := units(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait, true
	}
	text := h.Get("Retry-After")
	if wait, ok := units(text, time.Second); ok {
		return wait, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return at.Sub(now), true
}

func units(number string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= 0) { // !(n >= 0) is true for NaN too
		return 0, false
	}
	return time.Duration(min(n*float64(unit), float64(maxAfter))), true
}

// Sleep returns nil after d, or the cause of ctx's end if that is earlier.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
