package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

// Waiter is a Handler that tells people what their event waits for.
type Waiter interface {
	// Waits is called at most once for an event that waits since a second or so, as ahead of its thread is in work or comes
	// before it. The event is not claimed before Waits has returned, or its context has ended, 10 seconds later. The event has
	// no lease. An error is logged, no more.
	Waits(ctx context.Context, ev, ahead bot.Event) error
}

const (
	// patience is how long an event waits before anybody is told: most waits are over by then.
	patience = time.Second
	// telling is how long Waits may take; tellingHold how long the event is kept from being claimed for it.
	telling     = 10 * time.Second
	tellingHold = 15 * time.Second
	// maxLook is how many events are looked at in one go.
	maxLook = 200
)

// tellWaiting looks at each accepted event once, when it had to be patient, until ctx ends. Once is enough: what comes
// before an event becomes only less.
func (w *Workers) tellWaiting(ctx, work context.Context, waiter Waiter) {
	tick := time.NewTicker(w.Poll)
	defer tick.Stop()
	seen := unknown
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		found, last, err := w.Store.look(work, seen)
		if err != nil {
			w.Log.ErrorContext(ctx, "the queue cannot be read", "error", err)
			continue
		}
		seen = last
		for _, seq := range found {
			if ctx.Err() == nil {
				w.tellOne(work, waiter, seq)
			}
		}
	}
}

// tellOne tells of an event that it waits, if it still does.
func (w *Workers) tellOne(ctx context.Context, waiter Waiter, seq int64) {
	told, ok, err := w.Store.beginTelling(ctx, seq)
	if err != nil {
		w.Log.ErrorContext(ctx, "the queue cannot be read", "error", err)
	}
	if !ok {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, telling)
	defer cancel()
	err = w.call(ctx, told.event, "telling of the wait of", func() error { return waiter.Waits(bounded, told.event, told.ahead) })
	if err != nil {
		w.Log.WarnContext(ctx, "nobody could be told that an event waits", "delivery", told.event.Delivery, "error", err)
	}
	if err := w.Store.endTelling(context.WithoutCancel(ctx), told); err != nil {
		w.Log.WarnContext(ctx, "an event is held up", "delivery", told.event.Delivery, "for", tellingHold, "error", err)
	}
}

// unknown is where to look first: before the oldest event that waits.
const unknown int64 = -1

// look passes over the next events that were patient, and finds those that may have to wait. last is where to go on.
func (s *Store) look(ctx context.Context, after int64) (found []int64, last int64, err error) {
	last = after
	err = s.write(ctx, "looking for events that wait", func(tx *sql.Tx) (err error) {
		if last == unknown {
			if err := tx.QueryRowContext(ctx, beforeOldest).Scan(&last); err != nil {
				return err
			}
		}
		rows, err := tx.QueryContext(ctx, look, last, s.millis(-patience), maxLook)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var maybe bool
			if err := rows.Scan(&last, &maybe); err != nil {
				return err
			}
			if maybe {
				found = append(found, last)
			}
		}
		return rows.Err()
	})
	return found, last, err
}

// told is an event of which people are told that it waits, and until when it is kept for that.
type told struct {
	seq, until   int64
	event, ahead bot.Event
}

// beginTelling keeps an event from being claimed, once in its life, if it waits for another. ok is false if not.
func (s *Store) beginTelling(ctx context.Context, seq int64) (t told, ok bool, err error) {
	t.seq, t.until = seq, s.millis(tellingHold)
	err = s.write(ctx, "keeping an event that waits", func(tx *sql.Tx) error {
		rows, err := queryRows(ctx, tx, beginTelling, seq, t.until, s.millis(0))
		if err != nil || len(rows) == 0 {
			return err
		}
		ahead, err := queryRows(ctx, tx, findAhead, rows[0].thread, seq)
		if err != nil {
			return err
		}
		if t.event, err = decodeEvent(rows[0]); err == nil {
			t.ahead, err = decodeEvent(ahead[0])
		}
		ok = err == nil
		return err
	})
	return t, ok, err
}

// endTelling lets the event be claimed again.
func (s *Store) endTelling(ctx context.Context, t told) error {
	err := s.write(ctx, "letting an event go on", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, endTelling, t.seq, t.until)
		return err
	})
	s.notify(false)
	return err
}
