package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// thread asks GitHub for the present state of the issue or pull request of an event.
type thread struct {
	github port.GitHub
	repos  repo.Repos
	ev     port.Event
	// merges is the branch that is merged into that of the pull request, as its base; empty if none is.
	merges string
}

func pullState(p port.PullRequest) sentence.ThreadState {
	return stateOf(port.PullState{State: p.State, Merged: p.Merged, Locked: p.Locked, Archived: p.Archived})
}

func stateOf(p port.PullState) sentence.ThreadState {
	switch {
	case p.Archived:
		return sentence.Archived
	case p.Merged:
		return sentence.PullMerged
	case p.State != "open":
		return sentence.PullClosed
	case p.Locked:
		return sentence.Locked
	}
	return sentence.ThreadState{}
}

// issueState compares the issue's repository with r, under its present name.
func issueState(i port.Issue, r port.RepoRef) sentence.ThreadState {
	switch {
	case r.Archived:
		return sentence.Archived
	case wasTransferred(i, r):
		return sentence.IssueMoved(i.Repo)
	case i.State != "open":
		return sentence.IssueClosed
	case i.Locked:
		return sentence.Locked
	}
	return sentence.ThreadState{}
}

// wasTransferred reports whether an issue is in another repository than r, under its present name.
func wasTransferred(i port.Issue, r port.RepoRef) bool {
	return i.Repo != "" && !strings.EqualFold(i.Repo, r.String())
}

// defaultBranch is the default branch of a repository, and the commit that it points to, as far as they were read.
type defaultBranch struct{ name, tip string }

// state returns the state of the thread as it is now, and the default branch; of an issue, without its tip.
func (t thread) state(ctx context.Context) (state sentence.ThreadState, main defaultBranch, err error) {
	if t.ev.Thread.Pull {
		pull, err := t.github.PullState(ctx, t.ev.Repo, t.ev.Thread.Number)
		if state = stateOf(pull); state == (sentence.ThreadState{}) && t.merges != "" && pull.Base != "" &&
			pull.Base != t.merges {
			state = sentence.BaseChanged(t.merges, pull.Base)
		}
		return state, defaultBranch{pull.DefaultBranch, pull.Default}, err
	}
	issue, repo, err := t.issue(ctx)
	return issueState(issue, repo), defaultBranch{name: repo.DefaultBranch}, err
}

// issue reads the issue, and the repository, which may have another name now.
func (t thread) issue(ctx context.Context) (issue port.Issue, repo port.RepoRef, err error) {
	err = port.Together(ctx,
		func() (err error) { issue, err = t.github.Issue(ctx, t.ev.Repo, t.ev.Thread.Number); return err },
		func() (err error) { repo, err = t.github.Repository(ctx, t.ev.Repo); return err },
	)
	return issue, repo, err
}

// permission asks what the sender of the event may do in the repository.
func (t thread) permission(ctx context.Context) (port.Permission, error) {
	permission, err := t.github.Permission(ctx, t.ev.Repo, t.ev.Sender.Login)
	if errors.Is(err, port.ErrNotFound) {
		return port.PermissionNone, nil
	}
	if err != nil {
		return "", fmt.Errorf("asking for the permission of %s: %w", t.ev.Sender.Login, err)
	}
	return permission, nil
}

// stateNow returns why nothing may be committed any more, though all was in order when the run started, and the default
// branch, whose tip GitHub tells with the state of a pull request.
func (t thread) stateNow(ctx context.Context, head record.Target) (now sentence.ThreadState, main defaultBranch,
	err error) {
	var state, ofPull sentence.ThreadState
	var tip string
	err = port.Together(ctx,
		func() (err error) { state, main, err = t.ownState(ctx, head); return err },
		func() error {
			if t.ev.Thread.Pull || head.Pull == 0 {
				return nil
			}
			pull, err := t.github.PullState(ctx, t.ev.Repo, head.Pull)
			if err != nil {
				return fmt.Errorf("reading pull request %d again: %w", head.Pull, err)
			}
			if tip = pull.Default; stateOf(pull) != (sentence.ThreadState{}) {
				ofPull = sentence.IssuePullOver
			}
			return nil
		},
	)
	main.tip = cmp.Or(main.tip, tip)
	return cmp.Or(ofPull, state), main, err
}

// ownState is stateNow for the thread of the event alone.
func (t thread) ownState(ctx context.Context, head record.Target) (now sentence.ThreadState, main defaultBranch,
	err error) {
	state, main, err := t.state(ctx)
	if errors.Is(err, port.ErrNotFound) {
		return sentence.ThreadDeleted, main, nil
	}
	if err != nil {
		return sentence.ThreadState{}, main, fmt.Errorf("reading #%d again: %w", t.ev.Thread.Number, err)
	}
	if state == sentence.PullClosed && !t.branchExists(ctx, head) { // GitHub closes a pull request whose branch is deleted
		return sentence.BranchDeleted, main, nil
	}
	return state, main, nil
}

// branchExists reports whether the branch is there, or it is unknown.
func (t thread) branchExists(ctx context.Context, head record.Target) bool {
	_, ok, err := branches{t.repos, t.ev.Repo}.tip(ctx, head)
	return ok || err != nil && !errors.Is(err, port.ErrNotFound)
}

// errNoThread is the error for a thread that is nowhere the app can reach, so that nothing can be said.
var errNoThread = errors.New("the issue or pull request is gone")

// whyGone returns the error for a run that missed something, err, before it changed anything: why nothing was done if
// the issue was transferred meanwhile, errNoThread if it was deleted, else err.
func (t thread) whyGone(ctx context.Context, err error) error {
	if t.ev.Thread.Pull {
		return err
	}
	if t.deleted(ctx) {
		return errNoThread
	}
	if issue, repo, failed := t.issue(ctx); failed == nil && wasTransferred(issue, repo) {
		return sentence.IssueMoved(issue.Repo).Refusal()
	}
	return err
}

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

// untick removes the ticks of an event of the thread that had no result, in the preview as it is now. It does nothing
// for an event of another kind.
func (t thread) untick(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Ticked {
		return nil
	}
	now, err := t.github.Comment(ctx, t.ev.Repo, ev.Thread.Number, ev.Comment)
	if body := markdown.Untick(now.Body, markdown.NewTicks(ev.Before, ev.Comment.Body)); err == nil && body != now.Body {
		err = t.github.Edit(ctx, t.ev.Repo, ev.Thread.Number, ev.Comment, body)
	}
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return fmt.Errorf("taking ticks back: %w", err)
	}
	return nil
}
