package store

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// QueueNotifier is a Handler that tells people that their event is queued.
type QueueNotifier interface {
	// NotifyQueued is called at most once for an event that has been queued for Workers.NoticeAfter, behind ahead, another
	// event of its thread. told is false if nobody is to know of the event: another one of the thread may have a notice
	// then. Of several that wait in a thread, one has it, and none within a minute of another. When the one that had it
	// was handled, another one gets it. The event has no lease. It is not claimed before NotifyQueued has returned, or its
	// context has ended, 10 seconds later. An error is only logged.
	NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error)
}

const (
	// noticeDelay is how long an event is queued before its notice. Shorter waits need none.
	noticeDelay = 10 * time.Second
	// noticePause is the time between two notices in a thread.
	noticePause = time.Minute
	// noticeTimeout is how long a notice may take, noticeHold how long the event is not claimed because of it.
	noticeTimeout = 10 * time.Second
	noticeHold    = 15 * time.Second
	// tellAtOnce is how many people are told at a time that their event is queued, or was received.
	tellAtOnce = 8
	// maxScan is how many events one scan reads.
	maxScan = 200
	// maxPassedOver is how many events of a thread are looked at until one is told: there may be nobody to tell of some.
	maxPassedOver = 50
)

// notifyQueued looks at each accepted event once, after NoticeAfter, until ctx ends: the number of events ahead of an
// event only decreases. Those that it passes over because their thread has a notice are looked at once more.
func (w *Workers) notifyQueued(ctx, work context.Context, notifier QueueNotifier) {
	var told threadTimes // where there was a notice, until when there is no other
	w.scan(ctx, w.Poll, w.NoticeAfter, func(queued []accepted, tell func(func())) {
		queued = append(w.passedOver(ctx), queued...)
		var threads []string
		waiting := map[string][]int64{}
		for _, one := range queued {
			if waiting[one.thread] == nil {
				threads = append(threads, one.thread)
			}
			waiting[one.thread] = append(waiting[one.thread], one.seq)
		}
		for _, thread := range threads {
			tell(func() {
				if told.has(thread) { // perhaps since this waits
					return
				}
				for _, seq := range waiting[thread] {
					if ctx.Err() != nil || w.notify(work, notifier, seq) {
						told.set(thread, time.Now().Add(noticePause))
						return
					}
				}
			})
		}
	})
}

// passedOver returns events that may have been passed over because another one of their thread had a notice: the first
// that wait in the threads where such a one was handled since, a minute after it was claimed.
func (w *Workers) passedOver(ctx context.Context) (queued []accepted) {
	for _, thread := range w.handled.passed() {
		all, err := w.Store.waitingIn(ctx, thread, w.NoticeAfter)
		if err != nil && ctx.Err() == nil {
			w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
			w.handled.set(thread, time.Now())
		}
		for _, seq := range all {
			queued = append(queued, accepted{seq, thread})
		}
	}
	return queued
}

// threadTimes are threads, each with a time. Safe for concurrent use. The zero value is ready.
type threadTimes struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (t *threadTimes) set(thread string, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at == nil {
		t.at = map[string]time.Time{}
	}
	t.at[thread] = at
}

// passed forgets the threads whose time has come, and returns them.
func (t *threadTimes) passed() (threads []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.at, func(thread string, at time.Time) bool {
		passed := time.Until(at) <= 0
		if passed {
			threads = append(threads, thread)
		}
		return passed
	})
	return threads
}

// has reports whether the time of a thread is yet to come.
func (t *threadTimes) has(thread string) bool {
	t.passed()
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.at[thread]
	return ok
}

// accepted is an event that was accepted some time ago, and the thread in which it may be queued.
type accepted struct {
	seq    int64
	thread string
}

// scan calls each with the events that were accepted a time ago and may be queued, every so often, until ctx ends. It
// passes an event once; there may be none to pass. each passes the sending of a notice to tell, which blocks while
// tellAtOnce of them are being sent.
func (w *Workers) scan(ctx context.Context, every, ago time.Duration,
	each func(queued []accepted, tell func(func()))) {
	var running sync.WaitGroup
	defer running.Wait()
	slots := make(chan struct{}, tellAtOnce)
	tell := func(do func()) {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			do()
		})
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	scanned := notScanned
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for more := true; more && ctx.Err() == nil; {
			queued, last, err := w.Store.scanAccepted(ctx, scanned, ago)
			if err != nil && ctx.Err() == nil {
				w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
			}
			if more = err == nil && last-scanned >= maxScan; err == nil {
				scanned = last
				each(queued, tell)
			}
		}
	}
}

// notify has people told of one event, if it is still queued. It returns false if its thread may have another notice.
func (w *Workers) notify(ctx context.Context, notifier QueueNotifier, seq int64) (told bool) {
	begun := time.Now()
	n, ok, err := w.Store.beginNotice(ctx, seq)
	n.begun = begun
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
	}
	if !ok {
		return false
	}
	delivery := n.event.Delivery
	bounded, cancel := context.WithTimeout(port.WithGuard(ctx, n.guard), noticeTimeout)
	defer cancel()
	err = w.recovered(ctx, n.event, "sending the queued notice of", func() (err error) {
		told, err = notifier.NotifyQueued(bounded, n.event, n.ahead)
		return err
	})
	if err != nil {
		w.Log.WarnContext(ctx, "a queued notice was not sent", "delivery", delivery, "error", err)
		told = true // perhaps it was
	}
	if err := w.Store.endNotice(context.WithoutCancel(ctx), n, told); err != nil {
		w.Log.WarnContext(ctx, "a queued event is delayed", "delivery", delivery, "for", noticeHold, "error", err)
	}
	return told
}

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
		rows, err := tx.QueryContext(ctx, scanAccepted, last, tx.after(-ago), maxScan)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var maybe bool
			var thread string
			if err := rows.Scan(&last, &thread, &maybe); err != nil {
				return err
			}
			if maybe {
				queued = append(queued, accepted{last, thread})
			}
		}
		return rows.Err()
	})
	return queued, last, err
}

// waitingIn returns the first events of a thread's queue that were accepted a time ago, or none if one of the thread
// has a notice.
func (s *Store) waitingIn(ctx context.Context, thread string, ago time.Duration) (all []int64, err error) {
	err = s.write(ctx, "looking for queued events", func(tx tx) (err error) {
		all, err = collect(ctx, tx, scanOne[int64], findWaiting, thread, tx.after(-ago))
		return err
	})
	return all, err
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

// endNotice allows the event to be claimed. told reports whether it may have a notice.
func (s *Store) endNotice(ctx context.Context, n notice, told bool) error {
	err := s.write(ctx, "ending a queued notice", func(tx tx) error {
		_, err := tx.ExecContext(ctx, endNotice, n.seq, n.until, toInt(told))
		return err
	})
	s.wakeWorkers(threadLane)
	return err
}
