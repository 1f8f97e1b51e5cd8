package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// thread asks GitHub how the issue or pull request of an event is by now.
type thread struct {
	github port.GitHub
	queue  port.ThreadQueue
	repos  repo.Repos
	ev     port.Event
}

// threadState is why nothing is done on a thread: a clause, and what a person can do about it. The zero value is a
// thread that is open to changes.
type threadState struct{ clause, remedy string }

var (
	archived      = threadState{"this repository is archived", ""}
	locked        = threadState{"this conversation is locked", "Unlock it, and give the command again."}
	pullMerged    = threadState{"this pull request is merged", "Give the command on an open one."}
	pullClosed    = threadState{"this pull request is closed", "Reopen it, and give the command again."}
	branchDeleted = threadState{"the branch is deleted", ""}
	issueClosed   = threadState{"this issue is closed", "Reopen it, and give the command again."}
	threadDeleted = threadState{"it was deleted", ""}
	issuePullOver = threadState{"the pull request of this issue is merged, closed or locked", ""}
)

func (s threadState) userError() *port.UserError {
	text := strings.ToUpper(s.clause[:1]) + s.clause[1:] + ", so nothing was done."
	return &port.UserError{Text: markdown.Plain(strings.TrimSpace(text+" "+s.remedy), "")}
}

func pullState(p port.PullRequest) threadState {
	switch {
	case p.Archived:
		return archived
	case p.Merged:
		return pullMerged
	case p.State != "open":
		return pullClosed
	case p.Locked:
		return locked
	}
	return threadState{}
}

// issueState compares the issue's repository with r, under its present name.
func issueState(i port.Issue, r port.RepoRef) threadState {
	switch {
	case r.Archived:
		return archived
	case i.Repo != "" && !strings.EqualFold(i.Repo, r.String()):
		return threadState{"this issue has moved to " + i.Repo, "Give the command there."}
	case i.State != "open":
		return issueClosed
	case i.Locked:
		return locked
	}
	return threadState{}
}

// state returns the state of the thread as it is now.
func (t thread) state(ctx context.Context) (threadState, error) {
	if t.ev.Thread.Pull {
		pull, err := t.github.PullRequest(ctx, t.ev.Repo, t.ev.Thread.Number)
		return pullState(pull), err
	}
	issue, repo, err := t.issue(ctx)
	return issueState(issue, repo), err
}

// issue reads the issue, and the repository, which may have another name by now.
func (t thread) issue(ctx context.Context) (issue port.Issue, repo port.RepoRef, err error) {
	err = together(
		func() (err error) { issue, err = t.github.Issue(ctx, t.ev.Repo, t.ev.Thread.Number); return err },
		func() (err error) { repo, err = t.github.Repository(ctx, t.ev.Repo); return err },
	)
	return issue, repo, err
}

// fullQueue is the size of a queue that may have more events than are listed.
const fullQueue = 100

// stateSince returns why nothing may be committed any more, though all was in order when the run started. GitHub is
// asked only if an event that closes the thread waits in the queue behind the run.
func (t thread) stateSince(ctx context.Context, head record.Target) (threadState, error) {
	if !t.ev.Thread.Pull && head.Pull != 0 { // the events of the issue's pull request are in another queue
		if pull, err := t.github.PullRequest(ctx, t.ev.Repo, head.Pull); err != nil {
			return threadState{}, fmt.Errorf("reading pull request %d again: %w", head.Pull, err)
		} else if pullState(pull) != (threadState{}) {
			return issuePullOver, nil
		}
	}
	queued, err := t.queue.Queued(ctx, t.ev)
	if err != nil {
		return threadState{}, fmt.Errorf("reading the queue of the thread: %w", err)
	}
	// A full queue may go on: whoever filled it must not hide an event from us.
	closes := func(q port.QueuedEvent) bool { return q.Event.Kind == port.Closed }
	if len(queued) < fullQueue && !slices.ContainsFunc(queued, closes) {
		return threadState{}, nil
	}
	state, err := t.state(ctx)
	if errors.Is(err, port.ErrNotFound) {
		return threadDeleted, nil
	}
	if state == pullClosed && !t.branchExists(ctx, head) { // GitHub closes a pull request whose branch is deleted
		return branchDeleted, nil
	}
	return state, err
}

// branchExists reports whether the branch is there, or it is unknown.
func (t thread) branchExists(ctx context.Context, head record.Target) bool {
	_, ok, err := branches{t.repos, t.ev.Repo}.tip(ctx, head)
	return ok || err != nil && !errors.Is(err, port.ErrNotFound)
}

// errNoThread is the error for a thread that is nowhere the app can reach, so that nothing can be said.
var errNoThread = errors.New("the issue or pull request is gone")

// unlessNoThread returns err, or nil if it reports that there is no thread left to answer in.
func (b *Bot) unlessNoThread(ctx context.Context, ev port.Event, err error) error {
	if !errors.Is(err, errNoThread) {
		return err
	}
	b.Log.InfoContext(ctx, "no thread to answer in", "delivery", ev.Delivery, "thread", ev.ThreadKey())
	return nil
}

// transferredTo returns where the issue was transferred to; ok is false if it was not, or the app is not there.
func (t thread) transferredTo(ctx context.Context) (repo port.RepoRef, number int, ok bool) {
	issue, err := t.github.Issue(ctx, t.ev.Repo, t.ev.Thread.Number)
	owner, name, _ := strings.Cut(issue.Repo, "/")
	if err != nil || !strings.EqualFold(owner, t.ev.Repo.Owner) || strings.EqualFold(name, t.ev.Repo.Name) {
		return port.RepoRef{}, 0, false // GitHub transfers issues between repositories of one owner
	}
	repo, err = t.github.Sibling(ctx, t.ev.Repo, name)
	return repo, issue.Number, err == nil
}

// deleted reports whether the thread is gone, though the repository is there.
func (t thread) deleted(ctx context.Context) bool {
	if _, err := t.github.Issue(ctx, t.ev.Repo, t.ev.Thread.Number); !errors.Is(err, port.ErrNotFound) {
		return false
	}
	_, err := t.github.Repository(ctx, t.ev.Repo)
	return err == nil
}
