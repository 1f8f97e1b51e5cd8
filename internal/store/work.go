package store

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

// errDied is the cause of giving up an event whose last attempt left no error.
var errDied = fmt.Errorf("the program ended while it worked on this, and all %d attempts are used up", MaxAttempts)

const (
	// firstDelay is the wait before the second attempt; each further one waits delayFactor times as long.
	firstDelay  = 10 * time.Second
	delayFactor = 6
	// maxDelay bounds every wait. GitHub's rate limits start anew each hour.
	maxDelay = time.Hour
	// maxGiveUps is the attempt after which nobody is told any more: telling failed as often as the work itself.
	maxGiveUps = 2 * MaxAttempts
)

// work handles one event under its lease.
func (w *Workers) work(ctx context.Context, c Claim) {
	leased, stop := w.keepLease(ctx, c)
	defer stop()
	// Even when the program stops, how it ended has to be written.
	end := context.WithoutCancel(ctx)
	switch {
	case c.Cancelled != nil && c.Event.Attempt > maxGiveUps:
		w.dismiss(end, c.Event, c.Cancelled, errDied)
	case c.Cancelled == nil && c.Event.Attempt > MaxAttempts:
		w.giveUp(leased, end, c.Event, c.failure())
	default:
		w.handle(leased, end, c)
	}
}

// failure is why an event is given up without another attempt.
func (c Claim) failure() error {
	if c.LastError != "" {
		return errors.New(c.LastError)
	}
	return errDied
}

func (w *Workers) handle(leased, end context.Context, c Claim) {
	err := w.call(leased, c.Event, "handling", func() error { return w.Handler.Handle(leased, c.Event) })
	var cancelled *bot.CancelledError
	switch {
	case errors.As(context.Cause(leased), &cancelled):
		w.dismiss(end, c.Event, cancelled, err)
	case err == nil:
		w.settled(end, c.Event, w.Store.Complete(end, c.Event))
	case lost(leased, err):
		w.settled(end, c.Event, bot.ErrLeaseLost)
	case stopping(leased):
		w.settled(end, c.Event, w.Store.GiveBack(end, c.Event))
	case permanent(err) || c.Event.Attempt >= MaxAttempts:
		w.giveUp(leased, end, c.Event, err)
	default:
		w.retry(end, c.Event, err, delay(err, c.Event.Attempt))
	}
}

// dismiss ends an event that was cancelled. Its work is not tried again; telling people of its end is, when that failed.
func (w *Workers) dismiss(ctx context.Context, ev bot.Event, by *bot.CancelledError, err error) {
	var same *bot.CancelledError
	cutOff := err == nil || errors.Is(err, context.Canceled) || errors.As(err, &same)
	switch {
	case errors.Is(err, bot.ErrLeaseLost):
		w.settled(ctx, ev, err)
		return
	case !cutOff && !permanent(err) && ev.Attempt < maxGiveUps:
		w.retry(ctx, ev, err, delay(err, ev.Attempt))
		return
	case !cutOff:
		w.Log.ErrorContext(ctx, "nobody could be told that an event was cancelled", "delivery", ev.Delivery, "attempt", ev.Attempt, "error", err)
	}
	w.settled(ctx, ev, w.Store.settle(ctx, ev, settlement{state: stateDone, attempts: ev.Attempt, cause: by}))
}

// giveUp tells the people and parks the event. Telling them is tried again too; the work is not.
func (w *Workers) giveUp(leased, end context.Context, ev bot.Event, cause error) {
	attempt := ev.Attempt
	var err error
	if attempt <= maxGiveUps {
		err = w.call(leased, ev, "giving up", func() error { return w.Handler.GiveUp(leased, ev, cause) })
	}
	ev.Attempt = max(attempt, MaxAttempts) // what is stored: the next attempt is to tell people
	switch {
	case err == nil:
	case lost(leased, err):
		w.settled(end, ev, bot.ErrLeaseLost)
		return
	case stopping(leased):
		ev.Attempt = max(attempt-1, MaxAttempts)
		w.settled(end, ev, w.Store.Retry(end, ev, cause, 0))
		return
	default:
		w.Log.ErrorContext(end, "nobody could be told that an event was given up", "delivery", ev.Delivery, "attempt", attempt, "error", err)
		if attempt < maxGiveUps && !permanent(err) {
			w.retry(end, ev, cause, delay(err, attempt))
			return
		}
	}
	w.Log.ErrorContext(end, "an event was given up", "delivery", ev.Delivery, "thread", ev.ThreadKey(), "attempt", attempt, "error", cause)
	w.settled(end, ev, w.Store.Park(end, ev, cause))
}

func (w *Workers) retry(ctx context.Context, ev bot.Event, cause error, after time.Duration) {
	w.Log.WarnContext(ctx, "an event will be tried again", "delivery", ev.Delivery, "thread", ev.ThreadKey(),
		"attempt", ev.Attempt, "after", after, "error", cause)
	w.settled(ctx, ev, w.Store.Retry(ctx, ev, cause, after))
}

// settled logs that the end of an event could not be written. Then its lease runs out, and it is tried again; the
// records of its run keep that from doing things twice.
func (w *Workers) settled(ctx context.Context, ev bot.Event, err error) {
	if errors.Is(err, bot.ErrLeaseLost) {
		w.Log.WarnContext(ctx, "the lease of an event was lost", "delivery", ev.Delivery, "thread", ev.ThreadKey(), "attempt", ev.Attempt)
	} else if err != nil {
		w.Log.ErrorContext(ctx, "the end of an event cannot be written", "delivery", ev.Delivery, "thread", ev.ThreadKey(), "error", err)
	}
}

// call makes a panic an error.
func (w *Workers) call(ctx context.Context, ev bot.Event, doing string, fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Log.ErrorContext(ctx, "a handler panicked", "delivery", ev.Delivery, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("%s delivery %s panicked: %v", doing, ev.Delivery, p)
		}
	}()
	return fn()
}

// lost tells whether the event is another's now.
func lost(leased context.Context, err error) bool {
	return errors.Is(err, bot.ErrLeaseLost) || errors.Is(context.Cause(leased), bot.ErrLeaseLost)
}

// stopping tells whether the handler was cut off because the program stops.
func stopping(leased context.Context) bool { return errors.Is(context.Cause(leased), errStopping) }

// permanent asks the error whether trying again is no use.
func permanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

// delay is how long to wait after the given attempt: what the error asks for, or longer each time.
func delay(err error, attempt int) time.Duration {
	var r interface{ RetryAfter() time.Duration }
	if errors.As(err, &r) && r.RetryAfter() > 0 {
		return min(r.RetryAfter(), maxDelay)
	}
	d := firstDelay
	for i := 1; i < attempt && d < maxDelay; i++ {
		d *= delayFactor
	}
	return min(d, maxDelay)
}
