package redeliver

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// pause is the time between two requests for a delivery. GitHub allows 900 points a minute, and such a request has 5
// ("Rate limits for the REST API": "Calculating points for the secondary rate limit").
const pause = 400 * time.Millisecond

// ask asks for the deliveries of some attempts, in their order, so that the commands of a thread come in theirs. It
// returns how many of them were seen to.
func (s *Sweeper) ask(ctx context.Context, lease port.Sweep, attempts []port.Attempt) (done int, err error) {
	for _, a := range attempts[:min(len(attempts), maxMissing)] {
		if done > 0 {
			if err := retry.Sleep(ctx, pause); err != nil {
				return done, err
			}
		}
		err := s.GitHub.Redeliver(ctx, a.ID)
		var gone interface{ Permanent() bool }
		switch {
		case errors.Is(err, port.ErrNotFound), errors.As(err, &gone) && gone.Permanent():
			s.Log.WarnContext(ctx, "cannot request a missed delivery again",
				"delivery", a.Delivery, "event", a.Event, "at", a.At, "error", err)
		case err != nil:
			return done, err
		}
		if err := s.Queue.RecordAsked(ctx, lease, a.Delivery); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}
