package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Handle carries out the command of an event, if it has one. It may be called again for the same event after a crash or
// an error, and then continues where the run was. It returns nil when the event is done with, whatever the answer was.
func (b *Bot) Handle(ctx context.Context, ev port.Event) error {
	if ev.Kind == port.Following {
		return b.follow(ctx, ev)
	}
	return b.unlessNoThread(ctx, ev, b.handle(ctx, ev))
}

func (b *Bot) handle(ctx context.Context, ev port.Event) error {
	lasting, end := uncancellable(ctx)
	defer end()
	r, err := b.start(lasting, ev, func() *port.CancelledError { return cancelled(ctx) })
	if r == nil || err != nil {
		return err
	}
	defer b.audience().Ended(r.id())
	running := ctx
	if r.journal.Record().Committing { // an attempt that died may have committed
		running = lasting
	}
	err = r.serve(running, handler(r.inv.Command))
	r.progress.stop()
	if r.noReturn.passed {
		running = lasting
	}
	left := r.over(lasting, r.conclude(running, lasting, err))
	if left == nil {
		r.endRound(lasting, r.whyStopped(running, err))
	}
	r.auditor().ended(running, err)
	return left
}

// conclude turns the error of a run into its answer, if that is what it calls for. running is the context of the run,
// which a cancel ends; lasting is one that a cancel does not end.
func (r *run) conclude(running, lasting context.Context, err error) error {
	var user *port.UserError
	var wait *port.WaitError
	var stopped *stoppedError
	switch by := cancelled(running); {
	case err == nil || errors.Is(err, errTurnedAway):
		return nil
	case errors.As(err, &stopped):
		return r.endStopped(running, stopped)
	case by != nil:
		r.log.InfoContext(lasting, "cancelled", "by", by.By)
		return r.endCancelled(lasting, by)
	case errors.As(err, &wait):
		r.tellWaiting(lasting, wait)
	case errors.As(err, &user) && refusedRound(r.ev, r.journal.Record()):
		r.log.InfoContext(running, "a round of autofix refused", "text", user.Text)
		return nil
	case errors.As(err, &user):
		r.log.InfoContext(running, "command refused", "text", user.Text)
		return r.end(running, r.answers(), user.Text, "failure")
	}
	return err
}

// whyStopped returns why the run ended if somebody or something stopped it, as a clause; else nothing.
func (r *run) whyStopped(running context.Context, err error) string {
	var stopped *stoppedError
	switch {
	case errors.As(err, &stopped):
		return stopped.why
	case refusedRound(r.ev, r.journal.Record()) && errors.As(err, new(*port.UserError)):
		return sentence.AutofixRefused
	case cancelled(running) != nil:
		return sentence.AutofixCancelled
	case isRound(r.ev) && r.journal.Record().Preview != nil:
		return sentence.CautionHeld
	}
	return ""
}

// over ends what a run that is over left outside of its thread. err is how it ended; one that is handled again is not
// over.
func (r *run) over(ctx context.Context, err error) error {
	if err != nil && !errors.Is(err, errNoThread) {
		return err
	}
	if failed := r.verifier().dropScratch(ctx); failed != nil {
		return failed
	}
	return err
}

// NotifyQueued answers that the command of an event waits for that of another one. The run finds the answer again when
// its turn comes. told is false if there is no notice: nobody is to know of the command, or there is a *port.WaitError.
// After one with told it may be there; with ev.Notified, it is looked for.
func (b *Bot) NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error) {
	r, err := b.startWaiting(ctx, ev)
	if r == nil || err != nil {
		return ev.Notified, err
	}
	if _, ok := b.invocation(ahead); !ok { // it only looked as if it had a command, and is done with at once
		return false, nil
	}
	a := r.answers()
	if ev.Notified {
		if _, exists, err := a.find(ctx); exists || err != nil {
			return true, err
		}
	}
	_, err = a.post(ctx, a.place(), report.QueuedNotice(r.subject(), r.verbOf(ahead), ahead), b.GitHub.Notify)
	return !overLimit(err), err
}

// Acknowledge shows that tenon received a command that waits for another one or for a worker.
// After a *port.WaitError it can be called again.
func (b *Bot) Acknowledge(ctx context.Context, ev port.Event) error {
	r, err := b.startWaiting(ctx, ev)
	if r == nil || err != nil {
		return err
	}
	return r.acknowledge(ctx, ev)
}

// startWaiting returns the run of an event that is not handled yet, nil if nothing is to be said to its sender yet.
func (b *Bot) startWaiting(ctx context.Context, ev port.Event) (*run, error) {
	inv, ok := b.invocation(ev)
	if !ok || inv.Problem != "" || ev.Kind == port.Ticked || ev.Kind == port.Autofix || b.mayNotAsk(ev) {
		return nil, nil
	}
	r, err := b.newRun(ev, inv, port.Run{ID: port.RunID(ev.Delivery), Started: b.Now()}, b.Policy)
	if err != nil {
		return nil, err
	}
	permission, err := r.thread().permission(ctx)
	if err != nil || !permission.Allows(inv.Command.Needs) || !b.serves(ev.Repo.Owner) {
		return nil, err
	}
	return r, nil
}
