package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// targetFinder finds the branch to work on.
type targetFinder struct {
	github port.GitHub
	thread thread
	files  *workspace
	ev     port.Event
	// reads reports whether the command changes nothing, so that it works on closed threads too.
	reads bool
	// namedBase is the base branch that the command names, policyBase that of the settings.
	namedBase, policyBase string
	log                   *slog.Logger
}

func (f targetFinder) pull(ctx context.Context) (record.Target, error) {
	number := f.ev.Thread.Number
	pull, err := f.github.PullRequest(ctx, f.ev.Repo, number)
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{},
			&port.UserError{Text: fmt.Sprintf("Pull request %d is not there any more, so nothing was done.", number)}
	}
	if err != nil {
		return record.Target{}, fmt.Errorf("reading pull request %d: %w", number, err)
	}
	over := pull.State != "open"
	if f.reads {
		pull.State, pull.Merged = "open", false // what is closed can be read
	}
	if state := pullState(pull); state != (threadState{}) {
		return record.Target{}, state.userError()
	}
	t := record.Target{
		Branch: pull.Head.Branch, Title: pull.Title, Base: pull.Base, Pull: pull.Number,
		PullURL: pull.URL,
	}
	if pull.Head.Repo.ID != f.ev.Repo.ID {
		t.From, t.Fork, t.ReadOnly = pullRef(pull.Number), &pull.Head.Repo, readOnlyReason(pull)
	}
	if over { // its branch may be gone, or have gone on
		t.From, t.SHA = pullRef(pull.Number), pull.Head.SHA
		return t, nil
	}
	return f.atTip(ctx, t, pull)
}

// atTip pins a target to the tip of the branch of its open pull request. What the pull request says of its head is a
// copy that lags behind a push.
func (f targetFinder) atTip(ctx context.Context, t record.Target, pull port.PullRequest) (record.Target, error) {
	tips, err := f.files.readTips(ctx, t)
	if err != nil {
		return record.Target{}, err
	}
	sha, ok := tips[t.Ref()]
	switch {
	case ok && sha != pull.Head.SHA:
		f.log.InfoContext(ctx, "pull request lags behind its branch", "pull", pull.Number, "head", pull.Head.SHA, "tip", sha)
	case !ok && f.reads: // GitHub is about to close it
		t.From, sha = pullRef(pull.Number), pull.Head.SHA
	case !ok:
		return record.Target{}, branchDeleted.userError()
	}
	t.SHA = sha
	return t, nil
}

// readOnlyReason returns why tenon cannot write to the fork of a pull request, empty if it can.
func readOnlyReason(p port.PullRequest) string {
	switch {
	case p.Head.Repo.ID == 0:
		return "the fork that this pull request comes from was deleted"
	case !p.Head.User:
		return "the fork belongs to an organisation, and GitHub lets nobody else write to such forks"
	case !p.Maintainable:
		return "the author has not allowed edits by maintainers (a box at the side of the pull request)"
	}
	return ""
}

// maxBranches is how many branches one issue can have: a new one is made when the pull request of the last one is
// closed.
const maxBranches = 20

// issue finds the issue's branch: that of its open pull request, else a new one. It also returns the repository under
// its present name.
func (f targetFinder) issue(ctx context.Context) (record.Target, port.RepoRef, error) {
	number := f.ev.Thread.Number
	issue, repo, err := f.thread.issue(ctx)
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, repo,
			&port.UserError{Text: fmt.Sprintf("Issue %d is not there any more, so nothing was done.", number)}
	}
	if err != nil {
		return record.Target{}, repo, fmt.Errorf("reading issue %d: %w", number, err)
	}
	if f.reads {
		issue.State = "open" // what is closed can be read
	}
	if state := issueState(issue, repo); state != (threadState{}) {
		return record.Target{}, repo, state.userError()
	}
	if text := f.ev.Thread.Text; text != nil {
		// What whoever gave the command could read: the author may have changed it since.
		issue.Title, issue.Body = f.ev.Thread.Title, *text
	}
	f.ev.Repo, f.files.repo = repo, repo
	t := record.Target{
		Title: issue.Title, About: issue.Body, Author: issue.Author,
		Base: cmp.Or(f.namedBase, f.policyBase, repo.DefaultBranch),
	}
	t, err = f.issueBranch(ctx, t)
	return t, repo, err
}

func (f targetFinder) issueBranch(ctx context.Context, t record.Target) (record.Target, error) {
	number := f.ev.Thread.Number
	for i := range maxBranches {
		t.Branch = fmt.Sprintf("tenon/issue-%d", number)
		if i > 0 {
			t.Branch += fmt.Sprintf("-%d", i+1)
		}
		pull, ok, err := f.github.FindPull(ctx, f.ev.Repo, t.Branch)
		if err != nil {
			return record.Target{}, fmt.Errorf("looking for the pull request of %s: %w", t.Branch, err)
		}
		if ok && pullState(pull) == (threadState{}) {
			return f.ofPull(ctx, t, pull)
		}
		if !ok {
			return f.withoutPull(ctx, t)
		}
	}
	return record.Target{},
		&port.UserError{Text: fmt.Sprintf("This issue has had %d pull requests by tenon, all closed. Delete some of the "+
			"branches `tenon/issue-%d-…`, and give the command again.", maxBranches, number)}
}

// ofPull completes the target with the issue's open pull request.
func (f targetFinder) ofPull(ctx context.Context, t record.Target, pull port.PullRequest) (record.Target, error) {
	if f.namedBase != "" && f.namedBase != pull.Base {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("The pull request of this issue, #%d, goes to %s. Close "+
			"it to start again from %s.",
			pull.Number, markdown.Code(pull.Base), markdown.Code(f.namedBase))}
	}
	t.Base, t.Pull, t.PullURL = pull.Base, pull.Number, pull.URL
	return f.atTip(ctx, t, pull)
}

// withoutPull completes the target with a branch that has no pull request: left by a run that died, or new.
func (f targetFinder) withoutPull(ctx context.Context, t record.Target) (record.Target, error) {
	tips, err := f.files.readTips(ctx, t)
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return record.Target{}, err
	}
	if sha, ok := tips[t.Ref()]; ok {
		t.SHA = sha
		return t, nil
	}
	t.New, t.From = true, branchRef(t.Base)
	if f.reads { // no branch will be made
		t.New, t.Branch = false, t.Base
	}
	if sha, ok := tips[t.From]; ok {
		t.SHA = sha
		return t, nil
	}
	c, err := f.files.open(ctx, t.From, "") // the error says why there is no commit
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("There is no branch %s to start from. Name another by "+
			"`--base`.", markdown.Code(t.Base))}
	}
	if err != nil {
		return record.Target{}, err
	}
	t.SHA = c.SHA()
	return t, nil
}
