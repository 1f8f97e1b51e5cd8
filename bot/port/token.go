package port

import "strings"

// TokenKind is what the bot has to act on GitHub, if it is not an App.
type TokenKind string

// The kinds of tokens.
const (
	// AppToken is that of an App, which the bot asks for itself.
	AppToken TokenKind = ""
	// JobToken is the one that GitHub Actions gives a job: what it may do is in `permissions:` of the workflow.
	JobToken TokenKind = "job"
	// GivenToken is another one that was given to the bot, such as one that a person made.
	GivenToken TokenKind = "given"
)

// TokenLimit is what a token may not do, whatever its permissions are.
type TokenLimit string

// The limits of tokens.
const (
	// WorkflowFiles are the files of workflows, which the token of a job cannot change.
	WorkflowFiles TokenLimit = "workflow files"
	// NewPulls are pull requests, which jobs open only where a setting of the repository allows it.
	NewPulls TokenLimit = "new pull requests"
)

// TokenError is the error of something that a token which is not of an App does not allow. It wraps ErrDenied.
type TokenError struct {
	Kind TokenKind
	// Lacks are the permissions that are missing, as the `permissions:` of a workflow names them, such as
	// "contents: write". It is empty if that is not why, or not known.
	Lacks []string
	// Limit is set if no permission helps.
	Limit TokenLimit
	// Err is the refusal.
	Err error
}

func (e *TokenError) Error() string {
	what := "the token"
	if e.Kind == JobToken {
		what = "the token of this job"
	}
	lacks := strings.Join(e.Lacks, " and ")
	switch {
	case e.Limit == NewPulls:
		return e.Err.Error() + " (Settings > Actions > General > Workflow permissions has a box that allows it)"
	case e.Limit == WorkflowFiles:
		return e.Err.Error() + " (" + what + " may not change the files of workflows)"
	case lacks == "":
		return e.Err.Error() + " (" + what + " does not allow it)"
	case e.Kind == JobToken:
		return e.Err.Error() + " (" + what + " lacks a permission: add `" + lacks + "` to `permissions:` of the workflow)"
	}
	return e.Err.Error() + " (" + what + " lacks the permission `" + lacks + "`)"
}

// Permanent returns true: what a token may do does not change during a run.
func (e *TokenError) Permanent() bool { return true }

func (e *TokenError) Unwrap() []error { return []error{e.Err, ErrDenied} }
