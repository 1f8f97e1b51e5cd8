package bot

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// What CI says of a commit is told in the last line of the answer of the run that made it. The text of the answer is
// all that is known of what was told: so a report that comes twice or late changes nothing, or what is wrong by then.

// follow handles an event that follows a commit. It returns a *port.WaitError as long as there is something to follow.
func (b *Bot) follow(ctx context.Context, ev port.Event) error {
	if ev.Followed != nil && ev.Followed.Check != nil {
		return b.makeCheck(ctx, ev)
	}
	f, ok, err := b.follower(ctx, ev)
	if !ok || err != nil {
		return err
	}
	answer, ok := f.answer()
	if !ok {
		return f.wait(max(lookAgain, f.age()/4))
	}
	if edits, err := f.threadEdits(ctx); edits || err != nil {
		return cmp.Or(err, f.wait(lookAgain))
	}
	ci, err := f.look(ctx)
	if ended(err) {
		f.log.InfoContext(ctx, "commit no longer followed", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	if until := followAfter - f.age(); ci.Outcome == "" && until > 0 {
		return f.wait(until)
	}
	if until := settleAfter - f.age(); ci.Outcome == port.CheckPassed && until > 0 {
		return f.wait(until)
	}
	if ci.Outcome == port.CheckPending {
		return f.wait(cmp.Or(max(0, followAfter-f.age()), lookWhilePending))
	}
	after, err := f.tell(ctx, answer, ci)
	if errors.Is(err, port.ErrNotFound) {
		f.log.InfoContext(ctx, "the answer was deleted, so it cannot say what CI reported", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	return f.wait(after)
}

// tell tells in the answer what CI came to, and has a failure fixed if the settings want that. It returns after what
// time the commit is looked at again if CI does not report.
func (f follower) tell(ctx context.Context, answer record.AnswerComment, ci report.CI) (time.Duration, error) {
	told := report.Told{CI: ci, Links: f.links()}
	next, err := f.nextRound(ctx)
	if err != nil {
		return 0, err
	}
	var fixing *autofixRound
	if ci.Failed() && next.open() {
		if fixing, err = f.round(ctx); err != nil {
			return 0, err
		}
		told.Offers = fixing.offers
		if fixing.policy.CI == policy.MentionCI && f.ev.Comment.App == "" {
			told.Mention = f.ev.Sender.Login
		}
	}
	written, err := f.amend(ctx, answer, func(body string) (string, bool, error) {
		now, ok := f.in(told, body)
		if !ok || now == body || !ci.Failed() && !report.TellsOfFailure(body) {
			return now, ok, nil
		}
		return now, ok, f.offerFix(ctx, fixing, ci.Failed())
	})
	if err != nil {
		return 0, err
	}
	if !written {
		return max(lookAgain, f.age()/4), nil // the answer of a run that goes on
	}
	if err := f.tellRound(ctx, ci); err != nil {
		return 0, err
	}
	switch {
	case next.queued:
		return f.untilRound(), nil
	case next.began:
		return untilReport, f.endOf(ctx, next)
	case ci.Pending > 0:
		return lookWhilePending, nil
	case fixing != nil:
		return f.fix(ctx, fixing)
	}
	return untilReport, nil
}

// offerFix has the check run of the run that made the commit offer to fix what CI reports, or offer it no more. next is
// nil if nothing is to be fixed; the settings are read then, as there are other buttons.
func (f follower) offerFix(ctx context.Context, next *autofixRound, failed bool) (err error) {
	if f.rec.CheckClosed == nil && f.age() < unreportedAfter { // the run has yet to make it
		return f.wait(lookAgain)
	}
	failed = failed && next != nil
	if next == nil {
		if next, err = f.round(ctx); err != nil {
			return err
		}
	}
	inv, _ := f.bot.invocation(f.trigger)
	return f.bot.offerFix(ctx, f.ev, f.rec, inv.Command, failed, next.offers)
}
