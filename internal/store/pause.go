package store

import (
	"sync"
	"time"
)

// pauses notices that this process did not run for a while, or that the queue's clock was set. The leases of other
// processes then seem to be expired, though their handlers may only have been paused too. They get the time to renew
// them before this process releases them. Safe for concurrent use.
type pauses struct {
	mu sync.Mutex
	// process and queue are the times of the last look, by the process's clock and by the queue's.
	process, queue time.Time
	until          time.Time // by the process's clock
}

// look compares the clocks with those of the last look, which was no longer than usual ago if nothing paused, and
// reports whether leases that seem to be expired may still be renewed. A lease is valid for valid.
func (p *pauses) look(process, queue time.Time, usual, valid time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.process.IsZero() {
		paused := elapsed(p.process, process) > usual+valid/renewals
		step := queue.Sub(p.queue) - process.Sub(p.process)
		if paused || step.Abs() > valid/(2*renewals) {
			p.until = process.Add(valid / 2) // a lease is renewed more often than that
		}
	}
	p.process, p.queue = process, queue
	return process.Before(p.until)
}

// renewals is how often a lease is renewed within its duration.
const renewals = 3
