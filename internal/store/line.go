package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot"
)

var _ bot.Line = (*Store)(nil)

// Bounds of what is told of a thread.
const (
	maxLine = 100
	maxPast = 100
)

// Past returns the newest runs that recorded something, of the events of the thread that were accepted before ev and are not aside,
// newest first, at most 100. An error with Permanent() true when one of them cannot be read by this program.
func (s *Store) Past(ctx context.Context, ev bot.Event, most int) ([]bot.PastRun, error) {
	var past []bot.PastRun
	err := s.write(ctx, "reading the runs of a thread", func(tx *sql.Tx) error {
		rows, err := queryRows(ctx, tx, findPast, ev.ThreadKey(), ev.Delivery, min(most, maxPast))
		if err != nil {
			return err
		}
		past = make([]bot.PastRun, len(rows))
		for i, r := range rows {
			if past[i].Event, err = decodeEvent(r); err != nil {
				return err
			}
			if past[i].Run, err = loadRun(ctx, tx, r.delivery); err != nil {
				return err
			}
		}
		return nil
	})
	return past, err
}

// FindRun returns a run by its id, of any thread of any repository. bot.ErrNotFound when there is none.
func (s *Store) FindRun(ctx context.Context, id string) (bot.Run, bot.Event, error) {
	ev, run, err := readRun(ctx, s.db, id)
	if err != nil {
		return bot.Run{}, bot.Event{}, fmt.Errorf("reading run %.40q: %w", id, s.explain(err))
	}
	return run, ev, nil
}

// Line lists what is in work and what waits on the event's thread, at most 100.
func (s *Store) Line(ctx context.Context, ev bot.Event) ([]bot.Waiting, error) {
	var waiting []bot.Waiting
	err := s.write(ctx, "reading the line of a thread", func(tx *sql.Tx) error {
		rows, err := queryRows(ctx, tx, findLine, ev.ThreadKey(), ev.Delivery, maxLine)
		waiting = s.waitingOf(ctx, rows)
		return err
	})
	return waiting, err
}

// Cancel ends what is in work on the event's thread and drops what waits there and was accepted before the event. What was
// begun before, or has told that it waits, is handled once more, under a context that has ended, so that it can tell its end.
// It returns at most 100; the same event again returns the same. bot.ErrLeaseLost when the event is no longer ours.
func (s *Store) Cancel(ctx context.Context, ev bot.Event) ([]bot.Waiting, error) {
	cause := &bot.CancelledError{By: ev.Sender.Login}
	var rows []row
	err := s.write(ctx, "cancelling the work of a thread", func(tx *sql.Tx) error {
		if err := s.hold(ctx, tx, ev); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, cancelLine, ev.ThreadKey(), ev.Delivery, cause.By, errorText(cause), s.millis(0))
		if err != nil {
			return err
		}
		rows, err = queryRows(ctx, tx, findCancelled, ev.Delivery, maxLine)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		s.inWork.cancel(r.lease, cause)
	}
	s.notify(false)
	return s.waitingOf(ctx, rows), nil
}

// waitingOf passes over what this program cannot read; a claim parks it.
func (s *Store) waitingOf(ctx context.Context, rows []row) []bot.Waiting {
	var waiting []bot.Waiting
	for _, r := range rows {
		ev, err := decodeEvent(r)
		if err != nil {
			s.log.WarnContext(ctx, "an event that waits cannot be read", "delivery", r.delivery, "error", err)
			continue
		}
		waiting = append(waiting, bot.Waiting{Event: ev, Working: r.state == stateWorking})
	}
	return waiting
}

// queryRows reads rows of the columns that rowColumns names.
func queryRows(ctx context.Context, tx *sql.Tx, query string, args ...any) (all []row, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.state, &r.lease); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}
