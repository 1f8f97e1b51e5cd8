package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/tenon-bot/tenon/bot"
)

const (
	// maxBatch is how many events one transaction accepts.
	maxBatch = 512
	// maxWaiting bounds the memory of what waits to be accepted, in bytes: a burst of ten thousand usual deliveries.
	maxWaiting = 128 << 20
)

// waiting holds the submissions that wait for the next transaction.
type waiting struct {
	mu         sync.Mutex
	queue      []*submission
	bytes      int
	committing bool
	closed     bool
	commits    sync.WaitGroup
	// batch is maxBatch; the benchmark makes it 1, to compare.
	batch int
}

type submission struct {
	row  row
	done chan error
}

// Submit accepts an event: when it returns nil, the event is on the disk and will be handled. A delivery that was
// accepted before does nothing, unless its work was given up (Park): then it is ready again, with all its attempts.
// After an error, the end of ctx included, the event may or may not have been accepted; submitting it again is safe.
// An error with Permanent() true says that the event will never be accepted.
//
// All submissions that wait share one transaction, so that many at once cost hardly more than one.
func (s *Store) Submit(ctx context.Context, ev bot.Event) error {
	r, err := encodeEvent(ev)
	if err != nil {
		return fmt.Errorf("accepting a delivery: %w", err)
	}
	sub := &submission{row: r, done: make(chan error, 1)}
	if err := s.enqueue(sub); err != nil {
		return fmt.Errorf("accepting a delivery: %w", err)
	}
	select {
	case err := <-sub.done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("accepting a delivery: %w", context.Cause(ctx))
	}
}

// enqueue adds a submission to those that wait, and sees to it that somebody commits them.
func (s *Store) enqueue(sub *submission) error {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	if w.bytes+len(sub.row.body) > maxWaiting {
		return errors.New("too many deliveries wait to be written: the disk is too slow for them")
	}
	w.bytes += len(sub.row.body)
	w.queue = append(w.queue, sub)
	if !w.committing {
		w.committing = true
		w.commits.Go(s.commitWaiting)
	}
	return nil
}

// commitWaiting accepts what waits, a transaction at a time, until nothing does.
func (s *Store) commitWaiting() {
	for batch := s.waiting.take(); len(batch) > 0; batch = s.waiting.take() {
		err := s.accept(context.Background(), batch)
		if err == nil {
			s.announce(batch)
		}
		s.waiting.settled(batch)
		for _, sub := range batch {
			sub.done <- err
		}
	}
}

// announce wakes those who may have work with what was accepted.
func (s *Store) announce(batch []*submission) {
	for _, sub := range batch {
		s.notify(sub.row.aside)
	}
}

// accept inserts a batch in one transaction. It does not end with the context of one of the submitters, as the others
// wait too. No event can spoil it for the others: encodeEvent lets none pass that a database refuses.
func (s *Store) accept(ctx context.Context, batch []*submission) error {
	return s.write(ctx, "accepting deliveries", func(tx *sql.Tx) error {
		stmt, err := tx.PrepareContext(ctx, accept)
		if err != nil {
			return err
		}
		defer func() { _ = stmt.Close() }()
		now := s.millis(0)
		for _, sub := range batch {
			r := sub.row
			if _, err := stmt.ExecContext(ctx, r.delivery, r.thread, r.installation, r.version, r.body, now, digit(r.aside)); err != nil {
				return err
			}
		}
		return nil
	})
}

// take removes the next batch from those that wait; an empty one means that the committer has to end.
func (w *waiting) take() []*submission {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), w.batch)
	batch := w.queue[:n:n]
	if w.queue = w.queue[n:]; n == 0 {
		w.queue, w.committing = nil, false
	}
	return batch
}

func (w *waiting) settled(batch []*submission) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, sub := range batch {
		w.bytes -= len(sub.row.body)
	}
}

// close refuses new submissions and waits until the others are committed.
func (w *waiting) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.commits.Wait()
}
