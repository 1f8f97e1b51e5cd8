package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

// runStatus shows what runs and waits on the thread, and what is left of the budgets.
func runStatus(ctx context.Context, r *run) error {
	queue, err := r.bot.Queue.Queued(ctx, r.ev)
	if err != nil {
		return fmt.Errorf("reading the queue: %w", err)
	}
	var all []report.Queued
	for _, q := range commandsIn(r, queue) {
		rec, err := recordOf(ctx, r, q.Event)
		if err != nil {
			return err
		}
		all = append(all, report.Queued{QueuedEvent: q, Verb: r.verbOf(q.Event), Run: rec})
	}
	var budgets []port.BudgetState
	if r.permission.Allows(port.PermissionWrite) {
		if budgets, err = r.bot.Budget.Usage(ctx, r.ev, r.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
	}
	return r.answers().reply(ctx, report.QueueBody(r.ev.Thread, all, budgets, r.bot.Now()))
}
