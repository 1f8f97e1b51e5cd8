package webhook

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// defaultMemory is how many bytes the bodies of all deliveries may take in memory together: two of the largest, or
	// thousands of the usual ones, which have about 20 KB.
	defaultMemory = 64 << 20
	// newcomer is the age up to which a body is not evicted: almost all have been read by then.
	newcomer = time.Second
	// roomWait is how long a body waits for memory before its delivery is refused, and roomPoll how often it looks which
	// other one can be evicted.
	roomWait = 5 * time.Second
	roomPoll = 100 * time.Millisecond
)

var (
	errNoRoom  = errors.New("there is no room for the body")
	errEvicted = errors.New("the body was evicted for being slow, as there was no room for others")
)

// room is the memory for the bodies of all deliveries. A body reserves what it takes as it is received, not what its
// sender says that it will have. When there is not enough room, the slowest body that is still being received is
// evicted: nobody keeps others out by being slow. Safe for concurrent use.
type room struct {
	size int

	mu     sync.Mutex
	used   int
	bodies map[*body]bool
	freed  chan struct{} // closed when memory is freed
}

func newRoom(size int) *room {
	return &room{size: size, bodies: map[*body]bool{}, freed: make(chan struct{})}
}

// body is the body of one delivery in a room. Its fields are guarded by the room's mutex.
type body struct {
	reserved int
	// begun is when the first byte was waited for, received how many have come. Of the rate at which they come, seen and
	// at are what was received when it was last measured, before and since the same a second earlier or more.
	begun                  time.Time
	received, seen, before int
	at, since              time.Time
	// complete is set when all has been received, evicted when the reader was told to end.
	complete, evicted bool
	// interrupt ends a read that waits for bytes.
	interrupt func()
}

// enter adds a body that has reserved nothing. leave must be called.
func (m *room) enter(interrupt func()) *body {
	now := time.Now()
	b := &body{begun: now, at: now, since: now, interrupt: interrupt}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bodies[b] = true
	return b
}

// leave removes a body, and frees what it has reserved.
func (m *room) leave(b *body) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.bodies, b)
	m.free(b, b.reserved)
}

// reserve reserves n more bytes for a body. It waits for a while, evicting slower ones, and returns errNoRoom in the
// end; errEvicted if the body itself was evicted.
func (m *room) reserve(ctx context.Context, b *body, n int) error {
	for until := time.Now().Add(roomWait); ; {
		freed, err := m.tryReserve(b, n)
		if freed == nil || err != nil {
			return err
		}
		if !time.Now().Before(until) {
			return errNoRoom
		}
		select {
		case <-freed:
		case <-time.After(roomPoll):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tryReserve is reserve without waiting. If there is no room yet, it evicts a body and returns the channel that is
// closed when memory is freed.
func (m *room) tryReserve(b *body, n int) (freed <-chan struct{}, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b.evicted {
		return nil, errEvicted
	}
	if m.used+n <= m.size {
		m.used += n
		b.reserved += n
		return nil, nil
	}
	if slow, coming := m.slowest(b); slow != nil && m.used-coming+n > m.size {
		slow.evicted = true
		slow.interrupt()
	}
	return m.freed, nil
}

// slowest returns the body other than b that was received at the lowest rate lately, of those that may be evicted; nil
// if there is none. coming is how much the evicted ones will free.
func (m *room) slowest(b *body) (slow *body, coming int) {
	now, lowest := time.Now(), 0.0
	for other := range m.bodies {
		if other.evicted {
			coming += other.reserved
			continue
		}
		if other == b || other.complete || now.Sub(other.begun) < newcomer {
			continue
		}
		if rate := other.rate(now); slow == nil || rate < lowest {
			slow, lowest = other, rate
		}
	}
	return slow, coming
}

// rate returns how many bytes per second came lately. The room's mutex must be locked.
func (b *body) rate(now time.Time) float64 {
	if now.Sub(b.at) >= time.Second {
		b.before, b.since = b.seen, b.at
		b.seen, b.at = b.received, now
	}
	return float64(b.received-b.before) / max(now.Sub(b.since).Seconds(), 0.001)
}

// shrink frees n of the bytes that a body has reserved.
func (m *room) shrink(b *body, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free(b, n)
}

// free is shrink with the mutex locked.
func (m *room) free(b *body, n int) {
	b.reserved -= n
	m.used -= n
	close(m.freed)
	m.freed = make(chan struct{})
}

// receive counts n bytes that were received of a body.
func (m *room) receive(b *body, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b.received += n
}

// complete keeps a body from being evicted that was received to its end: its signature is known in a moment. It
// returns errEvicted if that comes too late. f is called before, unless it does.
func (m *room) complete(b *body, f func()) error {
	return m.unlessEvicted(b, func() error {
		b.complete = true
		f()
		return nil
	})
}

// unlessEvicted calls f unless the body was evicted. A body is not evicted while f runs.
func (m *room) unlessEvicted(b *body, f func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b.evicted {
		return errEvicted
	}
	return f()
}
