package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

// loadFor returns how busy the server is, with the models that the repository may use; nil if that is not known.
func loadFor(r *run) *port.Load {
	if r.bot.Load == nil {
		return nil
	}
	load := r.bot.Load()
	load.Models = slices.DeleteFunc(load.Models, func(m port.ModelLoad) bool {
		return !r.models().named(m.Name).Allows(r.ev.Repo) || !r.policy.AllowsModel(m.Name)
	})
	return &load
}

// runStatus shows what runs and waits on the thread, what is left of the budgets, and how busy the server is.
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
	var server report.Server
	if r.permission.Allows(port.PermissionWrite) {
		if server.Left, err = r.bot.Budget.Usage(ctx, r.ev, r.policy.Budget); err != nil {
			return fmt.Errorf("reading the budgets: %w", err)
		}
		server.Load = loadFor(r)
	}
	return r.answers().reply(ctx, report.QueueBody(r.ev.Thread, all, server, r.bot.Now()))
}
