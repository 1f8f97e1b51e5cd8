package redeliver

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
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
	// Every is the time between two sweeps while nothing is missing.
	Every = time.Hour
	// poll is how often a process looks whether a sweep is due, as another one may have to do what this one left.
	poll = time.Minute
	// defaultSoon is Sweeper.Soon.
	defaultSoon = 30 * time.Second
	// listLag is how long GitHub may take to list an attempt: until then, a sweep that found nothing proves nothing.
	listLag = 5 * time.Minute
	// perRequest is the mean time that a sweep's requests to GitHub take at least, with the rest after it. GitHub allows
	// an App 5,000 an hour.
	perRequest = time.Second
	// endTimeout bounds ending a sweep when the program stops.
	endTimeout = 2 * time.Second
	// minGap and maxGap bound the time until something is tried again.
	minGap, maxGap = time.Minute, 30 * time.Minute
)

// gap returns the time until the next attempt at something that was tried for the first time so long before the last:
// 1, 2, 4, 8 and 16 minutes, and then 30.
func gap(elapsed time.Duration) time.Duration { return min(elapsed+minGap, maxGap) }

// Reason is why there is a sweep.
type Reason int

const (
	// Due is the reason of a sweep that is due.
	Due Reason = iota
	// Refused is that deliveries were refused. The sweep does not wait until one is due.
	Refused
	// Started is the start of the process. The sweep looks through all attempts that GitHub lists, at once.
	Started
)

// Sweeper looks for deliveries that never arrived. All exported fields but Soon must be set.
type Sweeper struct {
	GitHub GitHub
	Queue  Queue
	// Needs reports whether the App needs the deliveries of an event of GitHub's with an action.
	Needs func(event, action string) bool
	// Reports reports whether CI reports about a commit by such an event. These are not asked for again, as there may be
	// very many: the commits of their repositories that something follows are looked at instead.
	Reports func(event, action string) bool
	// Refused receives a value when this process has refused a delivery that it could accept at another time.
	Refused <-chan struct{}
	Log     *slog.Logger
	// Soon is the time from a refusal to the sweep that looks for it, in which others come, and between two sweeps at
	// least; 0 means half a minute.
	Soon time.Duration

	// wanted is when the last sweep began that was not due, and failing when the first of those that failed in a row did.
	wanted, failing time.Time
	// rested is when the rest after the last sweep ends.
	rested time.Time
}

// Run sweeps at once, after refusals, and when a sweep is due, until ctx ends. Its failures are logged.
func (s *Sweeper) Run(ctx context.Context) {
	var due time.Time
	for reason := Started; ctx.Err() == nil; {
		begun, next, err := s.Sweep(ctx, reason)
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "cannot look for failed deliveries", "error", err)
		}
		if begun {
			reason, due = Due, time.Now().Add(next)
		}
		wait := retry.Longer(poll) // replicas that started together do not poll together
		switch left := time.Until(due); {
		case reason != Due: // another process sweeps, or the database does not answer
			wait = s.soon()
		case left > 0:
			wait = min(wait, left)
		}
		if s.wait(ctx, wait) && reason == Due {
			reason = Refused
		}
	}
}

// wait waits, and reports whether a delivery was refused meanwhile. Then it has waited until a sweep can find that.
func (s *Sweeper) wait(ctx context.Context, d time.Duration) (refused bool) {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return false
	case <-s.Refused:
	}
	if retry.Sleep(ctx, max(s.soon(), time.Until(s.rested))) != nil {
		return false
	}
	select {
	case <-s.Refused:
	default:
	}
	return true
}

// Sweep does one sweep, if there is a reason and no other process does it: begun reports whether it did, and next is
// the time to the next one.
func (s *Sweeper) Sweep(ctx context.Context, reason Reason) (begun bool, next time.Duration, err error) {
	lease, ok, err := s.Queue.BeginSweep(ctx, reason != Due)
	if !ok || err != nil {
		return false, 0, err
	}
	now := time.Now()
	if reason != Due {
		s.wanted = now
	}
	seen := time.Time{}
	if reason != Started {
		seen = lease.Seen
	}
	found, err := s.list(ctx, lease, seen)
	asked := 0
	if err == nil {
		err = s.look(ctx, found.repositories)
	}
	if err == nil {
		asked, err = s.ask(ctx, lease, found.missing)
	}
	if asked > 0 {
		s.Log.InfoContext(ctx, "requested missed deliveries again", "deliveries", asked)
	}
	next = s.next(now, found, err)
	s.rested = now.Add(max(time.Duration(found.pages+asked)*perRequest, retryAfter(err)))
	next = max(next, s.soon(), time.Until(s.rested))
	if err != nil || len(found.missing) > asked {
		found.newest = time.Time{}
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return true, next, errors.Join(err, s.Queue.EndSweep(end, lease, found.newest, next))
}

// next returns the time to the next sweep, as far as GitHub's limits allow it, after one that began at a time and ended
// with what it found and an error.
func (s *Sweeper) next(began time.Time, found found, err error) time.Duration {
	if err == nil {
		s.failing = time.Time{}
	} else if s.failing.IsZero() {
		s.failing = began
	}
	switch elapsed := began.Sub(s.wanted); {
	case err != nil:
		return gap(began.Sub(s.failing))
	case elapsed < listLag:
		return min(elapsed+s.soon(), found.again)
	}
	return found.again
}

func (s *Sweeper) soon() time.Duration { return cmp.Or(s.Soon, defaultSoon) }

// retryAfter returns the time that an error asks to wait.
func retryAfter(err error) time.Duration {
	var wait interface{ RetryAfter() time.Duration }
	if errors.As(err, &wait) {
		return min(wait.RetryAfter(), Every)
	}
	return 0
}
