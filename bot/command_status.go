package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

// runStatus shows what runs and waits on the thread, what is left of the budgets, and how busy the server is.
func runStatus(ctx context.Context, r *run) error {
	queue := r.queue()
	queued, err := r.bot.Queue.Queued(ctx, r.ev)
	if err != nil {
		return fmt.Errorf("reading the queue: %w", err)
	}
	var all []report.Queued
	for _, q := range queue.commandsIn(queued) {
		rec, err := queue.recordOf(ctx, q.Event)
		if err != nil {
			return err
		}
		all = append(all, report.Queued{QueuedEvent: q, Verb: r.verbOf(q.Event), Run: rec})
	}
	var server report.Server
	if r.permission.Allows(port.PermissionWrite) {
		if server.Left, err = r.bot.Budget.Usage(ctx, r.ev, r.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
		if r.bot.Load != nil {
			server.Load = r.models().load(r.bot.Load())
		}
	}
	return r.answers().reply(ctx, report.QueueBody(r.ev.Thread, all, server, r.bot.Now()))
}

// load returns how busy the server is, with the models that the repository may use.
func (m models) load(all port.Load) *port.Load {
	all.Models = slices.DeleteFunc(all.Models, func(one port.ModelLoad) bool {
		return !m.named(one.Name).Allows(m.repo) || !m.policy.AllowsModel(one.Name)
	})
	return &all
}
