package llm

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// delays are the waits before the second, third and fourth attempt, without jitter.
var delays = [...]time.Duration{1 * time.Second, 4 * time.Second, 16 * time.Second}

// maxWait is the longest Retry-After of a provider that is waited for. Otherwise the error says when to ask again.
const maxWait = time.Minute

// wait returns how long to wait before the next attempt, after this one (counted from 1). It returns false if there
// must be none: when text was passed to the caller already, or when the wait would exceed ctx's deadline.
func (f *fault) wait(ctx context.Context, attempt int) (time.Duration, bool) {
	if !faults[f.kind].retryable || f.begun || attempt > len(delays) {
		return 0, false
	}
	now := time.Now()
	wait := time.Duration(float64(delays[attempt-1]) * (0.75 + 0.5*rand.Float64()))
	if asked := f.retryAt.Sub(now); !f.retryAt.IsZero() && asked > 0 {
		if asked > maxWait {
			return 0, false
		}
		// Never earlier than asked for, and with jitter.
		wait = asked + time.Duration(rand.Float64()*float64(asked)/10)
	}
	if deadline, ok := ctx.Deadline(); ok && now.Add(wait).After(deadline) {
		return 0, false
	}
	return wait, true
}

// restDelay is the wait before the rest of a broken answer is asked for, without jitter.
const restDelay = 4 * time.Second

// restAt returns when to ask for the rest of a broken answer: not before the provider wants it.
func restAt(asked time.Time) time.Time {
	at := time.Now().Add(time.Duration(float64(restDelay) * (0.75 + 0.5*rand.Float64())))
	if asked.After(at) {
		return asked
	}
	return at
}

// retryAfter returns when a provider asks for a retry: after (milli)seconds, or at an HTTP date. Zero when it does not.
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
	if err != nil || !(n >= 0) { // !(n >= 0) is true for NaN too
		return time.Time{}, false
	}
	// The bound of a year keeps the product within a Duration.
	return now.Add(time.Duration(min(n*float64(unit), float64(365*24*time.Hour)))), true
}
