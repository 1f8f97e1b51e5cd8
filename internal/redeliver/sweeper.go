package redeliver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// GitHub lists the attempts to deliver to the App's webhook, and repeats them.
type GitHub interface {
	// Attempts returns a page of attempts, newest first, and the cursor of the next page; "" is that of the first page,
	// and what the last one returns.
	Attempts(ctx context.Context, cursor string) (page []port.Attempt, next string, err error)
	// Redeliver asks for the delivery of an attempt again. It returns port.ErrNotFound if it cannot be had any more.
	Redeliver(ctx context.Context, attempt int64) error
}

// Queue knows what was accepted, and gives the sweep to one process at a time. Once another process has the sweep, its
// methods return port.ErrLeaseLost.
type Queue interface {
	// BeginSweep begins a sweep, if one is due (or atOnce is true) and no other process does it.
	BeginSweep(ctx context.Context, atOnce bool) (sweep port.Sweep, ok bool, err error)
	// Missing returns those of some deliveries that were not accepted.
	Missing(ctx context.Context, sweep port.Sweep, deliveries []string) ([]port.Missing, error)
	RecordAsked(ctx context.Context, sweep port.Sweep, delivery string) error
	// Missed has the commits of a repository looked at that something follows, as CI may have reported about them.
	Missed(ctx context.Context, repository int64) error
	// EndSweep ends a sweep; seen is the time of the newest attempt, or zero if not all older ones were seen to.
	EndSweep(ctx context.Context, sweep port.Sweep, seen time.Time, next time.Duration) error
}

const (
	// Every is the time between two sweeps.
	Every = time.Hour
	// afterError is the time from a sweep that failed or that left something over to the next.
	afterError = 10 * time.Minute
	// poll is how often a process looks whether a sweep is due.
	poll = time.Minute
	// endTimeout bounds ending a sweep when the program stops.
	endTimeout = 2 * time.Second
)

// Sweeper looks for deliveries that never arrived. All fields but Sleep must be set.
type Sweeper struct {
	GitHub GitHub
	Queue  Queue
	// Needs reports whether the App needs the deliveries of an event of GitHub's with an action.
	Needs func(event, action string) bool
	// Reports reports whether CI reports about a commit by such an event. These are not asked for again, as there may be
	// very many: the commits of their repositories that something follows are looked at instead.
	Reports func(event, action string) bool
	Log     *slog.Logger
	// Sleep waits for a duration or returns the error of a context that ends earlier; nil means to really wait.
	Sleep func(context.Context, time.Duration) error
}

// Run sweeps at once and then hourly, until ctx ends. Its failures are logged; the sweep is repeated after ten minutes.
func (s *Sweeper) Run(ctx context.Context) {
	for atOnce := true; ctx.Err() == nil; {
		begun, err := s.Sweep(ctx, atOnce)
		if begun {
			atOnce = false
		}
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "cannot look for failed deliveries", "error", err)
		}
		if s.sleep(ctx, poll+rand.N(poll/10)) != nil { //nolint:gosec // replicas that started together do not poll together
			return
		}
	}
}

// Sweep does one sweep, if one is due (or atOnce is true) and no other process does it; begun reports whether it did.
// At once, it looks through all attempts that GitHub lists.
func (s *Sweeper) Sweep(ctx context.Context, atOnce bool) (begun bool, err error) {
	lease, ok, err := s.Queue.BeginSweep(ctx, atOnce)
	if !ok || err != nil {
		return false, err
	}
	since := time.Time{}
	if !atOnce && !lease.Seen.IsZero() {
		since = lease.Seen.Add(-overlap)
	}
	found, err := s.list(ctx, lease, since)
	asked := 0
	if err == nil {
		err = s.look(ctx, found.repositories)
	}
	if err == nil {
		asked, err = s.ask(ctx, lease, found.missing)
	}
	seen, next := found.newest, Every
	if err != nil || len(found.missing) > asked {
		seen, next = time.Time{}, max(afterError, retryAfter(err))
	}
	if asked > 0 {
		s.Log.InfoContext(ctx, "requested missed deliveries again", "deliveries", asked)
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return true, errors.Join(err, s.Queue.EndSweep(end, lease, seen, next))
}

// retryAfter returns the time that an error asks to wait.
func retryAfter(err error) time.Duration {
	var wait interface{ RetryAfter() time.Duration }
	if errors.As(err, &wait) {
		return min(wait.RetryAfter(), Every)
	}
	return 0
}

func (s *Sweeper) sleep(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("waiting: %w", context.Cause(ctx))
	case <-t.C:
		return nil
	}
}
