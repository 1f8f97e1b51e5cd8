package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// committer commits changes to the branch of a target.
type committer struct {
	github port.GitHub
	// again asks whether the command may still be carried out, moveOf who moved a branch.
	again  func(ctx context.Context, head record.Target) (verdict, error)
	moveOf func(ctx context.Context, t record.Target, from, to string) (move, error)
	// answer is the text of the review with suggestions if that is the answer of the run; else empty.
	answer   string
	files    *workspace
	verifier verifier
	ev       port.Event
	policy   policy.Policy
	journal  *record.Journal
	messages messages
	progress *progress
	log      *slog.Logger
	token    port.TokenKind // what the bot has to commit
}

// moved returns the target at the present tip of its branch, or, as a clause, why nothing is to be committed there any
// more.
func (c committer) moved(ctx context.Context, head record.Target) (next record.Target, why string, err error) {
	c.log.InfoContext(ctx, "branch moved, applying again", "branch", head.Branch)
	next = onOwnBranch(head) // of a new branch, somebody made it
	tip, ok, err := c.files.branches().tip(ctx, next)
	switch {
	case err != nil:
		return record.Target{}, "", fmt.Errorf("asking for the tip of %s: %w", head.Branch, err)
	case !ok:
		return record.Target{}, sentence.DeletedMeanwhile, nil
	case tip == head.SHA && !head.New: // what refused the commit sees another tip than git
		return record.Target{}, "", lagging("committing to %s, which points to %s: %w", head.Branch, tip, port.ErrMoved)
	}
	by, err := c.moveOf(ctx, next, head.SHA, tip)
	if why = by.stops; by.stranger != "" {
		why = sentence.MovedByStranger(by.from, by.to, by.stranger)
	}
	next.SHA = tip
	return next, why, err
}

// madeBefore returns the commit of the last application, if there is one.
func (c committer) madeBefore(ctx context.Context, head record.Target, ch change) (record.Committed, bool, error) {
	if len(c.journal.Record().Applications) == 0 {
		return record.Committed{}, false, nil
	}
	last := c.journal.Record().LastApplication()
	sha, ok, err := c.findCommit(ctx, head, last.Base)
	if err != nil {
		return record.Committed{}, false, fmt.Errorf("looking for the commit of run %s: %w", c.messages.run, err)
	}
	if !ok {
		return record.Committed{}, false, nil
	}
	return record.Committed{Application: last, SHA: sha, Subject: subjectOf(ch.message(last))}, true, nil
}

// findCommit looks for the run's own commit, which is not there while the branch is still at base. It looks behind the
// tip of the branch as git has it: GitHub's list of the commits of a branch lags. That of a fork is asked for here,
// where GitHub keeps the commits of its pull request too.
func (c committer) findCommit(ctx context.Context, head record.Target, base string) (sha string, ok bool, err error) {
	tip, ok, err := c.files.branches().tip(ctx, onOwnBranch(head))
	if !ok || err != nil || tip == base {
		return "", false, err
	}
	sha, ok, err = c.github.FindCommit(ctx, c.ev.Repo, tip, c.messages.trailer())
	if errors.Is(err, port.ErrNotFound) {
		return "", false, lagging("%w", err)
	}
	return sha, ok, err
}

// stage makes a change on the commit of a target.
func (c committer) stage(ctx context.Context, head record.Target, ch change) (repo.Checkout, engine.Outcome, error) {
	checkout, err := c.files.at(ctx, head)
	if err != nil {
		return nil, engine.Outcome{}, err
	}
	c.progress.update(func(now *shownStatus) { now.Stage = report.StageApplying })
	outcome, err := ch.stage(ctx, checkout, c.policy)
	return checkout, outcome, err
}

// push makes a commit of what was staged and moves the branch to it: by the API, which signs it, or by git, as the
// settings want it; to a fork by git. port.ErrMoved if the branch is no longer at the target's commit, and then nothing
// has happened.
func (c committer) push(ctx context.Context, t record.Target, n newCommit) (sha string, err error) {
	if t.Fork != nil || c.policy.Push || !c.github.Has(port.FeatureVerifiedCommits) {
		req := c.messages.request(t, n.message)
		if n.merged != nil {
			req.Merge, req.Common = n.merged.SHA(), n.common.SHA()
		}
		made, err := n.checkout.Commit(ctx, req)
		return made.SHA, wrapPush(t, err)
	}
	up, err := n.upload()
	if err != nil {
		return "", fmt.Errorf("listing what was staged for %s: %w", t.Branch, err)
	}
	up.Branch, up.New, up.Message = t.Branch, t.New, n.message
	if sha, err = c.github.Upload(ctx, c.ev.Repo, up); err == nil {
		n.checkout.Committed(up.Changes)
	}
	return sha, wrapPush(t, err)
}

func wrapPush(t record.Target, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("committing to %s: %w", t.Branch, err)
}

// refused returns why GitHub did not take a commit, as a clause; empty if that is not what err is about. kind is what
// the bot has to commit.
func refused(t record.Target, kind port.TokenKind, err error) string {
	var rejected *port.RejectedError
	switch {
	case errors.Is(err, repo.ErrTooMuchHistory):
		return sentence.ForkTooFarBehind
	case errors.As(err, &rejected) && t.Fork != nil:
		return sentence.ForkRefusedPush(saidOf(err))
	case errors.As(err, &rejected):
		return sentence.BranchRefused
	case errors.Is(err, port.ErrDenied) && t.Fork != nil:
		return sentence.ForkDenied(kind)
	case errors.Is(err, port.ErrDenied):
		return sentence.MayNotWrite(kind, err)
	case errors.Is(err, port.ErrNotFound) && t.Fork != nil:
		return sentence.ForkDeleted
	case permanent(err) && !errors.Is(err, port.ErrNotFound):
		return sentence.CommitRefused
	}
	return ""
}

// isAboutWorkflows reports whether GitHub refused a push because it has files of workflows, which apps may not write.
func isAboutWorkflows(err error) bool {
	var rejected *port.RejectedError
	return errors.As(err, &rejected) && strings.Contains(rejected.Text, "without `workflows` permission")
}
