package store

import (
	"sync"
	"time"
)

// quietFor is for how long an installation has begun nothing that counts as new.
const quietFor = 10 * time.Minute

// newcomers are the installations of which events were accepted here, in one lane, after they had begun nothing for a
// while. The last workers of a pool are kept for them. Safe for concurrent use. The zero value is ready.
type newcomers struct {
	mu sync.Mutex
	// waiting has those of which nothing was begun since.
	waiting map[int64]bool
	// begun is when each installation last began something, if that is not longer ago than quietFor.
	begun map[int64]time.Time
	swept time.Time
}

// accepted is called when an event of an installation was accepted.
func (n *newcomers) accepted(installation int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if at, ok := n.begun[installation]; ok && time.Since(at) < quietFor {
		return
	}
	if n.waiting == nil {
		n.waiting = map[int64]bool{}
	}
	n.waiting[installation] = true
}

// any reports whether there is a newcomer of which nothing was begun yet.
func (n *newcomers) any() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.waiting) > 0
}

// begin is called when an event of an installation was claimed. kept means by a worker that is kept for newcomers: if
// the event was not one of theirs, one of them has had its chance.
func (n *newcomers) begin(installation int64, kept bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if kept && !n.waiting[installation] {
		for other := range n.waiting {
			delete(n.waiting, other)
			break
		}
	}
	delete(n.waiting, installation)
	n.sweep()
	n.begun[installation] = time.Now()
}

// sweep forgets what was begun too long ago to count.
func (n *newcomers) sweep() {
	if n.begun != nil && time.Since(n.swept) < quietFor {
		return
	}
	n.swept = time.Now()
	recent := map[int64]time.Time{}
	for installation, at := range n.begun {
		if time.Since(at) < quietFor {
			recent[installation] = at
		}
	}
	n.begun = recent
}
