package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// renewals is how often a lease is renewed within its duration.
const renewals = 3

// keepLease renews the lease of an event until stop is called. The context ends with port.ErrLeaseLost as its cause
// when another worker has the event, or may have it because the lease could not be renewed in time, and with a
// *port.CancelledError when the event was cancelled, which may have been before.
func (w *Workers) keepLease(ctx context.Context, c Claim) (leased context.Context, stop func()) {
	leased, cancel := context.WithCancelCause(ctx)
	if c.Cancelled != nil {
		cancel(c.Cancelled)
	}
	remove := w.Store.handlers.add(c.Event.Lease, cancel)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		w.renew(leased, c.Event, cancel, done)
	}()
	return leased, func() {
		close(done)
		<-ended
		remove()
		cancel(nil)
	}
}

func (w *Workers) renew(ctx context.Context, ev port.Event, cancel context.CancelCauseFunc, done <-chan struct{}) {
	tick := time.NewTicker(w.Store.lease / renewals)
	defer tick.Stop()
	renewed := time.Now()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		// The lease is renewed as long as the handler has not returned, even if its context has ended.
		cancelled, err := w.Store.Renew(context.WithoutCancel(ctx), ev)
		if cancelled != nil {
			cancel(cancelled)
		}
		switch {
		case err == nil:
			renewed = time.Now()
		case errors.Is(err, port.ErrLeaseLost):
			cancel(port.ErrLeaseLost)
			return
		default:
			w.Log.WarnContext(ctx, "a lease cannot be renewed", "delivery", ev.Delivery, "error", err)
			if time.Since(renewed) >= w.Store.lease {
				cancel(port.ErrLeaseLost)
				return
			}
		}
	}
}

// handlers are the running handlers of this process, by lease, so that a cancelled one ends at once.
type handlers struct {
	mu     sync.Mutex
	cancel map[string]context.CancelCauseFunc
}

// add adds the handler that works under a lease, until remove is called.
func (h *handlers) add(lease string, cancel context.CancelCauseFunc) (remove func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cancel == nil {
		h.cancel = map[string]context.CancelCauseFunc{}
	}
	h.cancel[lease] = cancel
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.cancel, lease)
	}
}

// none reports whether no handler runs.
func (h *handlers) none() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.cancel) == 0
}

// end cancels the context of a handler of this process. A handler of another process ends when that is told, or when it
// renews its lease.
func (h *handlers) end(lease string, cause *port.CancelledError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cancel, ok := h.cancel[lease]; ok {
		cancel(cause)
	}
}
