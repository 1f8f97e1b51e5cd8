package store

import (
	"sync"
	"time"
)

// queueClock is the time of a queue that one process has to itself. It begins at the wall clock's time, or at the
// latest time that the database has seen if that is later, and then passes as time does in the process, however the
// wall clock is set. So no retry waits longer because the clock was set back, also before a restart, and no lease
// expires because it was set forward. Safe for concurrent use.
type queueClock struct {
	read func() time.Time

	mu   sync.Mutex
	last time.Time // what read returned last
	now  time.Time
}

// newQueueClock returns a clock that passes as read does, from the later of seen and what read returns now.
func newQueueClock(read func() time.Time, seen time.Time) *queueClock {
	c := &queueClock{read: read, last: read()}
	if c.now = c.last; c.now.Before(seen) {
		c.now = seen
	}
	return c
}

// Now returns the queue's time. It never goes back.
func (c *queueClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	read := c.read()
	c.now = c.now.Add(max(0, read.Sub(c.last))) // by the monotonic clock, if read has its reading
	c.last = read
	return c.now
}

// elapsed returns the time between two moments of time.Now: by the monotonic clock, which stops while a machine is
// suspended, or by the wall clock, which can be set, whichever says longer.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0))) // Round(0) strips the monotonic reading
}
