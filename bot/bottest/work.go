package bottest

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxReports is the attempt after which nobody is told of the end of an event any more.
const maxReports = 2 * MaxAttempts

// work handles a claimed event and ends its lease.
func (w *World) work(c Claim) {
	ctx, end := context.WithCancelCause(w.t.Context())
	defer end(nil)
	if c.Cancelled != nil {
		end(c.Cancelled)
	}
	w.Queue.running(c.Event, end)
	if c.Cancelled == nil && c.Event.Attempt > MaxAttempts {
		w.deadLetter(ctx, c, lastErrorOf(c.LastError, c.GaveUp))
		return
	}
	err := w.Handler.Handle(ctx, c.Event)
	if len(w.running) == 1 && w.faults.revive() || w.faults.dead() {
		return // nobody ends the lease of a process that died
	}
	var cancelled *port.CancelledError
	switch {
	case errors.As(context.Cause(ctx), &cancelled):
		w.endCancelled(c.Event, err)
	case err == nil:
		w.ended(w.Queue.Complete(ctx, c.Event))
	case errors.Is(err, port.ErrLeaseLost):
	case isPermanent(err):
		w.giveUp(ctx, c, err)
	case waitOf(err) != nil:
		ev := c.Event
		ev.Attempt = max(ev.Attempt-1, 0)
		if !w.sleep(ev, waitOf(err), err, Patience, "") {
			c.GaveUp = waitOf(err).For
			w.giveUp(ctx, c, err)
		}
	case c.Event.Attempt >= MaxAttempts:
		w.giveUp(ctx, c, err)
	default:
		w.Log.Warn("an event failed and will be retried", "delivery", c.Event.Delivery, "error", err)
		w.ended(w.Queue.Retry(ctx, c.Event, err, retryDelay(err)))
	}
}

// giveUp makes an event a dead letter, or completes one that follows a commit: nobody waits for it.
func (w *World) giveUp(ctx context.Context, c Claim, cause error) {
	if c.Event.Kind == port.Following {
		w.ended(w.Queue.Complete(ctx, c.Event))
		return
	}
	w.deadLetter(ctx, c, cause)
}

// reportPatience is how long the report of the end of an event may wait.
const reportPatience = 30 * Patience

// sleep puts an event to sleep; false if its patience is over.
func (w *World) sleep(ev port.Event, wait *port.WaitError, cause error, patience time.Duration,
	gaveUp port.WaitReason) bool {
	ok, err := w.Queue.Sleep(context.Background(), ev, wait, cause, patience, gaveUp)
	w.ended(err)
	if ok {
		w.Log.Warn("an event waits and will be retried", "delivery", ev.Delivery, "because", string(wait.For),
			"error", wait)
	}
	return ok
}

// waitOf returns what an error waits for, nil if it is a failure.
func waitOf(err error) *port.WaitError {
	var wait *port.WaitError
	if isPermanent(err) || !errors.As(err, &wait) {
		return nil
	}
	return wait
}

// lastErrorOf returns why an event becomes a dead letter without another attempt: as a database tells it.
func lastErrorOf(err error, gaveUp port.WaitReason) error {
	if err == nil {
		err = errors.New("the program ended while it worked on this")
	}
	err = errors.New(err.Error())
	if gaveUp != "" {
		return &port.WaitError{For: gaveUp, Err: err}
	}
	return err
}

// endCancelled ends a cancelled event; reporting its end is retried, its work is not.
func (w *World) endCancelled(ev port.Event, err error) {
	var same *port.CancelledError
	if wait := waitOf(err); wait != nil {
		late := ev
		late.Attempt = max(ev.Attempt-1, 0)
		if w.sleep(late, wait, err, reportPatience, "") {
			return
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &same) && !isPermanent(err) &&
		ev.Attempt < maxReports {
		w.ended(w.Queue.Retry(context.Background(), ev, err, retryDelay(err)))
		return
	}
	w.ended(w.Queue.Complete(context.Background(), ev))
}

// deadLetter reports that an event failed for good; reporting is retried.
func (w *World) deadLetter(ctx context.Context, c Claim, cause error) {
	ev := c.Event
	err := w.Handler.DeadLetter(ctx, ev, cause)
	if w.faults.revive() {
		return
	}
	if wait := waitOf(err); wait != nil {
		late := ev
		late.Attempt = max(ev.Attempt-1, MaxAttempts)
		if w.sleep(late, wait, cause, reportPatience, c.GaveUp) {
			return
		}
	}
	if err != nil && !isPermanent(err) && ev.Attempt < maxReports {
		ev.Attempt = max(ev.Attempt, MaxAttempts)
		w.ended(w.Queue.Retry(ctx, ev, cause, retryDelay(err)))
		return
	}
	if err != nil {
		w.Log.Error("cannot report a dead letter", "delivery", ev.Delivery, "error", err)
	}
	w.Log.Error("the event is a dead letter", "delivery", ev.Delivery, "error", cause)
	w.ended(w.Queue.DeadLetter(ctx, ev, cause))
}

func (w *World) ended(err error) { require.NoError(w.t, err, "ending the lease of an event") }

func retryDelay(err error) time.Duration {
	var r interface{ RetryAfter() time.Duration }
	if errors.As(err, &r) && r.RetryAfter() > 0 {
		return r.RetryAfter()
	}
	return 10 * time.Second
}

// isPermanent reports whether no further attempt heals an error.
func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
