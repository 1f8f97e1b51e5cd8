package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Acknowledger is a Handler that tells people that their command was received, though it has to wait.
type Acknowledger interface {
	// Acknowledge is called once for an event that has not been claimed for about a second; again, if the event is still
	// not claimed, when a *port.WaitError asks for it. It may be handled meanwhile. Its context ends 10 seconds later.
	// Other errors are logged only.
	Acknowledge(ctx context.Context, ev port.Event) error
}

const (
	// acknowledgePoll is how often accepted events are looked at.
	acknowledgePoll = 250 * time.Millisecond
	// acknowledgeDelay is how long an event waits before it is acknowledged: most events are claimed by then.
	acknowledgeDelay = time.Second
)

// acknowledgeWaiting looks at each accepted event once, after acknowledgeDelay, until ctx ends.
func (w *Workers) acknowledgeWaiting(ctx, work context.Context, acknowledger Acknowledger) {
	var again postponed
	w.scan(ctx, acknowledgePoll, acknowledgeDelay, func(waiting []accepted, tell func(func())) {
		seqs := again.due()
		for _, one := range waiting {
			seqs = append(seqs, one.seq)
		}
		for _, seq := range seqs {
			if ctx.Err() != nil {
				return
			}
			tell(func() {
				if after := w.acknowledge(work, acknowledger, seq); after > 0 {
					again.add(seq, after)
				}
			})
		}
	})
}

// postponed are acknowledgements that were not possible yet. Safe for concurrent use.
type postponed struct {
	mu   sync.Mutex
	list []postponement
}

type postponement struct {
	seq int64
	at  time.Time
}

// maxPostponed bounds the list: what is beyond is acknowledged when it is handled.
const maxPostponed = 1000

func (p *postponed) add(seq int64, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) < maxPostponed {
		p.list = append(p.list, postponement{seq, time.Now().Add(after)})
	}
}

// due removes the events whose time has come, oldest first, and returns them.
func (p *postponed) due() (seqs []int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = slices.DeleteFunc(p.list, func(one postponement) bool {
		if time.Now().Before(one.at) {
			return false
		}
		seqs = append(seqs, one.seq)
		return true
	})
	slices.Sort(seqs)
	return seqs
}

// acknowledge has people told that the command of one event was received, if it is not claimed yet. It returns when to
// try again, 0 for never.
func (w *Workers) acknowledge(ctx context.Context, acknowledger Acknowledger, seq int64) (after time.Duration) {
	ev, ok, err := w.Store.beginAcknowledgement(ctx, seq)
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot read the queue", "error", err)
	}
	if !ok {
		return 0
	}
	bounded, cancel := context.WithTimeout(ctx, noticeTimeout)
	defer cancel()
	err = w.recovered(ctx, ev, "acknowledging", func() error { return acknowledger.Acknowledge(bounded, ev) })
	var wait *port.WaitError
	if errors.As(err, &wait) && w.Store.postponeAcknowledgement(ctx, seq) == nil {
		return max(wait.After, minSleep)
	}
	if err != nil {
		w.Log.WarnContext(ctx, "a command was not acknowledged", "delivery", ev.Delivery, "error", err)
	}
	return 0
}

// postponeAcknowledgement allows beginAcknowledgement to return an event once more.
func (s *Store) postponeAcknowledgement(ctx context.Context, seq int64) error {
	return s.write(ctx, "postponing an acknowledgement", func(tx tx) error {
		_, err := tx.ExecContext(ctx, postponeAcknowledgement, seq)
		return err
	})
}

// beginAcknowledgement returns an event that no worker has claimed, once. ok is false if it is claimed.
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
