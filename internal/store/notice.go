package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// QueueNotifier is a Handler that tells people about their event before it is handled. The event has no lease. It is
// not claimed before a method has returned, or its context has ended, 10 seconds later. After an error that is a wait,
// as of Handler, the method is called again later if the event is still not claimed. Other errors are only logged.
type QueueNotifier interface {
	// Acknowledge is called for an event that has not been claimed for about a second, to tell that it was received.
	Acknowledge(ctx context.Context, ev port.Event) error
	// NotifyQueued is called for an event that has been queued for Workers.NoticeAfter, behind ahead, another event of its
	// thread. told is false if the event has no notice: nobody is to know of it, and another one of the thread may have a
	// notice then; or it is to wait. Of several that wait in a thread, one has it, and none within a minute of another.
	// When the one that had it was handled, another one gets it. ev.Notified means that a call that had to wait may have
	// sent it.
	NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error)
}

const (
	// acknowledgePoll is how often accepted events are looked at.
	acknowledgePoll = 250 * time.Millisecond
	// acknowledgeDelay is how long an event waits before it is acknowledged: most events are claimed by then.
	acknowledgeDelay = time.Second
	// noticeDelay is how long an event is queued before its notice. Shorter waits need none.
	noticeDelay = 10 * time.Second
	// noticePause is the time between two notices in a thread.
	noticePause = time.Minute
	// tellAtOnce is how many people are told at a time.
	tellAtOnce = 8
)

// agenda is what is to be told, and when. Safe for concurrent use. The zero value is ready.
type agenda struct {
	mu sync.Mutex
	at map[telling]time.Time
}

// add has something told after a time, or at the time that is known of it if that is later.
func (a *agenda) add(t telling, after time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at == nil {
		a.at = map[telling]time.Time{}
	}
	if at := time.Now().Add(after); a.at[t].Before(at) {
		a.at[t] = at
	}
}

// due removes what is to be told now, and returns it: acknowledgements first, each in the order of the events.
func (a *agenda) due() (all []telling) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.at, func(t telling, at time.Time) bool {
		passed := time.Until(at) <= 0
		if passed {
			all = append(all, t)
		}
		return passed
	})
	slices.SortFunc(all, func(a, b telling) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.seq, b.seq))
	})
	return all
}

// teller tells people about events that are not handled yet.
type teller struct {
	*Workers
	notifier QueueNotifier
	// work is the context of what is told.
	work context.Context
}

// run tells people until ctx ends.
func (t *teller) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	slots := make(chan struct{}, tellAtOnce)
	tick := time.NewTicker(acknowledgePoll)
	defer tick.Stop()
	received, queued := cursor{last: notScanned}, cursor{last: notScanned, next: time.Now().Add(t.Poll)}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if t.held() {
			continue
		}
		for _, one := range t.scan(ctx, &received, acknowledgeDelay, 0) {
			t.agenda.add(telling{seq: one.seq}, one.wait)
		}
		for _, one := range t.scan(ctx, &queued, t.NoticeAfter, t.Poll) {
			t.agenda.add(telling{thread: one.thread}, 0)
		}
		for _, one := range t.agenda.due() {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				if ctx.Err() == nil {
					t.tell(one)
				}
			})
		}
	}
}

// cursor is how far accepted events were scanned, and when they are scanned again.
type cursor struct {
	last int64
	next time.Time
}

// scan returns the events that were accepted a time ago since the last scan, and may be queued.
func (t *teller) scan(ctx context.Context, c *cursor, ago, every time.Duration) (all []accepted) {
	if time.Until(c.next) > 0 {
		return nil
	}
	c.next = time.Now().Add(every)
	for more := true; more && ctx.Err() == nil; {
		found, last, err := t.Store.scanAccepted(ctx, c.last, ago)
		if err != nil && ctx.Err() == nil {
			t.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
		}
		if more = err == nil && last-c.last >= maxScan; err == nil {
			c.last, all = last, append(all, found...)
		}
	}
	return all
}

func (t *teller) tell(one telling) {
	switch {
	case one.thread == "":
		t.acknowledge(one)
	case one.seq != 0:
		t.notify(one, true)
	default:
		t.notifyOneOf(one)
	}
}

// acknowledge tells that one event was received, if no worker has claimed it yet.
func (t *teller) acknowledge(one telling) {
	t.hold(one, beginAcknowledgement, nil, func(ctx context.Context, n *notice) error {
		err := t.recovered(ctx, n.event, "acknowledging", func() error { return t.notifier.Acknowledge(ctx, n.event) })
		wait := waitOf(err)
		if wait != nil {
			n.acknowledged = 0
			t.agenda.add(one, max(wait.After, minSleep))
		}
		return err
	})
}

// notifyOneOf tells that one event of a thread is queued: the first that can be told of, unless one of the thread has a
// notice.
func (t *teller) notifyOneOf(one telling) {
	all, err := t.Store.waitingIn(t.work, one.thread, t.NoticeAfter)
	if err != nil {
		t.Log.ErrorContext(t.work, "cannot read the queue", "error", err)
	}
	again := err != nil
	for _, w := range all {
		if again = again || w.busy; !w.busy && t.notify(telling{one.thread, w.seq}, false) {
			return
		}
	}
	if again {
		t.agenda.add(one, minSleep)
	}
}

// notify tells that one event is queued, if it still is. It returns false if another one of its thread is to be told
// of. repeated means that the event may have a notice.
func (t *teller) notify(one telling, repeated bool) (told bool) {
	t.hold(one, beginNotice, []any{toInt(repeated)}, func(ctx context.Context, n *notice) error {
		n.event.Notified = repeated
		err := t.recovered(ctx, n.event, "sending the queued notice of", func() (err error) {
			n.told, err = t.notifier.NotifyQueued(ctx, n.event, n.ahead)
			return err
		})
		next, after := telling{thread: one.thread}, noticePause
		switch wait := waitOf(err); {
		case err == nil && !n.told:
			return nil
		case wait == nil: // if it failed, it was perhaps sent
			n.told = true
		case n.told:
			next, after = one, max(wait.After, minSleep)
		case wait.For == port.GitHubLimit: // less often the longer it waits, as each time costs requests
			after = max(wait.After, noticePause, time.Since(n.event.Received))
		default:
			after = max(wait.After, minSleep)
		}
		told = true
		t.agenda.add(next, after)
		return err
	})
	return told
}

// hold keeps an event from being claimed while people are told of it. It does nothing if begin does not allow it.
func (t *teller) hold(one telling, begin string, args []any, tell func(context.Context, *notice) error) {
	begun := time.Now()
	n, ok, err := t.Store.beginNotice(t.work, begin, one, args...)
	if err != nil {
		t.Log.ErrorContext(t.work, "cannot read the queue", "error", err)
		t.agenda.add(one, minSleep)
	}
	if !ok {
		return
	}
	n.begun = begun
	bounded, cancel := context.WithTimeout(port.WithGuard(t.work, n.guard), noticeTimeout)
	defer cancel()
	if err := tell(bounded, &n); err != nil {
		t.Log.WarnContext(t.work, "people were not told that an event waits", "delivery", n.event.Delivery,
			"notice", one.thread != "", "again", waitOf(err) != nil, "error", err)
	}
	if err := t.Store.endNotice(context.WithoutCancel(t.work), n); err != nil {
		t.Log.WarnContext(t.work, "a queued event is delayed", "delivery", n.event.Delivery, "for", noticeHold, "error", err)
	}
}
