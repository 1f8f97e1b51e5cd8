package store

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	maxQueued   = 100 // events of a thread's queue
	maxPastRuns = 100 // runs of a thread
)

// Past returns the newest runs that recorded a step, of the events of the thread that were accepted before ev and are
// not immediate, newest first, at most 100. It skips, and logs, an event that this program cannot read.
func (s *Store) Past(ctx context.Context, ev port.Event, most int) ([]port.PastRun, error) {
	return s.runsOf(ctx, findPastRuns, ev.ThreadKey(), ev.Delivery, most)
}

// Since returns the newest runs of the event's thread that recorded something, newest first, at most most and at most
// 100: that of a delivery, if it is of the thread, and those of later events, without immediate ones.
func (s *Store) Since(ctx context.Context, ev port.Event, delivery string, most int) ([]port.PastRun, error) {
	return s.runsOf(ctx, findRunsSince, ev.ThreadKey(), delivery, most)
}

// runsOf reads runs of a thread by findPastRuns or findRunsSince.
func (s *Store) runsOf(ctx context.Context, query, thread, delivery string, most int) ([]port.PastRun, error) {
	var past []port.PastRun
	err := s.write(ctx, "reading the runs of a thread", func(tx tx) error {
		rows, err := queryRows(ctx, tx, query, thread, delivery, min(most, maxPastRuns))
		if err != nil {
			return err
		}
		past = nil // of an earlier attempt of the transaction
		for _, r := range rows {
			earlier, err := decodeEvent(r)
			if err != nil {
				s.log.WarnContext(ctx, "past run skipped", "delivery", r.delivery, "error", err)
				continue
			}
			run, err := loadRun(ctx, tx.Tx, r.delivery)
			if err != nil {
				return err
			}
			past = append(past, port.PastRun{Run: run, Event: earlier})
		}
		return nil
	})
	return past, err
}

// Queued returns the queue of the event's thread without the event: the leased event, then the ready ones, at most 100.
func (s *Store) Queued(ctx context.Context, ev port.Event) ([]port.QueuedEvent, error) {
	var queued []port.QueuedEvent
	err := s.write(ctx, "reading the queue of a thread", func(tx tx) error {
		rows, err := queryRows(ctx, tx, findQueue, ev.ThreadKey(), ev.Delivery, maxQueued)
		queued = s.queuedEvents(ctx, rows)
		return err
	})
	return queued, err
}

// Cancel cancels the events of the thread's queue that were accepted before ev, and returns at most 100 of them; the
// same event again returns the same. The context of a running handler ends. An event with a run or a queued notice is
// handled once more, with a context that has ended, so that it can report its end. What follows the thread's commits is
// marked for Stopped. It returns port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Cancel(ctx context.Context, ev port.Event) ([]port.QueuedEvent, error) {
	cause := &port.CancelledError{By: plainText(ev.Sender.Login)}
	var rows []row
	err := s.write(ctx, "cancelling the queue of a thread", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, cancelQueue, ev.ThreadKey(), ev.Delivery, cause.By, errorText(cause), tx.after(0))
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			if err := errors.Join(err, s.keepDropped(ctx, tx, ev)); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, stopFollowing, ev.ThreadKey()); err != nil {
			return err
		}
		rows, err = queryRows(ctx, tx, findCancelled, ev.Delivery, maxQueued)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		s.leases.end(r.lease, cause)
	}
	s.database.tell(newsCancelled)
	s.wakeWorkers(threadLane)
	return s.queuedEvents(ctx, rows), nil
}

// queuedEvents skips the events that this program cannot read. Claim makes dead letters of them.
func (s *Store) queuedEvents(ctx context.Context, rows []row) []port.QueuedEvent {
	var queued []port.QueuedEvent
	for _, r := range rows {
		ev, err := decodeEvent(r)
		if err != nil {
			s.log.WarnContext(ctx, "a queued event cannot be read", "delivery", r.delivery, "error", err)
			continue
		}
		q := port.QueuedEvent{Event: ev, Running: r.state == stateLeased}
		if !q.Running {
			q.WaitsFor = port.WaitReason(r.waitsFor)
		}
		queued = append(queued, q)
	}
	return queued
}
