package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// closed is why nothing is done on a thread, as a clause, and what can be done about it, if anything. The zero value is a thread
// that is open to changes.
type threadState struct{ state, remedy string }

var (
	archived      = threadState{"this repository is archived", ""}
	locked        = threadState{"this conversation is locked", "Unlock it, and give the command again."}
	pullMerged    = threadState{"this pull request is merged", "Give the command on an open one."}
	pullClosed    = threadState{"this pull request is closed", "Reopen it, and give the command again."}
	branchDeleted = threadState{"the branch is deleted", ""}
	issueClosed   = threadState{"this issue is closed", "Reopen it, and give the command again."}
	deleted       = threadState{"it was deleted", ""}
	pullOver      = threadState{"the pull request of this issue is merged, closed or locked", ""}
)

func (c threadState) userError() *port.UserError {
	text := "T" + strings.TrimPrefix(c.state, "t") + ", so nothing was done."
	return &port.UserError{Text: markdown.Plain(strings.TrimSpace(text+" "+c.remedy), "")}
}

func pullState(p port.PullRequest) threadState {
	switch {
	case p.Merged:
		return pullMerged
	case p.State != "open":
		return pullClosed
	case p.Locked:
		return locked
	}
	return threadState{}
}

// closed compares the issue's place with repo, as that is called today.
func issueState(i port.Issue, repo port.RepoRef) threadState {
	switch {
	case repo.Archived:
		return archived
	case i.Repo != "" && !strings.EqualFold(i.Repo, repo.String()):
		return threadState{"this issue has moved to " + i.Repo, "Give the command there."}
	case i.State != "open":
		return issueClosed
	case i.Locked:
		return locked
	}
	return threadState{}
}

// fullLine is how much of a line is told at most.
const fullQueue = 100

// closedMeanwhile says why nothing is to be committed any more, though all was in order when the run began. GitHub is asked
// only when its word that something happened waits in line behind the run.
func (s *session) changedMeanwhile(ctx context.Context, head record.Target) (threadState, error) {
	if !s.ev.Thread.Pull && head.Pull != 0 { // what happened to it waits in no line of this thread
		if pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, head.Pull); err != nil {
			return threadState{}, fmt.Errorf("looking what became of pull request %d meanwhile: %w", head.Pull, err)
		} else if pullState(pull) != (threadState{}) {
			return pullOver, nil
		}
	}
	line, err := s.Queue.Queued(ctx, s.ev)
	if err != nil {
		return threadState{}, fmt.Errorf("looking what happened meanwhile: %w", err)
	}
	// A full line may go on, whoever filled it.
	if len(line) < fullQueue && !slices.ContainsFunc(line, func(w port.QueuedEvent) bool { return w.Event.Kind == port.Closed }) {
		return threadState{}, nil
	}
	why, err := s.threadState(ctx)
	if errors.Is(err, port.ErrNotFound) {
		return deleted, nil
	}
	if why == pullClosed && !s.branchExists(ctx, head) { // GitHub closes a pull request whose branch is deleted
		return branchDeleted, nil
	}
	return why, err
}

// stands says whether a branch is there, or nobody knows.
func (s *session) branchExists(ctx context.Context, head record.Target) bool {
	_, err := s.Repos.Open(ctx, s.ev.Repo, head.Ref(), "")
	return !errors.Is(err, port.ErrNotFound)
}

// closed says why nothing is to be done on the thread as it is now.
func (s *session) threadState(ctx context.Context) (threadState, error) {
	if s.ev.Thread.Pull {
		pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, s.ev.Thread.Number)
		return pullState(pull), err
	}
	issue, repo, err := s.issue(ctx)
	return issueState(issue, repo), err
}

// issue reads the issue, and the repository, which may have another name by now.
func (s *session) issue(ctx context.Context) (issue port.Issue, repo port.RepoRef, err error) {
	err = together(
		func() (err error) { issue, err = s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number); return err },
		func() (err error) { repo, err = s.GitHub.Repository(ctx, s.ev.Repo); return err },
	)
	return issue, repo, err
}
