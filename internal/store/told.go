package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// notScanned makes scanAccepted begin before the oldest ready event.
const notScanned int64 = -1

// scanAccepted reads the next events that were accepted a time ago, and returns those that may be queued, and the last
// one read.
func (s *Store) scanAccepted(ctx context.Context, after int64, ago time.Duration) (queued []accepted, last int64,
	err error) {
	err = s.write(ctx, "looking for queued events", func(tx tx) (err error) {
		queued, last = nil, after
		if last == notScanned {
			if err := tx.QueryRowContext(ctx, beforeOldest).Scan(&last); err != nil {
				return err
			}
		}
		rows, err := tx.QueryContext(ctx, scanAccepted, last, tx.after(-ago))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var maybe bool
			var thread string
			var until int64
			if err := rows.Scan(&last, &thread, &until, &maybe); err != nil {
				return err
			}
			if maybe {
				queued = append(queued, accepted{last, thread, time.UnixMilli(until).Sub(tx.now)})
			}
		}
		return rows.Err()
	})
	return queued, last, err
}

// waiting is an event that waits in a thread's queue. busy means that it is told of something else now, or was not
// acknowledged yet.
type waiting struct {
	seq  int64
	busy bool
}

// waitingIn returns the first events of a thread's queue that were accepted a time ago and can have a notice, or none
// if one of the thread has a notice.
func (s *Store) waitingIn(ctx context.Context, thread string, ago time.Duration) (all []waiting, err error) {
	err = s.write(ctx, "looking for queued events", func(tx tx) error {
		all, err = collect(ctx, tx, func(rows *sql.Rows) (w waiting, err error) {
			err = rows.Scan(&w.seq, &w.busy)
			return w, err
		}, findWaiting, thread, tx.after(-ago), tx.after(0))
		return err
	})
	return all, err
}

// notice is an event that people are told of, and until when it is not claimed, in the database's form.
type notice struct {
	seq, until   int64
	event, ahead port.Event
	begun        time.Time
	// told reports whether it may have a notice that it is queued. acknowledged is the value of the column, unless the
	// acknowledgement is recorded.
	told         bool
	acknowledged int
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

// beginNotice keeps an event from being claimed. ok is false if begin, a statement, does not find it.
func (s *Store) beginNotice(ctx context.Context, begin string, one telling, args ...any) (n notice, ok bool,
	err error) {
	err = s.write(ctx, "beginning to tell of an event", func(tx tx) error {
		n, ok = notice{seq: one.seq, until: tx.after(noticeHold), acknowledged: 1}, false
		rows, err := queryRows(ctx, tx, begin, append([]any{one.seq, n.until, tx.after(0)}, args...)...)
		if err != nil || len(rows) == 0 {
			return err
		}
		if n.event, err = decodeEvent(rows[0]); err != nil {
			return err
		}
		if ok = one.thread == ""; ok {
			return nil
		}
		ahead, err := queryRows(ctx, tx, findAhead, rows[0].thread, one.seq)
		if err != nil {
			return err
		}
		if len(ahead) == 0 {
			return errNotQueued // the event ahead ended between the two statements
		}
		n.ahead, err = decodeEvent(ahead[0])
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
		_, err := tx.ExecContext(ctx, endNotice, n.seq, n.until, toInt(n.told), n.acknowledged)
		return err
	})
	s.wakeWorkers(threadLane)
	return err
}

// noticeTimeout is how long it may take to tell people, noticeHold how long the event is not claimed because of it.
const (
	noticeTimeout = 10 * time.Second
	noticeHold    = 15 * time.Second
)

// maxScan is how many events one scan reads.
const maxScan = 200

// telling is something to tell people: without a thread, that an event was received; else that one is queued.
type telling struct {
	thread string
	seq    int64 // 0 for the first event of the thread that can be told of
}

// accepted is an event that was accepted some time ago, and the thread in which it may be queued.
type accepted struct {
	seq    int64
	thread string
	wait   time.Duration // until it can be told of
}
