package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// errDied is the cause of a dead letter whose last attempt left no error.
var errDied = errors.New("the program ended while it worked on this")

const (
	// firstDelay is the wait before the second attempt; each further one waits delayFactor times as long.
	firstDelay  = 10 * time.Second
	delayFactor = 6
	// maxReports is the attempt after which the end of an event is not reported any more: reporting it failed as often
	// as handling it.
	maxReports = 2 * MaxAttempts
)

// work handles one leased event and ends its lease.
func (w *Workers) work(ctx context.Context, c Claim) {
	defer w.Store.attemptEnded(c.Event)
	leased, stop := w.keepLease(ctx, c)
	defer stop()
	// The lease has to be ended even when the program stops.
	end := context.WithoutCancel(ctx)
	switch {
	case c.Cancelled != nil && c.Event.Attempt > maxReports:
		w.endCancelled(end, c.Event, c.Cancelled, errDied)
	case c.Cancelled == nil && c.Event.Attempt > MaxAttempts:
		w.deadLetter(leased, end, c, c.lastError())
	default:
		w.handle(leased, end, c)
	}
}

// lastError returns why an event becomes a dead letter without another attempt.
func (c Claim) lastError() error {
	err := errDied
	if c.LastError != "" {
		err = errors.New(c.LastError)
	}
	if c.GaveUp != "" {
		return &port.WaitError{For: c.GaveUp, Err: err}
	}
	return err
}

func (w *Workers) handle(leased, end context.Context, c Claim) {
	err := w.recovered(leased, c.Event, "handling", func() error { return w.Handler.Handle(leased, c.Event) })
	var cancelled *port.CancelledError
	switch {
	case errors.As(context.Cause(leased), &cancelled):
		w.endCancelled(end, c.Event, cancelled, err)
	case err == nil:
		w.logEnd(end, c.Event, w.Store.Complete(end, c.Event))
	case isLost(leased, err):
		w.logEnd(end, c.Event, port.ErrLeaseLost)
	case isStopping(leased):
		w.logEnd(end, c.Event, w.Store.Release(end, c.Event))
	case isPermanent(err):
		w.giveUp(leased, end, c, err)
	case waitOf(err) != nil:
		w.sleepOrGiveUp(leased, end, c, waitOf(err))
	case c.Event.Attempt >= MaxAttempts:
		w.giveUp(leased, end, c, err)
	default:
		w.retry(end, c.Event, err, retryDelay(err, c.Event.Attempt))
	}
}

// giveUp makes an event a dead letter, or completes one that follows a commit: nobody has to be told, and the next
// report of CI makes it ready again.
func (w *Workers) giveUp(leased, end context.Context, c Claim, cause error) {
	if c.Event.Kind != port.Following {
		w.deadLetter(leased, end, c, cause)
		return
	}
	if waitOf(cause) == nil {
		w.Log.ErrorContext(end, "cannot check the CI results of a followed commit", "delivery", c.Event.Delivery,
			"thread", c.Event.ThreadKey(), "attempt", c.Event.Attempt, "error", cause)
	}
	w.logEnd(end, c.Event, w.Store.Complete(end, c.Event))
}

// sleepOrGiveUp puts an event to sleep, without counting the attempt, or gives it up if its patience is over. That of
// an event that follows a commit is Options.Follow.
func (w *Workers) sleepOrGiveUp(leased, end context.Context, c Claim, wait *port.WaitError) {
	ev := c.Event
	ev.Attempt = max(ev.Attempt-1, 0)
	patience := w.Patience
	if wait.For == port.VerifyReport { // its run ends it, and has the edits
		patience = max(patience, DefaultPatience)
	}
	if ev.Kind == port.Following {
		patience = w.Store.follow
	}
	if w.sleep(end, ev, Sleep{Wait: wait, Patience: patience}) {
		return
	}
	c.GaveUp = wait.For
	w.giveUp(leased, end, c, wait)
}

// sleep puts an event to sleep, with ev.Attempt as the number of attempts so far. It returns false if the event has
// used up its patience.
func (w *Workers) sleep(ctx context.Context, ev port.Event, sl Sleep) bool {
	ok, err := w.Store.Sleep(ctx, ev, sl)
	if ok {
		level := slog.LevelWarn
		if isForCI(sl.Wait) {
			level = slog.LevelDebug
		}
		w.Log.Log(ctx, level, "an event waits and will be retried", "delivery", ev.Delivery, "thread", ev.ThreadKey(),
			"because", string(sl.Wait.For), "error", sl.Wait)
	}
	w.logEnd(ctx, ev, err)
	return ok || err != nil
}

