package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// runRetry asks again for the edits of an earlier run that were not made. Where that run never got an answer of the model, its
// command is given again.
func runRetry(ctx context.Context, s *session) error {
	r, err := step(ctx, s.journal, "retry", func() (retried, error) { return s.toRetry(ctx) })
	if err != nil {
		return err
	}
	run, err := s.recall(ctx, r)
	if err != nil {
		return err
	}
	if r.Whole {
		if err := s.permits(s.inv.command); err != nil {
			return err
		}
		return handler(s.inv.command)(ctx, s)
	}
	lost, err := editsOf(run)
	if err != nil {
		return err
	}
	what := s.task()
	what.retry, what.files = lost.asked(), lost.files()
	if what.text == "" {
		what.text = "Make the edits that were not made."
	}
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	return s.deliver(ctx, j)
}

// retried is what is tried again.
type retried struct {
	// Run is the one whose edits were not made, First the one whose command it all began with.
	Run   string `json:"run"`
	First string `json:"first"`
	// Whole says that the model never answered that run.
	Whole bool `json:"whole,omitempty"`
}

// toRetry finds the newest run with edits that were not made, and that nobody has tried again since; or the newest of all,
// where it never got an answer.
func (s *session) toRetry(ctx context.Context) (retried, error) {
	t, err := s.open(ctx)
	if err != nil {
		return retried{}, err
	}
	past, err := s.history().past(ctx, t)
	if err != nil {
		return retried{}, err
	}
	var done []string // runs that were tried again, or had nothing left
	for _, p := range past {
		r, lost, err := s.retrying(p)
		switch {
		case err != nil:
			return retried{}, err
		case r.Run == "" || slices.Contains(done, p.ID) || s.inv.run != "" && s.inv.run != p.ID:
		case len(lost.lost) > 0, r.Whole && len(done) == 0:
			return r, nil
		case lost.hopeless:
			return retried{}, &UserError{fmt.Sprintf("What failed in run `%s` would fail again, whatever the model says: its answer tells why. Nothing was asked.", p.ID)}
		}
		if tried := has(p.Run, applyStep(0)); tried {
			before, _, err := recorded[retried](journalOf(p.Run), "retry")
			if err != nil {
				return retried{}, err
			}
			done = append(done, p.ID, before.Run)
		}
	}
	if s.inv.run != "" {
		return retried{}, &UserError{fmt.Sprintf("Nothing of run `%s` is left to be tried again.", s.inv.run)}
	}
	return retried{}, &UserError{"Nothing failed here, or all of it was tried again since, so the model was not asked. `/tenon fix <what>` asks for something new."}
}

// retrying reads what could be tried again of a run; nothing where it is not for the model to mend.
func (s *session) retrying(p PastRun) (retried, edits, error) {
	inv, ok := s.asked(p.Event)
	j := journalOf(p.Run)
	before, again, err := recorded[retried](j, "retry")
	if !ok || err != nil {
		return retried{}, edits{}, err
	}
	of, _, err := recorded[choice](j, "choice")
	if err != nil {
		return retried{}, edits{}, err
	}
	r := retried{Run: p.ID, First: cmp.Or(before.First, of.Run, p.ID), Whole: has(p.Run, "context") && !has(p.Run, "ask.1")}
	switch inv.command.Verb {
	case "fix", "address", "apply", "retry":
		e, err := editsOf(p.Run)
		if again && r.Whole { // what it tried again is still to be
			return retried{}, edits{}, err
		}
		return r, e, err
	}
	if !r.Whole {
		return retried{}, edits{}, nil
	}
	return r, edits{}, nil
}

// recall takes over what the first command said: its text, its place on the diff, and those of its options that were not given
// anew. It returns the run whose edits were not made.
func (s *session) recall(ctx context.Context, r retried) (Run, error) {
	run, _, err := s.Line.FindRun(ctx, r.Run)
	if err == nil && r.First != "" {
		var first Event
		if _, first, err = s.Line.FindRun(ctx, r.First); err == nil {
			s.takeOver(first, r.Whole)
		}
	}
	if errors.Is(err, ErrNotFound) {
		err = &UserError{"The record of that run is not there any more, so nothing was asked. Give the command again."}
	}
	return run, err
}

func (s *session) takeOver(first Event, whole bool) {
	inv, ok := s.asked(first)
	if !ok {
		return
	}
	s.inv.options = inv.options.over(s.inv.options)
	if inv.command.takes == someText || inv.command.Verb == "address" {
		s.inv.text = inv.text
	}
	if whole {
		s.inv.command = inv.command
	}
	s.first = &first.Comment
}

// over are these options under newer ones.
func (o options) over(newer options) options {
	if newer.model != "" {
		o.model = newer.model
	}
	if newer.format != "" {
		o.format = newer.format
	}
	if newer.files != nil {
		o.files = newer.files
	}
	return o
}
