package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/engine"
)

// runUndo takes back what an earlier run committed, by a commit on today's tip.
func runUndo(ctx context.Context, s *session) error {
	t, err := step(ctx, s.journal, "open", func() (target, error) { return s.open(ctx) })
	if err != nil {
		return err
	}
	d, err := step(ctx, s.journal, "undo", func() (deed, error) { return s.toUndo(ctx, t) })
	if err != nil {
		return err
	}
	return s.carryOut(ctx, t, s.undoing(t, d), func(r summary) (title, body string) { return undoWords(s.run.ID, d, r) })
}

// toUndo is the commit that the command means.
func (s *session) toUndo(ctx context.Context, t target) (deed, error) {
	all, err := s.history().deeds(ctx, t)
	if err != nil {
		return deed{}, err
	}
	d, ok := all.newest(func(deed) bool { return false })
	if s.inv.run != "" {
		if d, err = s.named(ctx, s.inv.run, t); err != nil {
			return deed{}, err
		}
	} else if !ok {
		return deed{}, &UserError{"tenon has committed nothing here, so there is nothing to undo."}
	}
	if by := all.undoer(d.Run); by != "" {
		return deed{}, &UserError{s.undoneAlready(all, d, by)}
	}
	return d, nil
}

func (s *session) undoneAlready(all deeds, d deed, by string) string {
	text := fmt.Sprintf("The commit %s of run `%s` is undone already, by run `%s`. `/tenon undo %s` brings it back.", CommitLink(s.repoURL(), d.SHA), d.Run, by, by)
	if before, ok := all.newest(func(o deed) bool { return all.undoer(o.Run) != "" }); ok && s.inv.run == "" {
		text += fmt.Sprintf(" The newest that is not undone is %s: `/tenon undo %s`.", CommitLink(s.repoURL(), before.SHA), before.Run)
	}
	return text
}

// undoing takes a commit back.
func (s *session) undoing(t target, d deed) work {
	return work{
		stage: func(ctx context.Context, tip Checkout) (engine.Outcome, error) {
			before, after, err := s.around(ctx, t, d)
			if err != nil {
				return engine.Outcome{}, err
			}
			r := revert{before: before, after: after, tip: tip, protected: s.policy.protects}
			out, err := r.stage(ctx, d.Changed)
			redactResults(out.Results)
			return out, err
		},
		message: func(a applied) string {
			subject := "revert: " + d.Subject
			if d.Subject == "" {
				subject = fmt.Sprintf("revert: the commit of run %s", d.Run)
			}
			done := fmt.Sprintf("Takes back %s of run %s, in %d of %d files.", d.SHA, d.Run, count(a.Results).applied, len(a.Results))
			return s.messageOf(clip(subject, maxSubject), done, "Tenon-Undo: "+d.Run)
		},
	}
}

// around opens the commit and the one before it.
func (s *session) around(ctx context.Context, t target, d deed) (before, after Checkout, err error) {
	err = together(
		func() (err error) {
			before, err = s.Repos.Open(ctx, s.ev.Repo, t.ref(), d.Base, d.Changed...)
			return err
		},
		func() (err error) {
			after, err = s.Repos.Open(ctx, s.ev.Repo, t.ref(), d.SHA, d.Changed...)
			return err
		},
	)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrMoved) {
		err = &UserError{fmt.Sprintf("The commit `%.7s` of run `%s` is not in the repository any more, so there is nothing to undo.", d.SHA, d.Run)}
	}
	return before, after, err
}
