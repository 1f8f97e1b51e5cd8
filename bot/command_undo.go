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

// runUndo takes back what an earlier run committed, by a commit on today's tip.
func runUndo(ctx context.Context, s *session) error {
	t, err := record.Do(ctx, s.Journal, "open", func() (record.Target, error) { return s.open(ctx) })
	if err != nil {
		return err
	}
	d, err := record.Do(ctx, s.Journal, "undo", func() (record.Commit, error) { return s.findCommitToUndo(ctx, t) })
	if err != nil {
		return err
	}
	return s.commitWithoutModel(ctx, t, s.undoing(t, d), func(r report.Summary) (title, body string) { return report.UndoWords(s.Run.ID, d, r) })
}

// toUndo is the commit that the command means.
func (s *session) findCommitToUndo(ctx context.Context, t record.Target) (record.Commit, error) {
	all, err := s.history().Commits(ctx, t)
	if err != nil {
		return record.Commit{}, err
	}
	d, ok := all.Newest(func(record.Commit) bool { return false })
	if s.inv.Run != "" {
		if d, err = s.named(ctx, s.inv.Run, t); err != nil {
			return record.Commit{}, err
		}
	} else if !ok {
		return record.Commit{}, &port.UserError{Text: "tenon has committed nothing here, so there is nothing to undo."}
	}
	if by := all.Undoer(d.Run); by != "" {
		return record.Commit{}, &port.UserError{Text: s.undoneAlready(all, d, by)}
	}
	return d, nil
}

func (s *session) undoneAlready(all history.Commits, d record.Commit, by string) string {
	text := fmt.Sprintf("The commit %s of run `%s` is undone already, by run `%s`. `/tenon undo %s` brings it back.", report.CommitLink(s.repoURL(), d.SHA), d.Run, by, by)
	if before, ok := all.Newest(func(o record.Commit) bool { return all.Undoer(o.Run) != "" }); ok && s.inv.Run == "" {
		text += fmt.Sprintf(" The newest that is not undone is %s: `/tenon undo %s`.", report.CommitLink(s.repoURL(), before.SHA), before.Run)
	}
	return text
}

// undoing takes a commit back.
func (s *session) undoing(t record.Target, d record.Commit) work {
	return work{
		stage: func(ctx context.Context, tip repo.Checkout) (engine.Outcome, error) {
			before, after, err := s.around(ctx, t, d)
			if err != nil {
				return engine.Outcome{}, err
			}
			r := edit.Revert{Before: before, After: after, Tip: tip, Protected: s.policy.Protects}
			out, err := r.Stage(ctx, d.Changed)
			secret.RedactResults(out.Results)
			return out, err
		},
		message: func(a record.Application) string {
			subject := "revert: " + d.Subject
			if d.Subject == "" {
				subject = fmt.Sprintf("revert: the commit of run %s", d.Run)
			}
			done := fmt.Sprintf("Takes back %s of run %s, in %d of %d files.", d.SHA, d.Run, record.Count(a.Results).Applied, len(a.Results))
			return s.messageOf(markdown.Clip(subject, maxSubject), done, "Tenon-Undo: "+d.Run)
		},
	}
}

// around opens the commit and the one before it.
func (s *session) around(ctx context.Context, t record.Target, d record.Commit) (before, after repo.Checkout, err error) {
	err = together(
		func() (err error) {
			before, err = s.Repos.Open(ctx, s.ev.Repo, t.Ref(), d.Base, d.Changed...)
			return err
		},
		func() (err error) {
			after, err = s.Repos.Open(ctx, s.ev.Repo, t.Ref(), d.SHA, d.Changed...)
			return err
		},
	)
	if errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrMoved) {
		err = &port.UserError{Text: fmt.Sprintf("The commit `%.7s` of run `%s` is not in the repository any more, so there is nothing to undo.", d.SHA, d.Run)}
	}
	return before, after, err
}
