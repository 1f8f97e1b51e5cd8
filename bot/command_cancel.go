package bot

import (
	"context"
	"errors"
	"fmt"
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
	if err := unlessOver(ctx, r); err != nil {
		return err
	}
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
		_, testing := rec.Verifying() // it ends when its run finds that it was cancelled
		late := rec.Committing && !testing
		if !late {
			tryUntick(ctx, r, q.Event)
		}
		ended = append(ended, report.Cancelled{QueuedEvent: q, Verb: r.verbOf(q.Event), Late: late})
	}
	rounds, err := stopsAutofix(ctx, r)
	if err != nil {
		return err
	}
	return r.answers().reply(ctx, report.CancelBody(ended, r.ev.Thread, rounds))
}

// unlessOver returns a *port.UserError if the run that a cancel names is neither running nor waiting any more: whoever
// gave the command on the page of that run does not mean what runs on the thread now. A later attempt finds what its
// first one cancelled.
func unlessOver(ctx context.Context, r *run) error {
	if r.inv.Run == "" || r.resumed() {
		return nil
	}
	queued, err := r.bot.Queue.Queued(ctx, r.ev)
	if err != nil {
		return fmt.Errorf("looking whether run %s is over: %w", r.inv.Run, err)
	}
	for _, q := range queued {
		if port.RunID(q.Event.Delivery) == r.inv.Run {
			return nil
		}
	}
	return sentence.RunIsOver(r.inv.Run)
}

// stopsAutofix reports whether a cancel keeps rounds of autofix from beginning: of what was committed on the thread
// before it.
func stopsAutofix(ctx context.Context, r *run) (bool, error) {
	if r.policy.Autofix == 0 || r.bot.Watches == nil {
		return false, nil
	}
	past, err := r.bot.Queue.Past(ctx, r.ev, recentRuns)
	if err != nil {
		return false, fmt.Errorf("looking for commits whose rounds of autofix end: %w", err)
	}
	return slices.ContainsFunc(past, func(p port.PastRun) bool { return record.CommitMade.In(p.Run) }), nil
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