// endCancelled ends a cancelled event. err is the error of reporting its end, which is retried; its work is not.
func (w *Workers) endCancelled(ctx context.Context, ev port.Event, cancelled *port.CancelledError, err error) {
	var same *port.CancelledError
	reported := err == nil || errors.Is(err, context.Canceled) || errors.As(err, &same)
	switch {
	case errors.Is(err, port.ErrLeaseLost):
		w.logEnd(ctx, ev, err)
		return
	case !reported && w.sleepsToReport(ctx, ev, Sleep{Wait: waitOf(err)}, max(ev.Attempt-1, 0)):
		return
	case !reported && !isPermanent(err) && waitOf(err) == nil && ev.Attempt < maxReports:
		w.retry(ctx, ev, err, retryDelay(err, ev.Attempt))
		return
	case !reported:
		w.Log.ErrorContext(ctx, "cannot report that an event was cancelled",
			"delivery", ev.Delivery, "attempt", ev.Attempt, "error", err)
	}
	done := eventState{state: stateDone, attempts: ev.Attempt, cause: cancelled}
	w.logEnd(ctx, ev, w.Store.endLease(ctx, ev, done))
}

// deadLetter reports that an event failed for good and makes it a dead letter. Reporting is retried; the work is not.
func (w *Workers) deadLetter(leased, end context.Context, c Claim, cause error) {
	ev, attempt := c.Event, c.Event.Attempt
	var err error
	if attempt <= maxReports {
		err = w.recovered(leased, ev, "reporting the failure of",
			func() error { return w.Handler.DeadLetter(leased, ev, cause) })
	}
	ev.Attempt = max(attempt, MaxAttempts) // stored, so that the next attempt only reports
	switch {
	case err == nil:
	case isLost(leased, err):
		w.logEnd(end, ev, port.ErrLeaseLost)
		return
	case isStopping(leased):
		ev.Attempt = max(attempt-1, MaxAttempts)
		w.logEnd(end, ev, w.Store.retryReport(end, ev, cause, c.GaveUp))
		return
	case w.sleepsToReport(end, ev, Sleep{Wait: waitOf(err), Cause: cause, GaveUp: c.GaveUp}, max(attempt-1, MaxAttempts)):
		return
	default:
		w.Log.ErrorContext(end, "cannot report a dead letter",
			"delivery", ev.Delivery, "attempt", attempt, "error", err)
		if attempt < maxReports && !isPermanent(err) && waitOf(err) == nil {
			w.retry(end, ev, cause, retryDelay(err, attempt))
			return
		}
	}
	w.Log.ErrorContext(end, "the event is a dead letter",
		"delivery", ev.Delivery, "thread", ev.ThreadKey(), "attempt", attempt, "error", cause)
	w.logEnd(end, ev, w.Store.DeadLetter(end, ev, cause))
}

// sleepsToReport puts an event to sleep of which only the end has to be reported, and reports whether it did. There is
// no Wait if the report failed for another reason. attempts is the number of attempts so far.
func (w *Workers) sleepsToReport(ctx context.Context, ev port.Event, sl Sleep, attempts int) bool {
	if sl.Wait == nil || isPermanent(sl.Wait) {
		return false
	}
	ev.Attempt, sl.Patience = attempts, reportPatience
	return w.sleep(ctx, ev, sl)
}

func (w *Workers) retry(ctx context.Context, ev port.Event, cause error, after time.Duration) {
	w.Log.WarnContext(ctx, "an event failed and will be retried", "delivery", ev.Delivery, "thread", ev.ThreadKey(),
		"attempt", ev.Attempt, "after", after, "error", cause)
	w.logEnd(ctx, ev, w.Store.Retry(ctx, ev, cause, after))
}

// logEnd logs the error of ending a lease. The lease then expires, and the event is handled again; the records of its
// run keep that from doing anything twice.
func (w *Workers) logEnd(ctx context.Context, ev port.Event, err error) {
	if errors.Is(err, port.ErrLeaseLost) {
		w.Log.WarnContext(ctx, "the lease of an event was lost",
			"delivery", ev.Delivery, "thread", ev.ThreadKey(), "attempt", ev.Attempt)
	} else if err != nil {
		w.Log.ErrorContext(ctx, "cannot record the end of an event",
			"delivery", ev.Delivery, "thread", ev.ThreadKey(), "error", err)
	}
}

// recovered calls fn and returns a panic in it as an error.
func (w *Workers) recovered(ctx context.Context, ev port.Event, doing string, fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Log.ErrorContext(ctx, "a handler panicked",
				"delivery", ev.Delivery, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("%s delivery %s panicked: %v", doing, ev.Delivery, p)
		}
	}()
	return fn()
}

// isLost reports whether the lease was lost while the handler ran.
func isLost(leased context.Context, err error) bool {
	return errors.Is(err, port.ErrLeaseLost) || errors.Is(context.Cause(leased), port.ErrLeaseLost)
}

// isStopping reports whether the handler's context ended because the program stops.
func isStopping(leased context.Context) bool { return errors.Is(context.Cause(leased), errStopping) }

// isPermanent reports whether err says that a retry would fail too.
func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

// retryDelay returns how long to wait after the given attempt: what the error asks for, or longer each time.
func retryDelay(err error, attempt int) time.Duration {
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
