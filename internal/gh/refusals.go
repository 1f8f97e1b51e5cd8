package gh

import (
	"maps"
	"sync"
	"time"
)

// refusalLife is how long a refusal is remembered: what an owner accepts, or a server learns, is noticed by then.
const refusalLife = time.Hour

// refusals are the installations for which GitHub refused something lately, so that it is not asked for each time. They
// are kept in memory only. Safe for concurrent use.
type refusals struct {
	now func() time.Time

	mu    sync.Mutex
	until map[int64]time.Time
}

func newRefusals(now func() time.Time) *refusals {
	return &refusals{now: now, until: map[int64]time.Time{}}
}

// add remembers that GitHub refused an installation.
func (r *refusals) add(installation int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	maps.DeleteFunc(r.until, func(_ int64, until time.Time) bool { return !now.Before(until) })
	r.until[installation] = now.Add(refusalLife)
}

// of returns until when a refusal is remembered; ok is false if there is none.
func (r *refusals) of(installation int64) (until time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, ok = r.until[installation]
	return until, ok && r.now().Before(until)
}
