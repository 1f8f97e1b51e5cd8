package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// runUndo takes back what an earlier run committed, by a commit on the present tip.
func runUndo(ctx context.Context, r *run) error {
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	c, err := record.Do(ctx, r.journal, record.UndoFound, func() (record.Commit, error) { return commitToUndo(ctx, r, t) })
	if err != nil {
		return err
	}
	return deliverWithoutModel(ctx, r, t, reverting(r, t, c), func(s report.Summary) (title, body string) {
		return report.UndoBody(r.id(), c, s)
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
		return record.Commit{}, &port.UserError{Text: undoneAlready(r, all, c, by)}
	}
	return c, nil
}

func newestCommit(all history.Commits) (record.Commit, error) {
	c, ok := all.Newest(func(record.Commit) bool { return false })
	switch {
	case !ok:
		return record.Commit{}, &port.UserError{Text: "tenon has committed nothing here, so there is nothing to undo."}
	case c.SHA == "":
		return record.Commit{}, &port.UserError{Text: fmt.Sprintf("The record of run `%s`, which is newer than the "+
			"commits that can be undone, cannot be read by this version of tenon. Name the run to undo: "+
			"`/tenon undo <run>`.", c.Run)}
	}
	return c, nil
}

// commitOf returns the commit of a named run.
func commitOf(ctx context.Context, r *run, id string, t record.Target) (record.Commit, error) {
	c, ok, err := r.history().CommitOf(ctx, id, t)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return record.Commit{},
			&port.UserError{Text: fmt.Sprintf("There is no run `%s` on this thread. A run's id is at the end of its answer; "+
				"give the command where that answer stands.", id)}
	case err != nil:
		return record.Commit{}, err
	case !ok:
		return record.Commit{}, &port.UserError{Text: fmt.Sprintf("Run `%s` committed nothing, so there is nothing to undo.",
			id)}
	case c.Branch != t.Branch:
		return record.Commit{},
			&port.UserError{Text: fmt.Sprintf("The commit of run `%s` is on the branch %s, which is not the one that is "+
				"worked on here now. Nothing was done; revert %s by git.", id, markdown.Code(c.Branch),
				report.CommitLink(r.repoURL(), c.SHA))}
	}
	return c, nil
}

func undoneAlready(r *run, all history.Commits, c record.Commit, by string) string {
	text := fmt.Sprintf("The commit %s of run `%s` is undone already, by run `%s`. `/tenon undo %s` brings it back.",
		report.CommitLink(r.repoURL(), c.SHA), c.Run, by, by)
	unfit := func(o record.Commit) bool { return o.SHA == "" || all.Undoer(o.Run) != "" }
	if before, ok := all.Newest(unfit); ok && r.inv.Run == "" {
		text += fmt.Sprintf(" The newest that is not undone is %s: `/tenon undo %s`.",
			report.CommitLink(r.repoURL(), before.SHA), before.Run)
	}
	return text
}

// reverting is the change that takes a commit back.
func reverting(r *run, t record.Target, c record.Commit) change {
	return change{
		stage: func(ctx context.Context, tip repo.Checkout) (engine.Outcome, error) {
			before, after, err := openAround(ctx, r, t, c)
			if err != nil {
				return engine.Outcome{}, err
			}
			revert := edit.Revert{Before: before, After: after, Tip: tip, Protected: r.policy.Protects}
			out, err := revert.Stage(ctx, c.Changed)
			secret.RedactResults(out.Results)
			return out, err
		},
		message: func(a record.Application) string {
			subject := "revert: " + c.Subject
			if c.Subject == "" {
				subject = fmt.Sprintf("revert: the commit of run %s", c.Run)
			}
			done := fmt.Sprintf("Takes back %s of run %s, in %d of %d files.", c.SHA, c.Run, record.Count(a.Results).Applied,
				len(a.Results))
			return r.messages().of(markdown.Clip(subject, maxSubject), done, "Tenon-Undo: "+c.Run)
		},
	}
}

// openAround opens a commit and its parent.
func openAround(ctx context.Context, r *run, t record.Target, c record.Commit) (before, after repo.Checkout,
	err error) {
	err = together(
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
		err = &port.UserError{Text: fmt.Sprintf(
			"The commit `%.7s` of run `%s` is not in the repository any more, so there is nothing to undo.",
			c.SHA, c.Run)}
	}
	return before, after, err
}
