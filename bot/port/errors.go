package port

import (
	"errors"
	"time"
)

// ErrMoved means that a branch is no longer at the commit that was expected.
var ErrMoved = errors.New("the branch has moved")

// ErrLeaseLost means that another worker has the event now: this one must stop and change nothing.
var ErrLeaseLost = errors.New("the lease of this event is lost")

// ErrNotFound means that something does not exist, or that the app is not allowed to see it.
var ErrNotFound = errors.New("not found")

// ErrDenied means that the app's credentials do not allow an operation.
var ErrDenied = errors.New("permission denied")

// ErrExists means that what was to be made is there already.
var ErrExists = errors.New("it exists already")

// ErrSeveralBases means that two commits have several newest common commits, so that what changed since they parted
// depends on which of them is taken.
var ErrSeveralBases = errors.New("there are several merge bases")

// ErrEmpty means that a repository has no commit.
var ErrEmpty = errors.New("the repository is empty")

// UserError is an error that a person can do something about. Its text is the answer, in Markdown, and ends the run.
// Reason is what an audit calls it; empty means ReasonState.
type UserError struct {
	Text   string
	Reason EndReason
}

func (e *UserError) Error() string { return e.Text }

// Because returns the error with a reason.
func (e *UserError) Because(reason EndReason) *UserError { return &UserError{e.Text, reason} }

// RejectedError is the refusal of a push by a git server, for a protected branch, a rule or a hook, in the words of the
// server.
type RejectedError struct{ Branch, Text string }

func (e *RejectedError) Error() string { return "pushing " + e.Branch + " was rejected: " + e.Text }

// CancelledError is the cause of the end of a run that somebody cancelled.
type CancelledError struct{ By string }

func (e *CancelledError) Error() string { return "cancelled by " + e.By }

// WaitError is the error of something that is not possible now and will be later without the help of whoever gave the
// command: a rate limit is reached, a service does not answer, a quota is used up, the App's key is wrong. A run that
// ends with one sleeps and uses up no attempt.
type WaitError struct {
	// For is what is waited for.
	For WaitReason
	// After is when to try again; 0 if that is unknown.
	After time.Duration
	// Err is what happened.
	Err error
}

func (e *WaitError) Error() string { return e.Err.Error() }

func (e *WaitError) Unwrap() error { return e.Err }

// RetryAfter returns when to try again; 0 if that is unknown.
func (e *WaitError) RetryAfter() time.Duration { return e.After }

// WaitReason is what a run waits for. Its text completes the sentence "this waits because …".
type WaitReason string

// The reasons to wait.
const (
	GitHubLimit  WaitReason = "GitHub's rate limit is reached"
	GitHubOutage WaitReason = "GitHub is not answering"
	GitHubLag    WaitReason = "GitHub has not caught up with a push"
	// AppRefused is that of what GitHub gives nobody who cannot prove to be the App: its key or the clock is wrong.
	AppRefused  WaitReason = "GitHub does not accept this app's key"
	ModelLimit  WaitReason = "the quota of the model is used up"
	ModelOutage WaitReason = "the model is not answering"
	// ModelBreak is that of an answer whose rest is asked for later.
	ModelBreak WaitReason = "the connection to the model broke inside its reply"
	// TooManyCommands is that of an event which is held because of a limit.
	TooManyCommands WaitReason = "there have been many commands in a short time"
	// CIReport is that of an event that follows a commit.
	CIReport WaitReason = "CI has not finished"
	// VerifyReport is that of a run whose edits a workflow tests before they are committed.
	VerifyReport WaitReason = "a workflow is testing the edits"
	// DatabaseOutage is tenon's own database.
	DatabaseOutage WaitReason = "tenon's database is not answering"
)
