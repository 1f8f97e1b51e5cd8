package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// targetFinder finds the branch to work on.
type targetFinder struct {
	github port.GitHub
	look   look
	files  *workspace
	ev     port.Event
	token  port.TokenKind // what the bot has to write
	// reads reports whether the command changes nothing, so that it works on closed threads too.
	reads bool
	// namedBase is the base branch that the command names, policyBase that of the settings.
	namedBase, policyBase string
	log                   *slog.Logger
}

func (f targetFinder) pull(ctx context.Context) (record.Target, error) {
	number := f.ev.Thread.Number
	pull, err := f.look.pull, f.look.err
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, sentence.NoPull(number)
	}
	if err != nil {
		return record.Target{}, fmt.Errorf("reading pull request %d: %w", number, err)
	}
	over := pull.State != "open"
	if f.reads {
		pull.State, pull.Merged = "open", false // what is closed can be read
	}
	if state := pullState(pull); state != (sentence.ThreadState{}) {
		return record.Target{}, state.Refusal()
	}
	t := pullTarget(f.ev, pull, f.token)
	if over { // its branch may be gone, or have gone on
		t.From, t.SHA = pullRef(pull.Number), pull.Head.SHA
		return t, nil
	}
	return f.atTip(ctx, t, pull)
}

// pullTarget returns the branch of a pull request, without a commit.
func pullTarget(ev port.Event, pull port.PullRequest, token port.TokenKind) record.Target {
	t := record.Target{
		Branch: pull.Head.Branch, Title: cmp.Or(ev.Thread.Title, pull.Title), Base: pull.Base, Pull: pull.Number,
		PullURL: pull.URL,
	}
	switch {
	case pull.Head.Repo.ID != ev.Repo.ID:
		t.From, t.Fork, t.ReadOnly = pullRef(pull.Number), &pull.Head.Repo, readOnlyReason(pull, token)
	case pull.Head.Branch == pull.DefaultBranch:
		t.ReadOnly = sentence.DefaultBranch
	}
	return t
}

// atTip pins a target to the tip of the branch of its open pull request. What the pull request says of its head is a
// copy that lags behind a push.
func (f targetFinder) atTip(ctx context.Context, t record.Target, pull port.PullRequest) (record.Target, error) {
	if f.files.tips, f.files.tipsAt = f.look.tips, f.look.at; f.files.tips == nil {
		if _, err := f.files.readTips(ctx, t); err != nil {
			return record.Target{}, err
		}
	}
	tips := f.files.tips
	sha, ok := tips[t.Ref()]
	switch {
	case ok && sha != pull.Head.SHA:
		f.log.InfoContext(ctx, "pull request lags behind its branch", "pull", pull.Number, "head", pull.Head.SHA, "tip", sha)
	case !ok && f.reads: // GitHub is about to close it
		t.From, sha = pullRef(pull.Number), pull.Head.SHA
	case !ok:
		return record.Target{}, sentence.BranchDeleted.Refusal()
	}
	t.SHA = sha
	return t, nil
}

// readOnlyReason returns why tenon cannot write to the fork of a pull request, empty if it can.
func readOnlyReason(p port.PullRequest, token port.TokenKind) string {
	switch {
	case p.Head.Repo.ID == 0:
		return sentence.ForkDeleted
	case !p.Head.User:
		return sentence.ForkOfOrganisation
	case token == port.JobToken:
		return sentence.ForkByJob
	case !p.Maintainable:
		return sentence.ForkNotMaintainable
	}
	return ""
}

// maxBranches is how many branches one issue can have: a new one is made when the pull request of the last one is
// closed.
const maxBranches = 20

// issue finds the issue's branch: that of its open pull request, else a new one.
func (f targetFinder) issue(ctx context.Context) (record.Target, error) {
	number := f.ev.Thread.Number
	issue, repo, err := f.look.issue, f.look.repo, f.look.err
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, sentence.NoIssue(number)
	}
	if err != nil {
		return record.Target{}, fmt.Errorf("reading issue %d: %w", number, err)
	}
	if f.reads {
		issue.State = "open" // what is closed can be read
	}
	if state := issueState(issue, repo); state != (sentence.ThreadState{}) {
		return record.Target{}, state.Refusal()
	}
	// What whoever gave the command could read: the author may have changed it since.
	if text := f.ev.Thread.Text; text != nil {
		issue.Body = *text
	}
	issue.Title = cmp.Or(f.ev.Thread.Title, issue.Title)
	t := record.Target{
		Title: issue.Title, About: issue.Body, Author: issue.Author,
		Base: cmp.Or(f.namedBase, f.policyBase, repo.DefaultBranch),
	}
	return f.issueBranch(ctx, t)
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
		if ok && pullState(pull) == (sentence.ThreadState{}) {
			return f.ofPull(ctx, t, pull)
		}
		if !ok {
			return f.withoutPull(ctx, t)
		}
	}
	return record.Target{}, sentence.TooManyBranches(number, maxBranches)
}

// ofPull completes the target with the issue's open pull request.
func (f targetFinder) ofPull(ctx context.Context, t record.Target, pull port.PullRequest) (record.Target, error) {
	if f.namedBase != "" && f.namedBase != pull.Base {
		return record.Target{}, sentence.OtherBase(pull.Number, pull.Base, f.namedBase)
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
		return record.Target{}, sentence.NoBase(t.Base)
	}
	if err != nil {
		return record.Target{}, err
	}
	t.SHA = c.SHA()
	return t, nil
}
