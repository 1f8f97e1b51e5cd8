package store

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// QueueNotifier is a Handler that tells people that their event is queued.
type QueueNotifier interface {
	// NotifyQueued is called at most once for an event that has been queued for about a second, behind ahead, another
	// event of its thread. The event has no lease. It is not claimed before NotifyQueued has returned, or its context has
	// ended, 10 seconds later. An error is logged only.
	NotifyQueued(ctx context.Context, ev, ahead port.Event) error
}

const (
	// noticeDelay is how long an event is queued before its notice: most events are claimed by then.
	noticeDelay = time.Second
	// noticeTimeout is how long a notice may take, noticeHold how long the event is not claimed because of it.
	noticeTimeout = 10 * time.Second
	noticeHold    = 15 * time.Second
	// maxScan is how many events one scan reads.
	maxScan = 200
)

// notifyQueued looks at each accepted event once, after noticeDelay, until ctx ends. Once is enough: the number of
// events ahead of an event only decreases.
func (w *Workers) notifyQueued(ctx, work context.Context, notifier QueueNotifier) {
	w.scan(ctx, work, w.Poll, func(queued []int64) {
		for _, seq := range queued {
			if ctx.Err() == nil {
				w.notify(work, notifier, seq)
			}
		}
	})
}

// scan calls each with the events that were accepted noticeDelay ago and may be queued, every so often, until ctx ends.
// It passes an event once; there may be none to pass.
func (w *Workers) scan(ctx, work context.Context, every time.Duration, each func(seqs []int64)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	scanned := notScanned
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		queued, last, err := w.Store.scanAccepted(work, scanned)
		if err != nil {
			w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
			continue
		}
		scanned = last
		each(queued)
	}
}

// notify has people told of one event, if it is still queued.
func (w *Workers) notify(ctx context.Context, notifier QueueNotifier, seq int64) {
	begun := time.Now()
	n, ok, err := w.Store.beginNotice(ctx, seq)
	n.begun = begun
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
	}
	if !ok {
		return
	}
	delivery := n.event.Delivery
	bounded, cancel := context.WithTimeout(port.WithGuard(ctx, n.guard), noticeTimeout)
	defer cancel()
	err = w.recovered(ctx, n.event, "sending the queued notice of", func() error {
		return notifier.NotifyQueued(bounded, n.event, n.ahead)
	})
	if err != nil {
		w.Log.WarnContext(ctx, "a queued notice was not sent", "delivery", delivery, "error", err)
	}
	if err := w.Store.endNotice(context.WithoutCancel(ctx), n); err != nil {
		w.Log.WarnContext(ctx, "a queued event is delayed", "delivery", delivery, "for", noticeHold, "error", err)
	}
}

// notScanned makes scanAccepted begin before the oldest ready event.
const notScanned int64 = -1

// scanAccepted reads the next events that were accepted noticeDelay ago, and returns those that may be queued, and the
// last one read.
func (s *Store) scanAccepted(ctx context.Context, after int64) (queued []int64, last int64, err error) {
	err = s.write(ctx, "looking for queued events", func(tx tx) (err error) {
		queued, last = nil, after
		if last == notScanned {
			if err := tx.QueryRowContext(ctx, beforeOldest).Scan(&last); err != nil {
				return err
			}
		}
		rows, err := tx.QueryContext(ctx, scanAccepted, last, tx.after(-noticeDelay), maxScan)
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
				queued = append(queued, last)
			}
		}
		return rows.Err()
	})
	return queued, last, err
}

// notice is a queued event, the event ahead of it, and until when it is not claimed, in the database's form.
type notice struct {
	seq, until   int64
	event, ahead port.Event
	begun        time.Time
}

// errNoticeLate is the error of a notice whose event may be claimed again, as the process was paused.
var errNoticeLate = errors.New("the time for the notice is over")

// guard is the port.Guard of the notice.
func (n notice) guard(context.Context) error {
	if elapsed(n.begun, time.Now()) >= noticeTimeout {
		return errNoticeLate
	}
	return nil
}

// beginNotice keeps a queued event from being claimed, once in its life. ok is false if the event is not queued any
// more.
func (s *Store) beginNotice(ctx context.Context, seq int64) (n notice, ok bool, err error) {
	err = s.write(ctx, "beginning a queued notice", func(tx tx) error {
		n, ok = notice{seq: seq, until: tx.after(noticeHold)}, false
		rows, err := queryRows(ctx, tx, beginNotice, seq, n.until, tx.after(0))
		if err != nil || len(rows) == 0 {
			return err
		}
		ahead, err := queryRows(ctx, tx, findAhead, rows[0].thread, seq)
		if err != nil {
			return err
		}
		if len(ahead) == 0 {
			return errNotQueued // the event ahead ended between the two statements
		}
		if n.event, err = decodeEvent(rows[0]); err == nil {
			n.ahead, err = decodeEvent(ahead[0])
		}
		ok = err == nil
		return err
	})
	if errors.Is(err, errNotQueued) {
		return notice{}, false, nil
	}
	return n, ok && err == nil, err
}

// errNotQueued undoes the beginning of a notice to an event that is not queued any more.
var errNotQueued = errors.New("the event is not queued")

// endNotice allows the event to be claimed.
func (s *Store) endNotice(ctx context.Context, n notice) error {
	err := s.write(ctx, "ending a queued notice", func(tx tx) error {
		_, err := tx.ExecContext(ctx, endNotice, n.seq, n.until)
		return err
	})
	s.wakeWorkers(threadLane)
	return err
}
