package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// recentRuns is in how many of the newest runs of a thread a commit is looked for.
const recentRuns = 20

// runCancel ends the command that runs on the thread and drops those that wait there.
func runCancel(ctx context.Context, r *run) error {
	queue := r.queue()
	if r.inv.Run != "" && !r.resumed() { // a later attempt finds what its first one cancelled
		if err := queue.unlessOver(ctx, r.inv.Run); err != nil {
			return err
		}
	}
	list, err := r.bot.Queue.Cancel(ctx, r.ev)
	if err != nil {
		return fmt.Errorf("cancelling: %w", err)
	}
	var ended []report.Cancelled
	for _, q := range queue.commandsIn(list) {
		rec, err := queue.recordOf(ctx, q.Event)
		if err != nil {
			return err
		}
		_, testing := rec.Verifying() // it ends when its run finds that it was cancelled
		late := rec.Committing && !testing
		if !late {
			r.tryUntick(ctx, q.Event)
		}
		ended = append(ended, report.Cancelled{QueuedEvent: q, Verb: r.verbOf(q.Event), Late: late})
	}
	rounds := false // of autofix, of what was committed on the thread, which do not begin any more
	if r.policy.Autofix > 0 && r.bot.Watches != nil {
		if rounds, err = queue.committed(ctx); err != nil {
			return err
		}
	}
	return r.answers().reply(ctx, report.CancelBody(ended, r.ev.Thread, rounds))
}

// threadQueue is the queue of the thread of a run, which was told by an event.
type threadQueue struct {
	queue port.ThreadQueue
	ev    port.Event
	// isCommand reports whether an event has a command, as far as that is known.
	isCommand func(port.Event) bool
	log       *slog.Logger
}

func (r *run) queue() threadQueue {
	isCommand := func(ev port.Event) bool {
		_, ok := r.bot.invocation(ev)
		return ok && !r.bot.mayNotAsk(ev)
	}
	return threadQueue{queue: r.bot.Queue, ev: r.ev, isCommand: isCommand, log: r.log}
}

// unlessOver returns a *port.UserError if a run is neither running nor waiting any more: whoever gave a cancel on the
// page of that run does not mean what runs on the thread now.
func (q threadQueue) unlessOver(ctx context.Context, run string) error {
	queued, err := q.queue.Queued(ctx, q.ev)
	if err != nil {
		return fmt.Errorf("looking whether run %s is over: %w", run, err)
	}
	for _, one := range queued {
		if port.RunID(one.Event.Delivery) == run {
			return nil
		}
	}
	return sentence.RunIsOver(run)
}

// committed reports whether a recent run of the thread committed.
func (q threadQueue) committed(ctx context.Context) (bool, error) {
	past, err := q.queue.Past(ctx, q.ev, recentRuns)
	if err != nil {
		return false, fmt.Errorf("looking for commits whose rounds of autofix end: %w", err)
	}
	return slices.ContainsFunc(past, func(p port.PastRun) bool { return record.CommitMade.In(p.Run) }), nil
}

// recordOf returns the record of the run of an event; the zero value if the run has not started, and the header alone
// if its record cannot be read.
func (q threadQueue) recordOf(ctx context.Context, ev port.Event) (record.Record, error) {
	stored, _, err := q.queue.FindRun(ctx, port.RunID(ev.Delivery))
	if errors.Is(err, port.ErrNotFound) {
		return record.Record{}, nil
	}
	if err != nil {
		return record.Record{}, fmt.Errorf("looking how far a run is: %w", err)
	}
	rec, err := record.Load(stored)
	if err != nil {
		q.log.WarnContext(ctx, "run not read", "past", stored.ID, "error", err)
		return record.Header(stored), nil
	}
	return rec, nil
}

// commandsIn are the events of a queue that have a command, as far as that is known.
func (q threadQueue) commandsIn(queued []port.QueuedEvent) (out []port.QueuedEvent) {
	for _, one := range queued {
		if q.isCommand(one.Event) {
			out = append(out, one)
		}
	}
	return out
}
