package bot

import (
	"context"
	"errors"
	"fmt"
)

// runStatus shows what is in work and waits on the thread, and what is left of the budgets.
func runStatus(ctx context.Context, s *session) error {
	line, err := s.Line.Line(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("reading the line: %w", err)
	}
	var all []queued
	for _, w := range s.commandsOf(line) {
		run, _, err := s.Line.FindRun(ctx, RunID(w.Event.Delivery))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("looking how far a run is: %w", err)
		}
		all = append(all, queued{w, s.verbOf(w.Event), run})
	}
	var left []Spent
	if s.has.allows(PermissionWrite) {
		if left, err = s.Budget.Left(ctx, s.ev, s.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
	}
	text, err := statusAnswer(s.ev.Thread, all, left, s.Now())
	if err != nil {
		return err
	}
	return s.reply(ctx, text)
}

// far is how far a run is, by its record.
func (at queued) far() (string, error) {
	q, gathered, err := recorded[question](journalOf(at.run), "context")
	if err != nil {
		return "", err
	}
	now := status{files: q.Files, call: 1}
	for has(at.run, fmt.Sprintf("ask.%d", now.call)) {
		now.call++
	}
	switch {
	case has(at.run, "commit"):
		return "writing its answer", nil
	case delivers(at.run):
		return "applying and committing", nil
	case gathered:
		return now.reading(true) + "; " + now.asking(false), nil
	}
	return now.reading(false), nil
}
