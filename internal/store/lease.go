package store

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

// renewals is how often a lease is renewed in its time.
const renewals = 3

// keepLease renews the lease of an event until stop is called. The context ends, with bot.ErrLeaseLost as its cause,
// when somebody else has the event, or may have it because the lease could not be renewed in time; and with a
// *bot.CancelledError when the event was cancelled, which may have been before.
func (w *Workers) keepLease(ctx context.Context, c Claim) (leased context.Context, stop func()) {
	leased, cancel := context.WithCancelCause(ctx)
	if c.Cancelled != nil {
		cancel(c.Cancelled)
	}
	forget := w.Store.inWork.add(c.Event.Lease, cancel)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		w.renew(leased, c.Event, cancel, done)
	}()
	return leased, func() {
		close(done)
		<-ended
		forget()
		cancel(nil)
	}
}

func (w *Workers) renew(ctx context.Context, ev bot.Event, cancel context.CancelCauseFunc, done <-chan struct{}) {
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
		case errors.Is(err, bot.ErrLeaseLost):
			cancel(bot.ErrLeaseLost)
			return
		default:
			w.Log.WarnContext(ctx, "a lease cannot be renewed", "delivery", ev.Delivery, "error", err)
			if time.Since(renewed) >= w.Store.lease {
				cancel(bot.ErrLeaseLost)
				return
			}
		}
	}
}
