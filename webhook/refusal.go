package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// refusal is a no to a delivery. Its text is what the sender reads: what was wrong, and what to do.
type refusal struct {
	status     int
	text       string
	retryAfter time.Duration
	cause      error
}

func (e *refusal) Error() string {
	if e.cause != nil {
		return e.cause.Error()
	}
	return e.text
}

func (e *refusal) Unwrap() error { return e.cause }

func refuse(status int, format string, args ...any) *refusal {
	return &refusal{status: status, text: fmt.Sprintf(format, args...)}
}

// The wait that a 503 advises when the queue names none, and the longest one it may name.
const (
	defaultWait = 30 * time.Second
	longestWait = time.Hour
)

// notAccepted says that the queue did not take the event. The cause is for the log alone.
func notAccepted(cause error) *refusal {
	wait := defaultWait
	var timed interface{ RetryAfter() time.Duration }
	if errors.As(cause, &timed) {
		wait = min(max(timed.RetryAfter(), time.Second), longestWait)
	}
	return &refusal{
		status:     http.StatusServiceUnavailable,
		text:       "not accepted: tenon cannot store deliveries right now; nothing was done with this one, redeliver it later (App settings, Advanced)",
		retryAfter: wait,
		cause:      fmt.Errorf("submitting the event: %w", cause),
	}
}

// crowded says that there is no place for another large body.
func crowded() *refusal {
	no := refuse(http.StatusServiceUnavailable, "not accepted: %d deliveries of more than %d bytes are being read already; redeliver this one later (App settings, Advanced)", largeAtOnce, largeBody)
	no.retryAfter = defaultWait
	return no
}
