package llm

import (
	"context"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/internal/retry"
)

// delays are the waits before the second, third and fourth attempt, without jitter.
var delays = retry.Delays{1 * time.Second, 4 * time.Second, 16 * time.Second}

// maxWait is the longest Retry-After of a provider that is waited for. Otherwise the error says when to ask again.
const maxWait = time.Minute

// wait returns how long to wait before the next attempt, after this one (counted from 1). It returns false if there
// must be none: when text was passed to the caller already, or when the wait would exceed ctx's deadline.
func (f *fault) wait(ctx context.Context, attempt int) (time.Duration, bool) {
	wait, ok := delays.Wait(attempt)
	if !ok || !faults[f.kind].retryable || f.begun {
		return 0, false
	}
	now := time.Now()
	if asked := f.retryAt.Sub(now); !f.retryAt.IsZero() && asked > 0 {
		if asked > maxWait {
			return 0, false
		}
		wait = retry.Longer(asked)
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
	at := time.Now().Add(retry.Jitter(restDelay))
	if asked.After(at) {
		return asked
	}
	return at
}

// retryAfter returns when a provider asks for a retry, zero when it does not.
func retryAfter(h http.Header, now time.Time) time.Time {
	wait, ok := retry.After(h, now)
	if !ok {
		return time.Time{}
	}
	return now.Add(wait)
}
