package store

import (
	"context"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Acknowledger is a Handler that tells people that their command was received, though no worker is free for it.
type Acknowledger interface {
	// Acknowledge is called at most once for an event that waits for no other event of its thread, but has not been
	// claimed for about a second. It may be handled meanwhile. Its context ends 10 seconds later. An error is logged only.
	Acknowledge(ctx context.Context, ev port.Event) error
}

const (
	// acknowledgePoll is how often accepted events are looked at.
	acknowledgePoll = 250 * time.Millisecond
	// acknowledgedAtOnce is how many commands are acknowledged at a time.
	acknowledgedAtOnce = 8
)

// acknowledgeWaiting looks at each accepted event once, after noticeDelay, until ctx ends: an event that waits for its
// thread by then gets a queued notice instead.
func (w *Workers) acknowledgeWaiting(ctx, work context.Context, acknowledger Acknowledger) {
	tick := time.NewTicker(acknowledgePoll)
	defer tick.Stop()
	var running sync.WaitGroup
	defer running.Wait()
	slots := make(chan struct{}, acknowledgedAtOnce)
	scanned := notScanned
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		waiting, last, err := w.Store.scanAccepted(work, scanned)
		if err != nil {
			w.Log.ErrorContext(ctx, "the queue cannot be read", "error", err)
			continue
		}
		scanned = last
		for _, seq := range waiting {
			select {
			case <-ctx.Done():
				return
			case slots <- struct{}{}:
			}
			running.Go(func() {
				defer func() { <-slots }()
				w.acknowledge(work, acknowledger, seq)
			})
		}
	}
}

// acknowledge has people told that the command of one event was received, if it is not claimed yet.
func (w *Workers) acknowledge(ctx context.Context, acknowledger Acknowledger, seq int64) {
	ev, ok, err := w.Store.beginAcknowledgement(ctx, seq)
	if err != nil {
		w.Log.ErrorContext(ctx, "the queue cannot be read", "error", err)
	}
	if !ok {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, noticeTimeout)
	defer cancel()
	err = w.recovered(ctx, ev, "acknowledging", func() error { return acknowledger.Acknowledge(bounded, ev) })
	if err != nil {
		w.Log.WarnContext(ctx, "a command was not acknowledged", "delivery", ev.Delivery, "error", err)
	}
}

// beginAcknowledgement returns an event that no worker has claimed, once in its life. ok is false if it is claimed, or
// queued behind another one.
func (s *Store) beginAcknowledgement(ctx context.Context, seq int64) (ev port.Event, ok bool, err error) {
	err = s.write(ctx, "beginning an acknowledgement", func(tx tx) error {
		ev, ok = port.Event{}, false
		rows, err := queryRows(ctx, tx, beginAcknowledgement, seq)
		if err != nil || len(rows) == 0 {
			return err
		}
		ev, err = decodeEvent(rows[0])
		ok = err == nil
		return err
	})
	return ev, ok && err == nil, err
}
