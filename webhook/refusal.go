package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// refusal is the error of a delivery that is not accepted. The sender gets its text: what was wrong, and what to do.
type refusal struct {
	status     int
	text       string
	retryAfter time.Duration
	cause      error
	// told is true if the queue logs the cause, less often than it happens.
	told bool
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

// tooMany returns the refusal for an event that a limit does not allow. It has a status of its own if the event is not
// to be asked for again.
func tooMany(cause *port.TooMany) *refusal {
	refused := refuse(http.StatusServiceUnavailable, "not accepted: there are too many commands of this %s, and %d an "+
		"hour are accepted; it is requested again later", cause.Of, cause.Limit)
	if cause.Final {
		refused = refuse(http.StatusTooManyRequests, "not accepted: there are too many commands of this %s, and %d an hour "+
			"are accepted; give the command again later", cause.Of, cause.Limit)
	}
	refused.retryAfter = min(max(cause.After.Round(time.Second), time.Second), maxWait)
	refused.cause = cause
	refused.told = true
	return refused
}

// notAccepted returns the refusal for an event that the queue did not accept. The cause is for the log only.
func notAccepted(cause error) *refusal {
	if limit, ok := errors.AsType[*port.TooMany](cause); ok {
		return tooMany(limit)
	}
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
		"name yet, which it needs for this; it is redelivered automatically when GitHub answers")
	refused.retryAfter = defaultWait
	return refused
}

// noRoom returns the refusal for a body when those of other deliveries take all memory there is for them.
func noRoom() *refusal {
	refused := refuse(http.StatusServiceUnavailable, "not accepted: the deliveries that are being read use all the "+
		"memory for them; redeliver this one later (App settings, Advanced)")
	refused.retryAfter = defaultWait
	return refused
}
