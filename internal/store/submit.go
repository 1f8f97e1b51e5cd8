package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxBatch is how many events one transaction accepts.
	maxBatch = 512
	// maxPending bounds the memory of pending submissions, in bytes: a burst of ten thousand ordinary deliveries.
	maxPending = 128 << 20
)

// submissions are the submissions that the next transactions will commit.
type submissions struct {
	mu         sync.Mutex
	pending    []*submission
	bytes      int // of the pending ones and those being committed
	committing bool
	closed     bool
	commits    sync.WaitGroup
	// maxBatch is the constant; the benchmark sets it to 1, to compare.
	maxBatch int
}

type submission struct {
	row  row
	done chan error
	// refused is set when a limit does not allow the event.
	refused *port.TooMany
}

// Submit accepts an event: when it returns nil, the event is on the disk and will be handled. A delivery that was
// accepted before is ignored, unless it is a dead letter: then it is ready again, with all its attempts. An event with
// the origin of an accepted one is ignored too.
// After an error, the end of ctx included, the event may or may not have been accepted; submitting it again is safe.
// An error with Permanent() true means that the event will never be accepted. A *port.TooMany means that a limit does
// not allow it.
//
// All pending submissions share one transaction, so that many at once cost hardly more than one.
func (s *Store) Submit(ctx context.Context, ev port.Event) error {
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

// enqueue adds a submission to the pending ones, and starts a goroutine to commit them if none runs.
func (s *Store) enqueue(sub *submission) error {
	q := &s.submissions
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	if q.bytes+len(sub.row.body) > maxPending {
		return errors.New("too many deliveries wait to be written: the disk is too slow for them")
	}
	q.bytes += len(sub.row.body)
	q.pending = append(q.pending, sub)
	if !q.committing {
		q.committing = true
		q.commits.Go(s.commitPending)
	}
	return nil
}

// commitPending commits the pending submissions, a batch at a time, until none is left.
func (s *Store) commitPending() {
	for batch := s.submissions.take(); len(batch) > 0; batch = s.submissions.take() {
		err := s.accept(context.Background(), batch)
		if err == nil {
			for _, sub := range batch {
				s.wakeWorkers(sub.row.lane)
			}
		}
		s.submissions.finish(batch)
		for _, sub := range batch {
			if err == nil && sub.refused != nil {
				s.tellOfLimit(sub)
				sub.done <- sub.refused
				continue
			}
			sub.done <- err
		}
	}
}

// accept inserts a batch in one transaction. It does not end with the context of one of the submitters, because it is
// for the others too. No event can make it fail for the others: encodeEvent refuses what a database would refuse.
func (s *Store) accept(ctx context.Context, batch []*submission) error {
	return s.write(ctx, "accepting deliveries", func(tx tx) error {
		now := tx.after(0)
		var inserts calls
		for _, sub := range batch {
			r := sub.row
			inserts.add(insertEvent, r.delivery, r.thread, r.installation, r.version, r.body, now, int(r.lane), r.origin)
		}
		inserted, err := tx.execAll(ctx, inserts)
		if err != nil {
			return err
		}
		var accepted []*submission
		for i, n := range inserted {
			if batch[i].refused = nil; n > 0 {
				accepted = append(accepted, batch[i])
				continue
			}
			r := batch[i].row // it exists already; if it is a dead letter, it is made ready again
			_, err := tx.ExecContext(ctx, reviveEvent, r.delivery, r.version, r.body, now, int(r.lane), r.thread,
				r.origin)
			if err != nil {
				return err
			}
		}
		return s.limits.hold(ctx, tx, accepted)
	})
}

// tellOfLimit logs that an event was not accepted, once an hour of each sender and installation.
func (s *Store) tellOfLimit(sub *submission) {
	key := fmt.Sprint(sub.refused.Of, sub.row.sender, "/", sub.row.installation)
	if s.limitsTold.once(key, time.Now()) {
		s.log.Warn("too many commands, so some are not accepted; not logged again for an hour",
			"of", sub.refused.Of, "sender", sub.row.sender, "installation", sub.row.installation,
			"limit_per_hour", sub.refused.Limit)
	}
}

// take removes the next batch from the pending submissions. After an empty batch, the committing goroutine has to end.
func (q *submissions) take() []*submission {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.pending), q.maxBatch)
	batch := q.pending[:n:n]
	if q.pending = q.pending[n:]; n == 0 {
		q.pending, q.committing = nil, false
	}
	return batch
}

// finish frees the memory of a batch that take returned.
func (q *submissions) finish(batch []*submission) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, sub := range batch {
		q.bytes -= len(sub.row.body)
	}
}

// close refuses new submissions and waits until the pending ones are committed.
func (q *submissions) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.commits.Wait()
}
