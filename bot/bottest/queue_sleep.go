package bottest

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Sleep makes an event ready again later, with ev.Attempt as the number of attempts so far; false if it has waited for
// the patience. gaveUp is what outlasted the patience, if only the end has to be reported.
func (q *Queue) Sleep(_ context.Context, ev port.Event, wait *port.WaitError, cause error, patience time.Duration,
	gaveUp port.WaitReason) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i, err := q.held(ev)
	if err != nil {
		return false, err
	}
	now := q.clock.Now()
	since := now
	if !i.waitsSince.IsZero() {
		since = i.waitsSince
	}
	if now.Sub(since) >= patience {
		return false, nil
	}
	after := wait.After
	if after <= 0 {
		after = min(max(now.Sub(since)/4, 5*time.Second), 5*time.Minute)
	}
	i.state, i.attempts, i.lease, i.end = ready, ev.Attempt, "", nil
	i.notBefore = now.Add(min(after, patience-now.Sub(since)))
	i.err, i.waitsFor, i.waitsSince, i.gaveUp = cause, wait.For, since, gaveUp
	if i.watch.reported && i.waitsForCI() {
		i.look(now)
	}
	return true, nil
}
