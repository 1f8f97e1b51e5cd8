package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// runRetry asks again for the edits of an earlier run that were not made. Where that run never got an answer of the model, its
// command is given again.
func runRetry(ctx context.Context, s *session) error {
	r, err := record.Do(ctx, s.Journal, "retry", func() (record.Retry, error) { return s.findRetry(ctx) })
	if err != nil {
		return err
	}
	run, err := s.recall(ctx, r)
	if err != nil {
		return err
	}
	if r.Whole {
		if err := s.permits(s.inv.Command); err != nil {
			return err
		}
		return handler(s.inv.Command)(ctx, s)
	}
	lost, err := history.EditsOf(run)
	if err != nil {
		return err
	}
	what := s.task()
	what.retry, what.files = lost.Prompt(), lost.Files()
	if what.text == "" {
		what.text = "Make the edits that were not made."
	}
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	return s.deliver(ctx, j)
}

// toRetry finds the newest run with edits that were not made, and that nobody has tried again since; or the newest of all,
// where it never got an answer.
func (s *session) findRetry(ctx context.Context) (record.Retry, error) {
	t, err := s.open(ctx)
	if err != nil {
		return record.Retry{}, err
	}
	past, err := s.history().Past(ctx, t)
	if err != nil {
		return record.Retry{}, err
	}
	var done []string // runs that were tried again, or had nothing left
	for _, p := range past {
		r, lost, err := s.retrying(p)
		switch {
		case err != nil:
			return record.Retry{}, err
		case r.Run == "" || slices.Contains(done, p.ID) || s.inv.Run != "" && s.inv.Run != p.ID:
		case len(lost.Failed) > 0, r.Whole && len(done) == 0:
			return r, nil
		case lost.Hopeless:
			return record.Retry{}, &port.UserError{Text: fmt.Sprintf("What failed in run `%s` would fail again, whatever the model says: its answer tells why. Nothing was asked.", p.ID)}
		}
		if tried := record.Has(p.Run, record.ApplyStep(0)); tried {
			before, _, err := record.Get[record.Retry](record.JournalOf(p.Run), "retry")
			if err != nil {
				return record.Retry{}, err
			}
			done = append(done, p.ID, before.Run)
		}
	}
	if s.inv.Run != "" {
		return record.Retry{}, &port.UserError{Text: fmt.Sprintf("Nothing of run `%s` is left to be tried again.", s.inv.Run)}
	}
	return record.Retry{}, &port.UserError{Text: "Nothing failed here, or all of it was tried again since, so the model was not asked. `/tenon fix <what>` asks for something new."}
}

// retrying reads what could be tried again of a run; nothing where it is not for the model to mend.
func (s *session) retrying(p port.PastRun) (record.Retry, history.Edits, error) {
	inv, ok := s.asked(p.Event)
	j := record.JournalOf(p.Run)
	before, again, err := record.Get[record.Retry](j, "retry")
	if !ok || err != nil {
		return record.Retry{}, history.Edits{}, err
	}
	of, _, err := record.Get[record.Choice](j, "choice")
	if err != nil {
		return record.Retry{}, history.Edits{}, err
	}
	r := record.Retry{Run: p.ID, First: cmp.Or(before.First, of.Run, p.ID), Whole: record.Has(p.Run, "context") && !record.Has(p.Run, "ask.1")}
	switch inv.Command.Verb {
	case "fix", "address", "apply", "retry":
		e, err := history.EditsOf(p.Run)
		if again && r.Whole { // what it tried again is still to be
			return record.Retry{}, history.Edits{}, err
		}
		return r, e, err
	}
	if !r.Whole {
		return record.Retry{}, history.Edits{}, nil
	}
	return r, history.Edits{}, nil
}

// recall takes over what the first command said: its text, its place on the diff, and those of its options that were not given
// anew. It returns the run whose edits were not made.
func (s *session) recall(ctx context.Context, r record.Retry) (port.Run, error) {
	run, _, err := s.Queue.FindRun(ctx, r.Run)
	if err == nil && r.First != "" {
		var first port.Event
		if _, first, err = s.Queue.FindRun(ctx, r.First); err == nil {
			s.takeOver(first, r.Whole)
		}
	}
	if errors.Is(err, port.ErrNotFound) {
		err = &port.UserError{Text: "The record of that run is not there any more, so nothing was asked. Give the command again."}
	}
	return run, err
}

func (s *session) takeOver(first port.Event, whole bool) {
	inv, ok := s.asked(first)
	if !ok {
		return
	}
	s.inv.Options = inv.Options.Over(s.inv.Options)
	if inv.Command.Takes == command.SomeText || inv.Command.Verb == "address" {
		s.inv.Text = inv.Text
	}
	if whole {
		s.inv.Command = inv.Command
	}
	s.first = &first.Comment
}
