package port

import (
	"fmt"
	"time"
)

// TooMany is the error for an event that is not accepted, because there have been too many of its sender or
// installation.
type TooMany struct {
	// Of is "sender" or "installation".
	Of string
	// Limit is how many are accepted an hour.
	Limit int64
	// Final reports whether the event is not wanted later either.
	Final bool
	// After is when the next one may be accepted.
	After time.Duration
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("there are too many commands of this %s: %d an hour are accepted", e.Of, e.Limit)
}

// RetryAfter returns when the next event may be accepted.
func (e *TooMany) RetryAfter() time.Duration { return e.After }
