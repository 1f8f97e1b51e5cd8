package bottest

import "time"

// due returns when the next event can be claimed, by a retry or a lease that expires; ok is false when none can be.
func (q *Queue) due() (at time.Time, ok bool) {
	return q.dueOf(func(*item) bool { return true })
}

// dueBut is due without the commits that are followed and about which CI has not reported, unless they are looked at
// within a minute.
func (q *Queue) dueBut() (at time.Time, ok bool) {
	soon := q.clock.Now().Add(time.Minute)
	return q.dueOf(func(i *item) bool { return !i.followsInVain() || i.notBefore.Before(soon) })
}

func (q *Queue) dueOf(these func(*item) bool) (at time.Time, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, i := range q.items {
		if !these(i) {
			continue
		}
		var next time.Time
		switch {
		case i.state == ready && (i.event.Immediate || q.behind(i) == nil):
			next = i.notBefore
		case i.state == leased:
			next = i.leasedUntil.Add(time.Millisecond)
		default:
			continue
		}
		if !ok || next.Before(at) {
			at, ok = next, true
		}
	}
	return at, ok
}
