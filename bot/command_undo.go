package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// runUndo reverts what an earlier run committed, by a commit on the present tip.
func runUndo(ctx context.Context, r *run) error {
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	c, err := record.Do(ctx, r.journal, record.UndoFound,
		func(ctx context.Context) (record.Commit, error) { return commitToUndo(ctx, r, t) })
	if err != nil {
		return err
	}
	return deliverWithoutModel(ctx, r, t, reverting(r, t, c), func(s report.Summary) report.Summary {
		return report.OfUndo(c, s)
	})
}

// commitToUndo finds the commit that the command means.
func commitToUndo(ctx context.Context, r *run, t record.Target) (record.Commit, error) {
	all, err := r.history().Commits(ctx, t)
	if err != nil {
		return record.Commit{}, err
	}
	var c record.Commit
	if r.inv.Run != "" {
		c, err = commitOf(ctx, r, r.inv.Run, t)
	} else {
		c, err = newestCommit(all)
	}
	if err != nil {
		return record.Commit{}, err
	}
	if by := all.Undoer(c.Run); by != "" {
		return record.Commit{}, undoneAlready(r, all, c, by)
	}
	return c, nil
}

func newestCommit(all history.Commits) (record.Commit, error) {
	c, ok := all.Newest(func(record.Commit) bool { return false })
	switch {
	case !ok:
		return record.Commit{}, sentence.NothingToUndo()
	case c.SHA == "":
		return record.Commit{}, sentence.NewestUnreadable(c.Run)
	}
	return c, nil
}

// commitOf returns the commit of a named run.
func commitOf(ctx context.Context, r *run, id string, t record.Target) (record.Commit, error) {
	c, ok, err := r.history().CommitOf(ctx, id, t)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return record.Commit{}, sentence.NoRun(id)
	case err != nil:
		return record.Commit{}, err
	case !ok:
		return record.Commit{}, sentence.RunCommittedNothing(id)
	case c.Branch != t.Branch:
		return record.Commit{}, sentence.OtherBranch(id, c.Branch, report.CommitLink(r.repoURL(), c.SHA))
	}
	return c, nil
}

func undoneAlready(r *run, all history.Commits, c record.Commit, by string) *port.UserError {
	var next, link string
	unfit := func(o record.Commit) bool { return o.SHA == "" || all.Undoer(o.Run) != "" }
	if before, ok := all.Newest(unfit); ok && r.inv.Run == "" {
		next, link = before.Run, report.CommitLink(r.repoURL(), before.SHA)
	}
	return sentence.UndoneAlready(report.CommitLink(r.repoURL(), c.SHA), c.Run, by, link, next)
}

// reverting is the change that takes a commit back.
func reverting(r *run, t record.Target, c record.Commit) change {
	return change{
		stage: func(ctx context.Context, tip repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			before, after, err := openAround(ctx, r, t, c)
			if err != nil {
				return engine.Outcome{}, err
			}
			revert := edit.Revert{Before: before, After: after, Tip: tip, Protected: p.WhyProtected}
			out, err := revert.Stage(ctx, c.Changed)
			quotesOfRevert(r, revert, out.Results).Results(out.Results)
			return out, err
		},
		message: func(a record.Application) string {
			done := fmt.Sprintf("Reverts %s of run %s, in %s.", c.SHA, c.Run, applied(a.Results, "file"))
			return r.messages().of(message.RevertOf(c.Subject, c.Run), "", done, "Tenon-Undo: "+c.Run)
		},
	}
}

// openAround opens a commit and its parent.
func openAround(ctx context.Context, r *run, t record.Target, c record.Commit) (before, after repo.Checkout,
	err error) {
	err = together(ctx,
		func() (err error) {
			before, err = r.files.branches().open(ctx, t, c.Base, c.Changed...)
			return err
		},
		func() (err error) {
			after, err = r.files.branches().open(ctx, t, c.SHA, c.Changed...)
			return err
		},
	)
	if isGone(err) {
		err = sentence.CommitGone(c.SHA, c.Run)
	}
	return before, after, err
}
