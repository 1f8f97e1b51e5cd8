package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// freshLease is for how long a lease counts as valid that the database had as valid: a write within that time asks
	// nobody.
	freshLease = time.Second
	// guardTimeout is how long the database may take to confirm a lease before a write.
	guardTimeout = 5 * time.Second
)

// keepLease renews the lease of an event until stop is called. The context ends with port.ErrLeaseLost as its cause
// when another worker has the event, or may have it because the lease could not be renewed in time, and with a
// *port.CancelledError when the event was cancelled, which may have been before. Its port.Guard confirms the lease.
func (w *Workers) keepLease(ctx context.Context, c Claim) (leased context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if c.Cancelled != nil {
		cancel(c.Cancelled)
	}
	k := &leaseKeeper{w: w, ev: c.Event, lease: w.Store.leases.run(c.Event.Lease, cancel), cancel: cancel}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		k.renew(ctx, done)
	}()
	return port.WithGuard(ctx, k.guard), func() {
		close(done)
		<-ended
		w.Store.ends.remove(c.Event.Lease)
		w.Store.leases.remove(c.Event.Lease)
		cancel(nil)
	}
}

// leaseKeeper keeps the lease of an event while its handler runs.
type leaseKeeper struct {
	w      *Workers
	ev     port.Event
	lease  *lease
	cancel context.CancelCauseFunc // ends the handler's context
	lost   atomic.Bool
}

// lose ends the handler's context because the lease is lost.
func (k *leaseKeeper) lose() {
	k.lost.Store(true)
	k.cancel(port.ErrLeaseLost)
}

// renew renews the lease until done is closed.
func (k *leaseKeeper) renew(ctx context.Context, done <-chan struct{}) {
	period := k.w.Store.lease / renewals
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		// The lease is renewed as long as the handler has not returned, even if its context has ended.
		err := k.renewOnce(context.WithoutCancel(ctx))
		if errors.Is(err, port.ErrLeaseLost) {
			return
		}
		if err != nil {
			k.w.Log.WarnContext(ctx, "cannot renew a lease", "delivery", k.ev.Delivery, "error", err)
			if k.age() > k.w.Store.lease-period/2 { // it expires long before the next renewal, if not now
				k.lose()
				return
			}
		}
	}
}

// renewOnce renews the lease. It ends the handler's context if the lease is lost or the event was cancelled.
func (k *leaseKeeper) renewOnce(ctx context.Context) error {
	cancelled, err := k.w.Store.Renew(ctx, k.ev)
	if cancelled != nil {
		k.cancel(cancelled)
	}
	if errors.Is(err, port.ErrLeaseLost) {
		k.lose()
	}
	return err
}

func (k *leaseKeeper) age() time.Duration { return k.w.Store.leases.age(k.lease) }

// guard is the handler's port.Guard. It renews the lease, unless the database had it as valid just now. While the
// database does not answer, writes are allowed as long as no other worker can have the event.
func (k *leaseKeeper) guard(ctx context.Context) error {
	if k.lost.Load() {
		return port.ErrLeaseLost
	}
	if k.age() < freshLease {
		return nil
	}
	k.lease.guarding.Lock()
	defer k.lease.guarding.Unlock()
	if k.age() < freshLease {
		return nil
	}
	asking, stop := context.WithTimeout(ctx, guardTimeout)
	defer stop()
	err := k.renewOnce(asking)
	switch {
	case k.lost.Load(): // also if that was while the run waited for its slot
		return port.ErrLeaseLost
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case k.age() < k.w.Store.lease/2:
		return nil
	}
	return fmt.Errorf("confirming the lease before a write: %w", err)
}
