package store

import (
	"cmp"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
)

// ends are what the runs of this process's handlers came to, by the tokens of their leases, until the leases end. The
// zero value is ready. Safe for concurrent use.
type ends struct {
	mu      sync.Mutex
	byToken map[string]port.Ended
}

// add adds what a run came to; the last one counts. Whoever reports a dead letter does not ask for the permission
// again.
func (e *ends) add(token string, end port.Ended) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byToken == nil {
		e.byToken = map[string]port.Ended{}
	}
	end.Permission = cmp.Or(end.Permission, e.byToken[token].Permission)
	e.byToken[token] = end
}

// get returns what a run came to; ok is false if nobody said so.
func (e *ends) get(token string) (end port.Ended, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	end, ok = e.byToken[token]
	return end, ok
}

// remove forgets what a run came to.
func (e *ends) remove(token string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.byToken, token)
}

// Ended implements port.Audit: it says what the run of an event has come to, should its lease end with the event.
func (s *Store) Ended(ev port.Event, end port.Ended) {
	if ev.Lease != "" {
		s.ends.add(ev.Lease, end)
	}
}
