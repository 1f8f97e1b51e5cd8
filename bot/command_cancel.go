package bot

import (
	"context"
	"errors"
	"fmt"
)

// runCancel ends what is in work on the thread and drops what waits there.
func runCancel(ctx context.Context, s *session) error {
	list, err := s.Line.Cancel(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("cancelling: %w", err)
	}
	var ended []ended
	for _, w := range s.commandsOf(list) {
		e, err := s.endOf(ctx, w)
		if err != nil {
			return err
		}
		if !e.late {
			s.tryUntick(ctx, w.Event)
		}
		ended = append(ended, e)
	}
	return s.reply(ctx, cancelBody(ended, s.ev.Thread))
}

// endOf says whether a command was cancelled in time.
func (s *session) endOf(ctx context.Context, w Waiting) (ended, error) {
	run, _, err := s.Line.FindRun(ctx, RunID(w.Event.Delivery))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return ended{}, fmt.Errorf("looking how far a run is: %w", err)
	}
	return ended{w, s.verbOf(w.Event), delivers(run)}, nil
}

// commandsOf are those in a line that ask for something, as far as it is known.
func (s *session) commandsOf(line []Waiting) (out []Waiting) {
	for _, w := range line {
		if _, ok := s.asked(w.Event); ok && !s.maybeNothing(w.Event) {
			out = append(out, w)
		}
	}
	return out
}
