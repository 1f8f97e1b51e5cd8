package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// runCancel ends the command that runs on the thread and drops those that wait there.
func runCancel(ctx context.Context, r *run) error {
	list, err := r.bot.Queue.Cancel(ctx, r.ev)
	if err != nil {
		return fmt.Errorf("cancelling: %w", err)
	}
	var ended []report.Cancelled
	for _, q := range commandsIn(r, list) {
		rec, err := recordOf(ctx, r, q.Event)
		if err != nil {
			return err
		}
		if !rec.Committing {
			tryUntick(ctx, r, q.Event)
		}
		ended = append(ended, report.Cancelled{QueuedEvent: q, Verb: r.verbOf(q.Event), Late: rec.Committing})
	}
	return r.answers().reply(ctx, report.CancelBody(ended, r.ev.Thread))
}

// recordOf returns the record of the run of an event; the zero value if the run has not started, and the header alone
// if its record cannot be read.
func recordOf(ctx context.Context, r *run, ev port.Event) (record.Record, error) {
	stored, _, err := r.bot.Queue.FindRun(ctx, port.RunID(ev.Delivery))
	if errors.Is(err, port.ErrNotFound) {
		return record.Record{}, nil
	}
	if err != nil {
		return record.Record{}, fmt.Errorf("looking how far a run is: %w", err)
	}
	rec, err := record.Load(stored)
	if err != nil {
		r.log.WarnContext(ctx, "run not read", "past", stored.ID, "error", err)
		return record.Header(stored), nil
	}
	return rec, nil
}

// commandsIn are the events of a queue that have a command, as far as that is known.
func commandsIn(r *run, queue []port.QueuedEvent) (out []port.QueuedEvent) {
	for _, q := range queue {
		if _, ok := r.bot.invocation(q.Event); ok && !r.bot.mayNotAsk(q.Event) {
			out = append(out, q)
		}
	}
	return out
}
