package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// autofixRound is a round of autofix that may begin.
type autofixRound struct {
	ev port.Event
	// policy is that of the repository as it is now.
	policy policy.Policy
	// again asks whether the round may commit to a branch, offers reports whether a command may be given there.
	again  func(ctx context.Context, head record.Target) (verdict, error)
	offers func(verb string) bool
	ci     ciReader
}

// round returns the next round of autofix, with the settings as they are now, whether or not it is to be.
func (f follower) round(ctx context.Context) (*autofixRound, error) {
	ev, err := f.autofixEvent(ctx)
	if err != nil {
		return nil, err
	}
	p, err := f.bot.policyFor(ctx, f.ev.Repo, nil)
	if err != nil {
		return nil, err
	}
	c, _ := command.Lookup(command.Fix)
	r, err := f.bot.newRun(ev, command.Invocation{Command: c}, port.Run{ID: port.RunID(ev.Delivery)}, p)
	if err != nil {
		return nil, err
	}
	return &autofixRound{ev: ev, policy: p, again: r.askAgain, offers: r.offers, ci: r.ci()}, nil
}

// fix has the next round of autofix begin, unless there is a reason against it, which is told and final. It returns
// after what time the commit is looked at again.
func (f follower) fix(ctx context.Context, next *autofixRound) (time.Duration, error) {
	allowed := next.policy.Autofix
	t := f.target()
	if t.Fork != nil || f.rec.Undo != nil || f.rec.Merge != nil || f.rec.Forgotten ||
		allowed == 0 && f.ev.Followed.Round == 0 || next.policy.CI == policy.IgnoreCI {
		return untilReport, nil
	}
	if over, err := f.toldEnd(ctx); over || err != nil {
		return untilReport, err
	}
	why, err := f.whyNot(ctx, next, t)
	if err != nil {
		return 0, err
	}
	told := report.Rounds{End: why}
	if why == "" {
		told.Rounds = []report.Round{{N: next.ev.Followed.Round, Of: allowed}}
	}
	written, err := f.tellFirst(ctx, told)
	if err != nil || !written || why != "" {
		return untilReport, err
	}
	f.log.InfoContext(ctx, "a round of autofix begins", "round", next.ev.Followed.Round, "of", allowed)
	err = f.bot.Watches.Autofix(ctx, next.ev)
	if errors.As(err, new(*port.CancelledError)) { // the next look finds out
		return lookAgain, nil
	}
	if err != nil {
		return 0, fmt.Errorf("asking for round %d of autofix: %w", next.ev.Followed.Round, err)
	}
	return untilBegun, nil
}

// whyNot returns why there is no further round, as a clause; empty if there is to be one. What it learns of the failure
// goes to the event of the round.
func (f follower) whyNot(ctx context.Context, next *autofixRound, t record.Target) (string, error) {
	switch round := next.ev.Followed.Round; {
	case next.policy.Autofix == 0:
		return sentence.AutofixOff, nil
	case round > next.policy.Autofix:
		return sentence.AutofixRoundsDone(next.policy.Autofix), nil
	}
	if stopped, err := f.bot.Watches.Stopped(ctx, f.ev); stopped || err != nil {
		return sentence.AutofixCancelled, err
	}
	asked, err := next.again(ctx, t)
	if why := cmp.Or(asked.refusal, asked.readOnly(t), f.overBudget(ctx, next)); why != "" || err != nil {
		return why, err
	}
	if previews, err := f.firstPreviews(ctx, asked.policy); previews || err != nil {
		return sentence.PreviewWantedNow, err
	}
	tip, ok, err := branches{f.bot.Repos, f.ev.Repo}.tip(ctx, t)
	if err != nil {
		return "", fmt.Errorf("asking for the tip of %s: %w", t.Branch, err)
	}
	if !ok || tip != f.ev.Followed.Commit {
		return sentence.AutofixMoved, nil
	}
	failed, err := next.ci.checks(ctx, f.ev.Followed.Commit)
	if err == nil {
		failed, err = next.ci.explain(ctx, failed)
	}
	if err != nil {
		return "", err
	}
	followed := next.ev.Followed
	now, before := failed.fingerprint(), followed.Failures
	if followed.Failures = append(slices.Clone(before), now); len(followed.Failures) > maxRemembered {
		followed.Failures = slices.Delete(followed.Failures, 0, len(followed.Failures)-maxRemembered)
	}
	switch i := slices.Index(before, now); {
	case i < 0:
		return "", nil
	case i < len(before)-1:
		return sentence.AutofixSameAgain, nil
	}
	return sentence.AutofixSame, nil
}

// firstPreviews reports whether the first command, or that of the preview in which somebody ticked a box, would only
// show its edits by the settings as they are now: nobody read what a round makes of the same text.
func (f follower) firstPreviews(ctx context.Context, p policy.Policy) (bool, error) {
	rec, first, ok, err := f.bot.recordOf(ctx, f.ev.Followed.First)
	if ok && err == nil && rec.Source != nil && rec.Source.Preview != "" {
		_, first, ok, err = f.bot.recordOf(ctx, rec.Source.Preview)
	}
	if !ok || err != nil {
		return false, err
	}
	inv, _ := f.bot.invocation(first)
	r, err := f.bot.newRun(first, inv, port.Run{ID: f.ev.Followed.First}, f.bot.Policy)
	return err == nil && r.previewsOnly(ctx, p), err
}

// overBudget returns which budget has no room for another command; empty if all have, or that is unknown: the run is
// asked anyway.
func (f follower) overBudget(ctx context.Context, next *autofixRound) string {
	states, err := f.bot.Budget.Usage(ctx, next.ev, next.policy.Budget)
	if err != nil {
		f.log.WarnContext(ctx, "budgets not read", "error", err)
	}
	for _, s := range states {
		if s.Used >= s.Limit {
			return sentence.AutofixOverBudget(s.Of)
		}
	}
	return ""
}
