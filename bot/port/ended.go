package port

import (
	"context"
	"time"
)

// Audit is told what is done in somebody's name. Safe for concurrent use.
type Audit interface {
	// Committing keeps, before a run passes its point of no return, that it is about to write to a repository: whatever
	// happens to the process, there is an entry for what it writes. Further calls for the same run change nothing.
	// ErrLeaseLost if another worker has the event.
	Committing(ctx context.Context, ev Event, e Ended) error
	// Ended says what the run of an event has come to, should the event end with this attempt. Then it is kept in the
	// transaction that ends the event, and so exactly once; if the event is tried again, it is dropped. The last call
	// counts; what it does not know of the permission is taken from the one before.
	Ended(ev Event, e Ended)
}

// Ended is what a run came to, for those who answer for the server: who asked for what, with which permission, what was
// changed where, and what it cost. It has no text of a comment, a prompt, a reply or a file.
type Ended struct {
	Run      string `json:"run"`
	Delivery string `json:"delivery"`
	// Kind is how the command was given.
	Kind EventKind `json:"kind"`
	// Received is when the command arrived, Started when its run was first started, zero if it never was, and At when it
	// ended.
	Received time.Time `json:"received"`
	Started  time.Time `json:"started,omitzero"`
	At       time.Time `json:"at"`

	Installation int64  `json:"installation"`
	Repository   int64  `json:"repository_id"`
	Owner        string `json:"owner"`
	Repo         string `json:"repo"`
	Thread       int    `json:"thread"`
	Pull         bool   `json:"pull,omitempty"`

	// Person and PersonID are who asked; of a round of autofix, who asked for the commit that it fixes. App is the GitHub
	// App that wrote the comment on behalf of them.
	Person   string `json:"person"`
	PersonID int64  `json:"person_id,omitempty"`
	App      string `json:"app,omitempty"`
	// Permission is what they might do in the repository, as GitHub said when it was asked last; empty if it was not
	// asked.
	Permission Permission `json:"permission,omitempty"`
	// Command is the verb. Round counts the rounds of autofix, 0 for a command that a person gave.
	Command string `json:"command"`
	Round   int    `json:"round,omitempty"`

	Outcome EndOutcome `json:"outcome"`
	// Reason is why a command was refused or failed, one of few words; Why says it in a sentence of at most 300 bytes,
	// without secrets.
	Reason EndReason `json:"reason,omitempty"`
	Why    string    `json:"why,omitempty"`
	// By is who cancelled it.
	By string `json:"by,omitempty"`

	// Branch is the branch that the run worked on, PullOpened the number of the pull request that it opened, of a backport
	// the first.
	Branch     string       `json:"branch,omitempty"`
	PullOpened int          `json:"pull_opened,omitempty"`
	Commits    []MadeCommit `json:"commits,omitempty"`
	// Unsure means that the run was about to commit, and that it is not on record whether it did.
	Unsure bool `json:"unsure,omitempty"`
	// Edits count the results of the edits.
	Edits []EditCount `json:"edits,omitempty"`
	// Repairs counts the calls that asked the model to correct edits that had failed. Runs that ended before this was
	// counted have 0.
	Repairs int `json:"repairs,omitempty"`
	// Formats count the edits by the models that wrote them and their formats, in the order of these.
	Formats []FormatCount `json:"formats,omitempty"`
	// Models are what each model took, in the order of their first calls.
	Models []ModelUse `json:"models,omitempty"`
}

// Took is how long the run took, waiting included; 0 if it never started.
func (e Ended) Took() time.Duration {
	if e.Started.IsZero() {
		return 0
	}
	return max(0, e.At.Sub(e.Started))
}

// EndOutcome is how a run ended.
type EndOutcome string

// The outcomes.
const (
	EndCommitted EndOutcome = "committed"
	// EndUnchanged means that there were edits, and that none of them was committed.
	EndUnchanged EndOutcome = "unchanged"
	EndPreviewed EndOutcome = "previewed"
	// EndAnswered is that of a command that makes no edits.
	EndAnswered  EndOutcome = "answered"
	EndRefused   EndOutcome = "refused"
	EndCancelled EndOutcome = "cancelled"
	// EndFailed is that of a dead letter. If that is tried again, the run ends once more.
	EndFailed EndOutcome = "failed"
	// EndDropped means that the App was uninstalled before the run was over.
	EndDropped EndOutcome = "dropped"
	// EndCommitting is that of an entry that was made before a commit, of a run that has not ended.
	EndCommitting EndOutcome = "committing"
)

// EndOutcomes are all outcomes of runs that have ended.
func EndOutcomes() []EndOutcome {
	return []EndOutcome{EndCommitted, EndUnchanged, EndPreviewed, EndAnswered, EndRefused, EndCancelled, EndFailed,
		EndDropped}
}

// EndReason is why a command was refused, stopped or given up.
type EndReason string

// The reasons. The first five are those of commands that people might not give at all.
const (
	ReasonPermission EndReason = "permission"
	// ReasonOwner means that the server does not serve the owner of the repository.
	ReasonOwner EndReason = "owner"
	// ReasonApp means that an App wrote the comment that the settings do not name.
	ReasonApp EndReason = "app"
	// ReasonReplies means that somebody without write permission gave too many commands in an hour.
	ReasonReplies EndReason = "replies"
	// ReasonSettings means that the settings of the repository do not allow the command, or cannot be read.
	ReasonSettings EndReason = "settings"
	ReasonBudget   EndReason = "budget"
	ReasonModel    EndReason = "model"
	// ReasonUsage means that the command is not written as it must be.
	ReasonUsage EndReason = "usage"
	// ReasonState is that of all other refusals: there is nothing to do, or it cannot be done as things are.
	ReasonState EndReason = "state"
	// ReasonStopped means that there was no reason any more for a round of autofix.
	ReasonStopped EndReason = "stopped"
	// ReasonWait means that what the run waited for took too long, ReasonError that it failed too often.
	ReasonWait  EndReason = "wait"
	ReasonError EndReason = "error"
)

// MadeCommit is a commit that a run made.
type MadeCommit struct {
	// Repo is "owner/name" if it is not the repository of the command, but a fork of it.
	Repo   string `json:"repo,omitempty"`
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
	// Files counts the files that it changed, Paths are the first of them.
	Files int      `json:"files"`
	Paths []string `json:"paths,omitempty"`
	// Test means that it was made to test the edits, on a branch that is deleted afterwards.
	Test bool `json:"test,omitempty"`
}

// EditCount counts the edits with the same result: the outcome is "applied", "failed" or "skipped", the reason the
// engine's, and the level the name of how strictly an edit matched.
type EditCount struct {
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	Level   string `json:"level,omitempty"`
	Count   int    `json:"count"`
}

// ModelUse is what the calls of one model took in a run.
type ModelUse struct {
	// Model is its name in the server's settings; empty for calls of which that is not known.
	Model string `json:"model"`
	// Calls counts the attempts, those that failed included.
	Calls  int64 `json:"calls"`
	In     int64 `json:"tokens_in"`
	Cached int64 `json:"tokens_cached,omitempty"`
	Out    int64 `json:"tokens_out"`
	// Nanos is the cost in billionths of a US dollar, by the prices at the time. Unpriced means that the price of some
	// calls was not known, which are not in it.
	Nanos    int64 `json:"cost_nanos"`
	Unpriced bool  `json:"unpriced,omitempty"`
	// Reserved are the tokens that were booked for calls of which nobody said what they took, as when the process died.
	// They are in no other figure.
	Reserved int64 `json:"tokens_reserved,omitempty"`
}
