package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"

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
	f := undoFinder{history: r.history(), run: r.inv.Run, links: r.links()}
	c, err := record.Do(ctx, r.journal, record.UndoFound,
		func(ctx context.Context) (record.Commit, error) { return f.find(ctx, t) })
	if err != nil {
		return err
	}
	merged := ""
	if c.Merges {
		all, err := r.history().Commits(ctx, t)
		if err != nil {
			return err
		}
		if all.HasMerge(c) {
			merged = t.Base
		}
	}
	return deliverWithoutModel(ctx, r, t, r.changer().reverting(t, c), func(s report.Summary) report.Summary {
		return report.OfUndo(c, merged, s)
	})
}

// undoFinder finds the commit that an undo means: that of a run, if the command names one.
type undoFinder struct {
	history history.Thread
	run     string
	links   port.Links
}

func (f undoFinder) find(ctx context.Context, t record.Target) (record.Commit, error) {
	all, err := f.history.Commits(ctx, t)
	if err != nil {
		return record.Commit{}, err
	}
	var c record.Commit
	if f.run != "" {
		c, err = f.commitOf(ctx, t)
	} else {
		c, err = newestCommit(all)
	}
	if err != nil {
		return record.Commit{}, err
	}
	if undoer := all.Undoer(c.Run); undoer != "" {
		return record.Commit{}, f.undoneAlready(all, c, undoer)
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

// commitOf returns the commit of the named run.
func (f undoFinder) commitOf(ctx context.Context, t record.Target) (record.Commit, error) {
	c, ok, err := f.history.CommitOf(ctx, f.run, t)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return record.Commit{}, sentence.NoRun(f.run)
	case err != nil:
		return record.Commit{}, err
	case !ok:
		return record.Commit{}, sentence.RunCommittedNothing(f.run)
	case c.Branch != t.Branch:
		return record.Commit{}, sentence.OtherBranch(f.run, c.Branch, report.CommitLink(f.links, c.SHA))
	}
	return c, nil
}

func (f undoFinder) undoneAlready(all history.Commits, c record.Commit, undoer string) *port.UserError {
	var next, link string
	unfit := func(o record.Commit) bool { return o.SHA == "" || all.Undoer(o.Run) != "" }
	if before, ok := all.Newest(unfit); ok && f.run == "" {
		next, link = before.Run, report.CommitLink(f.links, before.SHA)
	}
	return sentence.UndoneAlready(report.CommitLink(f.links, c.SHA), c.Run, undoer, link, next)
}

// reverting is the change that takes a commit back.
func (m changer) reverting(t record.Target, c record.Commit) change {
	return change{
		stage: func(ctx context.Context, tip repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			before, after, err := m.openAround(ctx, t, c)
			if err != nil {
				return engine.Outcome{}, err
			}
			if c.Whole() {
				return edit.Merge{
					Base: after, Theirs: before, Tip: tip, OursName: "a later commit", TheirsName: "the undo",
					Reason: edit.ReasonOverlap, Protected: p.WhyProtected,
				}.Stage(ctx)
			}
			revert := edit.Revert{Before: before, After: after, Tip: tip, Protected: p.WhyProtected}
			out, err := revert.Stage(ctx, c.Changed)
			quotesOfRevert(m.files.masked, m.policy, revert, out.Results).Results(out.Results)
			return out, err
		},
		message: func(a record.Application) string {
			files := applied(a.Results, "file")
			if len(a.Results) == 0 { // of a merge
				files = english.Plural(len(a.Changed), "file", "")
			}
			done := fmt.Sprintf("Reverts %s of run %s, in %s.", c.SHA, c.Run, files)
			return m.messages.of(message.RevertOf(c.Subject, c.Run), "", done, "Tenon-Undo: "+c.Run)
		},
	}
}

// openAround opens a commit and its parent.
func (m changer) openAround(ctx context.Context, t record.Target, c record.Commit) (before, after repo.Checkout,
	err error) {
	err = port.Together(ctx,
		func() (err error) {
			before, err = m.files.branches().open(ctx, t, c.Base, c.Changed...)
			return err
		},
		func() (err error) {
			after, err = m.files.branches().open(ctx, t, c.SHA, c.Changed...)
			return err
		},
	)
	if repo.IsGone(err) {
		err = sentence.CommitGone(c.SHA, c.Run)
	}
	return before, after, err
}
