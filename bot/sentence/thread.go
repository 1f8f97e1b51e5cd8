package sentence

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// ThreadState is why nothing is done on a thread: a clause, and what a person can do about it. The zero value is a
// thread that is open to changes.
type ThreadState struct{ clause, remedy string }

// The states of a thread, and of its branch, in which nothing is changed.
var (
	Archived      = ThreadState{"this repository is archived", ""}
	Locked        = ThreadState{"this conversation is locked", "Unlock it, and give the command again."}
	PullMerged    = ThreadState{"this pull request is merged", "Give the command on an open pull request."}
	PullClosed    = ThreadState{"this pull request is closed", "Reopen it, and give the command again."}
	BranchDeleted = ThreadState{"the branch was deleted", ""}
	IssueClosed   = ThreadState{"this issue is closed", "Reopen it, and give the command again."}
	ThreadDeleted = ThreadState{"this issue or pull request was deleted", ""}
	IssuePullOver = ThreadState{"the pull request for this issue is merged, closed or locked", ""}
)

// IssueMoved is the state of an issue that was transferred to another repository.
func IssueMoved(repo string) ThreadState {
	return ThreadState{"this issue has moved to " + repo, "Give the command there."}
}

// BaseChanged is the state of a pull request that got the base now in place of the one that is merged.
func BaseChanged(merged, now string) ThreadState {
	merged, now = markdown.Clip(merged, markdown.MaxCell), markdown.Clip(now, markdown.MaxCell)
	return ThreadState{"the base of this pull request is " + now + " now, and no longer " + merged, ""}
}

// Refusal returns the refusal of a command on a thread in this state.
func (s ThreadState) Refusal() *port.UserError {
	text := strings.ToUpper(s.clause[:1]) + s.clause[1:] + ", so nothing was done."
	return &port.UserError{Text: markdown.Plain(strings.TrimSpace(text+" "+s.remedy), "")}
}

// Clause is why nothing is committed on a thread that came into this state while the run was working.
func (s ThreadState) Clause() string { return s.clause }
