package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// closed is why nothing is done on a thread, as a clause, and what can be done about it, if anything. The zero value is a thread
// that is open to changes.
type closed struct{ state, remedy string }

var (
	isArchived = closed{"this repository is archived", ""}
	isLocked   = closed{"this conversation is locked", "Unlock it, and give the command again."}
	isMerged   = closed{"this pull request is merged", "Give the command on an open one."}
	isClosed   = closed{"this pull request is closed", "Reopen it, and give the command again."}
	isBare     = closed{"the branch is deleted", ""}
	isSettled  = closed{"this issue is closed", "Reopen it, and give the command again."}
	isGone     = closed{"it was deleted", ""}
	isOver     = closed{"the pull request of this issue is merged, closed or locked", ""}
)

func (c closed) userError() *UserError {
	text := "T" + strings.TrimPrefix(c.state, "t") + ", so nothing was done."
	return &UserError{plain(strings.TrimSpace(text+" "+c.remedy), "")}
}

func closedPull(p PullRequest) closed {
	switch {
	case p.Merged:
		return isMerged
	case p.State != "open":
		return isClosed
	case p.Locked:
		return isLocked
	}
	return closed{}
}

// closed compares the issue's place with repo, as that is called today.
func closedIssue(i Issue, repo RepoRef) closed {
	switch {
	case repo.Archived:
		return isArchived
	case i.Repo != "" && !strings.EqualFold(i.Repo, repo.String()):
		return closed{"this issue has moved to " + i.Repo, "Give the command there."}
	case i.State != "open":
		return isSettled
	case i.Locked:
		return isLocked
	}
	return closed{}
}

// fullLine is how much of a line is told at most.
const fullLine = 100

// closedMeanwhile says why nothing is to be committed any more, though all was in order when the run began. GitHub is asked
// only when its word that something happened waits in line behind the run.
func (s *session) closedMeanwhile(ctx context.Context, head target) (closed, error) {
	if !s.ev.Thread.Pull && head.Pull != 0 { // what happened to it waits in no line of this thread
		if pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, head.Pull); err != nil {
			return closed{}, fmt.Errorf("looking what became of pull request %d meanwhile: %w", head.Pull, err)
		} else if closedPull(pull) != (closed{}) {
			return isOver, nil
		}
	}
	line, err := s.Line.Line(ctx, s.ev)
	if err != nil {
		return closed{}, fmt.Errorf("looking what happened meanwhile: %w", err)
	}
	// A full line may go on, whoever filled it.
	if len(line) < fullLine && !slices.ContainsFunc(line, func(w Waiting) bool { return w.Event.Kind == Closed }) {
		return closed{}, nil
	}
	why, err := s.closed(ctx)
	if errors.Is(err, ErrNotFound) {
		return isGone, nil
	}
	if why == isClosed && !s.stands(ctx, head) { // GitHub closes a pull request whose branch is deleted
		return isBare, nil
	}
	return why, err
}

// stands says whether a branch is there, or nobody knows.
func (s *session) stands(ctx context.Context, head target) bool {
	_, err := s.Repos.Open(ctx, s.ev.Repo, head.ref(), "")
	return !errors.Is(err, ErrNotFound)
}

// closed says why nothing is to be done on the thread as it is now.
func (s *session) closed(ctx context.Context) (closed, error) {
	if s.ev.Thread.Pull {
		pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, s.ev.Thread.Number)
		return closedPull(pull), err
	}
	issue, repo, err := s.issue(ctx)
	return closedIssue(issue, repo), err
}

// issue reads the issue, and the repository, which may have another name by now.
func (s *session) issue(ctx context.Context) (issue Issue, repo RepoRef, err error) {
	err = together(
		func() (err error) { issue, err = s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number); return err },
		func() (err error) { repo, err = s.GitHub.Repository(ctx, s.ev.Repo); return err },
	)
	return issue, repo, err
}
