package bottest

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

// notices calls tell with the events that have to wait, and what they wait for, until one of their thread is told. It
// calls it again for those that are to be told again.
func (q *Queue) notices(tell func(ev, ahead port.Event) (told, again bool)) {
	for _, i := range q.waiting() {
		ahead, ok := q.beginNotice(i)
		if !ok {
			continue
		}
		ev := i.event
		ev.Notified = i.unsure
		told, again := tell(ev, ahead)
		q.mu.Lock()
		i.waited, i.unsure = told, told && again
		q.mu.Unlock()
	}
}

func (q *Queue) waiting() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.items)
}

// beginNotice returns what an event waits for; ok is false if it is to have no notice.
func (q *Queue) beginNotice(i *item) (ahead port.Event, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := q.behind(i)
	told := func(o *item) bool {
		return o.event.ThreadKey() == i.event.ThreadKey() && o.waited && (o != i || !o.unsure) &&
			(o.state == ready || o.state == leased)
	}
	if before == nil || i.state != ready || i.event.Immediate || i.attempts > 0 || i.cancelledIn != "" ||
		!i.started.IsZero() || slices.ContainsFunc(q.items, told) {
		return port.Event{}, false
	}
	i.waited = true
	return before.event, true
}

// Acknowledged records that the command of an event was acknowledged.
func (q *Queue) Acknowledged(ctx context.Context, ev port.Event) error {
	return changeLocked(ctx, q, Call{Op: "Acknowledged"}, func() error {
		if i := q.find(ev.Delivery); i != nil {
			i.seen = true
		}
		return nil
	})
}
