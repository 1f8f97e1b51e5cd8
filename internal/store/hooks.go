package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// sweepLease is how long a sweep may go on without a sign of life. A request to GitHub, with its token and retries,
	// takes a minute at most.
	sweepLease = 3 * time.Minute
	// askedFor is how long it is remembered that GitHub was asked for a delivery: longer than GitHub can send one again.
	askedFor = 31 * 24 * time.Hour
	// maxForgotten bounds how many of these are deleted at a time.
	maxForgotten = 1000
)

// BeginSweep begins a search for deliveries that the queue does not have, unless another process is doing one, or none
// is due and atOnce is false. The caller ends it with EndSweep; what ends without that is taken over after three
// minutes. It returns an error if no event can be accepted: what is asked for would be refused.
func (s *Store) BeginSweep(ctx context.Context, atOnce bool) (sweep port.Sweep, ok bool, err error) {
	token := rand.Text()
	err = s.write(ctx, "beginning to look for missing deliveries", func(tx tx) error {
		if err := tryAccept(ctx, tx); err != nil {
			return err
		}
		var seen int64
		begun := tx.QueryRowContext(ctx, beginSweep, token, tx.after(sweepLease), tx.after(0), toInt(atOnce))
		err := begun.Scan(&seen)
		if ok = err == nil; !ok {
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			return err
		}
		sweep = port.Sweep{Token: token}
		if seen != 0 {
			sweep.Seen = time.UnixMilli(seen).UTC()
		}
		return nil
	})
	return sweep, ok && err == nil, err
}

// Missing returns those of some deliveries that were not accepted, in the given order. It renews the lease of the
// sweep, and returns port.ErrLeaseLost if another process has it.
func (s *Store) Missing(ctx context.Context, sweep port.Sweep, deliveries []string) ([]port.Missing, error) {
	var missing []port.Missing
	err := s.write(ctx, "looking for missing deliveries", func(tx tx) error {
		missing = nil // of an earlier attempt of the transaction
		if err := renewSweepIn(ctx, tx, sweep); err != nil {
			return err
		}
		for _, d := range deliveries {
			var accepted int
			var first, last int64
			if err := tx.QueryRowContext(ctx, findDelivery, d).Scan(&accepted, &first, &last); err != nil {
				return err
			}
			if accepted != 0 {
				continue
			}
			m := port.Missing{Delivery: d, Asked: last != 0}
			if m.Asked {
				now := tx.after(0)
				m.First, m.Last = time.Duration(now-first)*time.Millisecond, time.Duration(now-last)*time.Millisecond
			}
			missing = append(missing, m)
		}
		return nil
	})
	return missing, err
}

// RecordAsked records that GitHub was asked to send a delivery again. It renews the lease of the sweep, and returns
// port.ErrLeaseLost if another process has it.
func (s *Store) RecordAsked(ctx context.Context, sweep port.Sweep, delivery string) error {
	return s.write(ctx, "recording that a delivery was asked for", func(tx tx) error {
		if err := renewSweepIn(ctx, tx, sweep); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, recordAsked, delivery, tx.after(0))
		return err
	})
}

// EndSweep ends a sweep; the next one is due after the given time. seen is the time of the newest attempt if all that
// is older was seen, else zero. It returns port.ErrLeaseLost if another process has the sweep.
func (s *Store) EndSweep(ctx context.Context, sweep port.Sweep, seen time.Time, next time.Duration) error {
	newest := int64(0)
	if !seen.IsZero() {
		newest = seen.UnixMilli()
	}
	return s.write(ctx, "ending the search for missing deliveries", func(tx tx) error {
		res, err := tx.ExecContext(ctx, endSweep, sweep.Token, tx.after(next), newest)
		if err := requireRow(res, err, port.ErrLeaseLost); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, forgetAsked, tx.after(-askedFor), maxForgotten)
		return err
	})
}

func renewSweepIn(ctx context.Context, tx tx, sweep port.Sweep) error {
	res, err := tx.ExecContext(ctx, renewSweep, sweep.Token, tx.after(sweepLease))
	return requireRow(res, err, port.ErrLeaseLost)
}
