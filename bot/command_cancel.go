package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// runCancel ends what is in work on the thread and drops what waits there.
func runCancel(ctx context.Context, s *session) error {
	list, err := s.Queue.Cancel(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("cancelling: %w", err)
	}
	var ended []report.Cancelled
	for _, w := range s.commandsOf(list) {
		e, err := s.endOf(ctx, w)
		if err != nil {
			return err
		}
		if !e.Late {
			s.tryUntick(ctx, w.Event)
		}
		ended = append(ended, e)
	}
	return s.reply(ctx, report.CancelBody(ended, s.ev.Thread))
}

// endOf says whether a command was cancelled in time.
func (s *session) endOf(ctx context.Context, w port.QueuedEvent) (report.Cancelled, error) {
	run, _, err := s.Queue.FindRun(ctx, port.RunID(w.Event.Delivery))
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return report.Cancelled{}, fmt.Errorf("looking how far a run is: %w", err)
	}
	return report.Cancelled{QueuedEvent: w, Verb: s.verbOf(w.Event), Late: record.PastNoReturn(run)}, nil
}

// commandsOf are those in a line that ask for something, as far as it is known.
func (s *session) commandsOf(line []port.QueuedEvent) (out []port.QueuedEvent) {
	for _, w := range line {
		if _, ok := s.asked(w.Event); ok && !s.unsure(w.Event) {
			out = append(out, w)
		}
	}
	return out
}
