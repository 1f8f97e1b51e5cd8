package store

import (
	"context"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// leases are the leases of this process's handlers, by token: from before the claim is committed until the handler has
// returned. The zero value is ready. Safe for concurrent use.
type leases struct {
	mu      sync.Mutex
	byToken map[string]*lease
}

// lease is a lease of a handler of this process.
type lease struct {
	// guarding is locked while the lease is renewed before a write: writes at the same time need one renewal.
	guarding sync.Mutex
	// confirmed is a moment at which the database had the lease as valid. It is from before the database was asked.
	confirmed time.Time
	// cancel ends the handler's context; nil until it runs. cancelled is set if the event was cancelled before.
	cancel    context.CancelCauseFunc
	cancelled *port.CancelledError
}

// add adds a lease that is about to be claimed.
func (l *leases) add(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byToken == nil {
		l.byToken = map[string]*lease{}
	}
	l.byToken[token] = &lease{confirmed: time.Now()}
}

// remove removes a lease.
func (l *leases) remove(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byToken, token)
}

// has reports whether a lease is one of this process's handlers.
func (l *leases) has(token string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byToken[token] != nil
}

// none reports whether this process has no lease.
func (l *leases) none() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.byToken) == 0
}

// run sets how the context of a lease's handler is ended, and ends it if the event was cancelled before.
func (l *leases) run(token string, cancel context.CancelCauseFunc) *lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.byToken[token]
	if of.cancel = cancel; of.cancelled != nil {
		cancel(of.cancelled)
	}
	return of
}

// end cancels the context of a handler of this process. A handler of another process ends when that is told, or when it
// renews its lease.
func (l *leases) end(token string, cause *port.CancelledError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch of := l.byToken[token]; {
	case of == nil:
	case of.cancel == nil:
		of.cancelled = cause
	default:
		of.cancel(cause)
	}
}

// confirm records that the database had a lease as valid when it was asked, which began at a moment.
func (l *leases) confirm(token string, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if of := l.byToken[token]; of != nil && of.confirmed.Before(at) { // who asked first may be late
		of.confirmed = at
	}
}

// age returns how long ago the database had a lease as valid.
func (l *leases) age(lease *lease) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return elapsed(lease.confirmed, time.Now())
}
