package port

import (
	"errors"
)

// ErrMoved says that a branch no longer stands where the run began.
var ErrMoved = errors.New("the branch has moved")

// ErrLeaseLost says that another worker has taken the event over; this one must stop and touch nothing.
var ErrLeaseLost = errors.New("the lease of this event is lost")

// ErrNotFound says that GitHub or a git server knows no such thing, or shows it to nobody who asks like this.
var ErrNotFound = errors.New("not found")

// ErrDenied says that the app's credentials do not allow it.
var ErrDenied = errors.New("permission denied")

// ErrEmpty says that a repository has no commit.
var ErrEmpty = errors.New("the repository is empty")

// UserError is something that a person can do something about. Its text is posted as the answer, as Markdown, and the
// run is over.
type UserError struct{ Text string }

func (e *UserError) Error() string { return e.Text }

// RejectedError is a git server's refusal of a push (a protected branch, a rule, a hook), in its own words.
type RejectedError struct{ Branch, Text string }

func (e *RejectedError) Error() string { return "pushing " + e.Branch + " was rejected: " + e.Text }

// CancelledError says that somebody cancelled the run.
type CancelledError struct{ By string }

func (e *CancelledError) Error() string { return "cancelled by " + e.By }
