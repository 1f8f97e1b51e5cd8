package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// DefaultPatience is how long an event may wait in all before it is given up.
	DefaultPatience = 24 * time.Hour
	// reportPatience is how long the end of an event may wait to be reported, from when the event first had to wait.
	// Nothing else of its thread is handled meanwhile.
	reportPatience = 30 * 24 * time.Hour
	// minSleep and maxSleep bound a sleep of unknown length: a quarter of the time for which the event has been
	// waiting.
	minSleep = 5 * time.Second
	maxSleep = 5 * time.Minute
	// maxJitter bounds what is added to a sleep at random, by which not all events wake at the same time.
	maxJitter = 30 * time.Second
)

// Sleep is what an event waits for, and how it is to go on.
type Sleep struct {
	// Wait is what it waits for, and until when if that is known.
	Wait *port.WaitError
	// Cause is the error that is stored; nil means Wait.
	Cause error
	// Patience is how long the event may wait in all, from the first time that it had to; 0 means DefaultPatience.
	Patience time.Duration
	// GaveUp is what outlasted the patience, for an event of which only the end has to be reported.
	GaveUp port.WaitReason
}

// Sleep makes an event ready again when it may be possible to go on: after Wait.After, or a delay that grows with the
// time for which the event has been waiting. ev.Attempt is the number of attempts so far, as for Retry. ok is false,
// and nothing is changed, if the event has used up its patience. It returns port.ErrLeaseLost if the lease is no longer
// valid.
func (s *Store) Sleep(ctx context.Context, ev port.Event, sl Sleep) (ok bool, err error) {
	if sl.Cause == nil {
		sl.Cause = sl.Wait
	}
	if sl.Patience <= 0 {
		sl.Patience = DefaultPatience
	}
	err = s.write(ctx, "putting an event to sleep", func(tx tx) error {
		ok = false
		var ms int64
		err := tx.QueryRowContext(ctx, waitingSince, ev.Delivery, ev.Lease).Scan(&ms)
		if errors.Is(err, sql.ErrNoRows) {
			return port.ErrLeaseLost
		}
		if err != nil {
			return err
		}
		since := tx.now
		if ms != 0 {
			since = time.UnixMilli(ms)
		}
		waited := max(0, tx.now.Sub(since))
		if waited >= sl.Patience {
			return nil
		}
		ok = true
		after := min(sleepFor(sl.Wait, waited), sl.Patience-waited)
		res, err := tx.ExecContext(ctx, putToSleep, ev.Delivery, ev.Lease, ev.Attempt, tx.after(after),
			errorText(sl.Cause), string(sl.Wait.For), since.UnixMilli(), string(sl.GaveUp), tx.after(0))
		if err := requireRow(res, err, port.ErrLeaseLost); err != nil || !isForCI(sl.Wait) {
			return err
		}
		return wakePending(ctx, tx, ev, ev.Attempt)
	})
	if err != nil {
		return false, fmt.Errorf("delivery %s: %w", ev.Delivery, err)
	}
	s.wakeWorkers(laneOf(ev)) // for another thread
	return ok, nil
}

// retryReport is Retry, at once, for an event of which only the end has to be reported; gaveUp is what outlasted the
// patience with it, if that is why.
func (s *Store) retryReport(ctx context.Context, ev port.Event, cause error, gaveUp port.WaitReason) error {
	if gaveUp == "" {
		return s.Retry(ctx, ev, cause, 0)
	}
	wait := &port.WaitError{For: gaveUp, After: time.Millisecond, Err: cause}
	_, err := s.Sleep(ctx, ev, Sleep{Wait: wait, Cause: cause, Patience: reportPatience, GaveUp: gaveUp})
	return err
}

// isForCI reports whether a report of CI ends a wait.
func isForCI(wait *port.WaitError) bool {
	return wait.For == port.CIReport || wait.For == port.VerifyReport
}

// sleepFor returns how long an event sleeps that has been waiting for a time: as long as it was asked to, or longer
// each time, and a random part more. An event that a report of CI wakes sleeps as long as it was asked to, or an hour,
// as no report may come.
func sleepFor(wait *port.WaitError, waited time.Duration) time.Duration {
	d := wait.After
	switch {
	case isForCI(wait):
		return cmp.Or(max(d, 0), reportsLast)
	case d <= 0:
		d = min(max(waited/4, minSleep), maxSleep)
	}
	d = min(d, maxDelay)
	return d + time.Duration(rand.Float64()*float64(min(d/5, maxJitter)))
}

// maxDelay bounds every wait. GitHub's rate limits reset each hour.
const maxDelay = time.Hour
