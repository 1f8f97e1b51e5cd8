package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

// runStatus shows what is in work and waits on the thread, and what is left of the budgets.
func runStatus(ctx context.Context, s *session) error {
	line, err := s.Queue.Queued(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("reading the line: %w", err)
	}
	var all []report.Queued
	for _, w := range s.commandsOf(line) {
		run, _, err := s.Queue.FindRun(ctx, port.RunID(w.Event.Delivery))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return fmt.Errorf("looking how far a run is: %w", err)
		}
		all = append(all, report.Queued{QueuedEvent: w, Verb: s.verbOf(w.Event), Run: run})
	}
	var left []port.BudgetState
	if s.has.Allows(port.PermissionWrite) {
		if left, err = s.Budget.Usage(ctx, s.ev, s.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
	}
	text, err := report.QueueBody(s.ev.Thread, all, left, s.Now())
	if err != nil {
		return err
	}
	return s.reply(ctx, text)
}
