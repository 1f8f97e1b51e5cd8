package bottest

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

// notices returns the events that have to wait, each once and one of a thread, with what they wait for.
func (q *Queue) notices() (list [][2]port.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, i := range q.items {
		if i.state != ready || i.event.Immediate || i.waited || i.attempts > 0 || i.cancelledIn != "" ||
			!i.started.IsZero() {
			continue
		}
		told := func(o *item) bool {
			return o.event.ThreadKey() == i.event.ThreadKey() && o.waited && (o.state == ready || o.state == leased)
		}
		if ahead := q.behind(i); ahead != nil && !slices.ContainsFunc(q.items, told) {
			i.waited = true
			list = append(list, [2]port.Event{i.event, ahead.event})
		}
	}
	return list
}

// Acknowledged records that the command of an event was acknowledged.
func (q *Queue) Acknowledged(ctx context.Context, ev port.Event) error {
	_, err := do(ctx, q.faults, Call{Op: "Acknowledged"}, func() (none struct{}, err error) {
		q.mu.Lock()
		defer q.mu.Unlock()
		if i := q.find(ev.Delivery); i != nil {
			i.seen = true
		}
		return none, nil
	})
	return err
}
