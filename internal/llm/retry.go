package llm

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// waits are the pauses before the second, third and fourth attempt, without jitter.
var waits = [...]time.Duration{1 * time.Second, 4 * time.Second, 16 * time.Second}

// maxWait is how long a provider's Retry-After is waited for; beyond it a person is told the time instead.
const maxWait = time.Minute

// wait says how long to wait before asking again after this attempt (counted from 1), or that it makes no sense: nobody
// must see the beginning of two answers, and a wait that outlasts the deadline is none.
func (f *fault) wait(ctx context.Context, attempt int) (time.Duration, bool) {
	if !faults[f.kind].again || f.started || attempt > len(waits) {
		return 0, false
	}
	now := time.Now()
	wait := time.Duration(float64(waits[attempt-1]) * (0.75 + 0.5*rand.Float64()))
	if asked := f.after.Sub(now); !f.after.IsZero() && asked > 0 {
		if asked > maxWait {
			return 0, false
		}
		// Never earlier than asked, and not all at once.
		wait = asked + time.Duration(rand.Float64()*float64(asked)/10)
	}
	if deadline, ok := ctx.Deadline(); ok && now.Add(wait).After(deadline) {
		return 0, false
	}
	return wait, true
}

// retryAfter reads when a provider wants to be asked again: in (milli)seconds, or at an HTTP date. Zero when it does not say.
func retryAfter(h http.Header, now time.Time) time.Time {
	if at, ok := afterUnits(h.Get("Retry-After-Ms"), time.Millisecond, now); ok {
		return at
	}
	if at, ok := afterUnits(h.Get("Retry-After"), time.Second, now); ok {
		return at
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	if err != nil {
		return time.Time{}
	}
	return at
}

func afterUnits(number string, unit time.Duration, now time.Time) (time.Time, bool) {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= 0) { // not a number is not more than 0 either
		return time.Time{}, false
	}
	// A year is as good as never, and keeps the product within a Duration.
	return now.Add(time.Duration(min(n*float64(unit), float64(365*24*time.Hour)))), true
}
