package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// refusal is the error of a delivery that is not accepted. The sender gets its text: what was wrong, and what to do.
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

// The Retry-After of a 503: the default, and the longest that the queue may ask for.
const (
	defaultWait = 30 * time.Second
	maxWait     = time.Hour
)

// notAccepted returns the refusal for an event that the queue did not accept. The cause is for the log only.
func notAccepted(cause error) *refusal {
	wait := defaultWait
	var timed interface{ RetryAfter() time.Duration }
	if errors.As(cause, &timed) {
		wait = min(max(timed.RetryAfter(), time.Second), maxWait)
	}
	return &refusal{
		status: http.StatusServiceUnavailable,
		text: "not accepted: tenon cannot store deliveries right now; " +
			"redeliver it later (App settings, Advanced), which does no harm if it was stored after all",
		retryAfter: wait,
		cause:      fmt.Errorf("submitting the event: %w", cause),
	}
}

// unknownApp returns the refusal for an event that cannot be told from another App's while this one's name is unknown.
func unknownApp() *refusal {
	refused := refuse(http.StatusServiceUnavailable, "not accepted: tenon has not been able to ask GitHub for the App's "+
		"name yet, without which this cannot be judged; it is redelivered by itself when GitHub answers")
	refused.retryAfter = defaultWait
	return refused
}

// tooManyLarge returns the refusal for a large body while others are read.
func tooManyLarge() *refusal {
	refused := refuse(http.StatusServiceUnavailable, "not accepted: %d deliveries of more than %d bytes are being read "+
		"already; redeliver this one later (App settings, Advanced)", maxLargeBodies, largeBody)
	refused.retryAfter = defaultWait
	return refused
}
