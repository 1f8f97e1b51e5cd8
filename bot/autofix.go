package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// If CI fails on a commit, the settings may want rounds of autofix: each is a run of its own with the command "fix ci",
// in the thread and in the name of whoever asked for the first commit. Which round comes next is known from the event
// that follows the commit, and that it has begun from its run: nothing else is stored.

// untilBegun is the least time after which a round that was asked for is looked at, which may have been cancelled in
// the queue, and latestBegun the greatest.
const (
	untilBegun  = time.Minute
	latestBegun = time.Hour
)

// maxRemembered is how many failures a round of autofix knows of, its own included.
const maxRemembered = 5

// nextRound is how far the round of autofix is that a failure of the commit may have, as far as that is known without
// GitHub.
type nextRound struct {
	// queued reports that it waits in its thread's queue or is at work, began that there is a record of it.
	queued, began bool
	rec           record.Record
}

// nextRound asks how far the next round is.
func (f follower) nextRound(ctx context.Context) (n nextRound, err error) {
	delivery := f.nextDelivery()
	queued, err := f.bot.Queue.Queued(ctx, port.Event{Repo: f.ev.Repo, Thread: f.ev.Thread})
	if err != nil {
		return n, fmt.Errorf("asking whether a round of autofix waits: %w", err)
	}
	n.queued = slices.ContainsFunc(queued, func(q port.QueuedEvent) bool { return q.Event.Delivery == delivery })
	n.rec, _, n.began, err = f.bot.recordOf(ctx, port.RunID(delivery))
	return n, err
}

// open reports whether somebody may want to fix what CI reports of the commit: a round does not, and did not commit.
func (n nextRound) open() bool { return !n.queued && (!n.began || !committed(n.rec)) }

// untilRound is after what time it is asked again how far a round is that waits.
func (f follower) untilRound() time.Duration { return min(max(untilBegun, f.age()/4), latestBegun) }

// endOf tells in the first answer of a round that is over, if its run could not.
func (f follower) endOf(ctx context.Context, next nextRound) error {
	round := roundOf(next.rec, f.ev.Followed.Round+1, 0)
	round.RepoURL, round.CI.Outcome = f.commitURL(), port.CheckPending
	_, err := f.tellFirst(ctx, report.Rounds{Rounds: []report.Round{round}, Known: true})
	return err
}

// nextDelivery is the delivery of the next round.
func (f follower) nextDelivery() string {
	return fmt.Sprintf("autofix-%s-%d", f.ev.Followed.First, f.ev.Followed.Round+1)
}

// autofixEvent returns the event of the next round of autofix.
func (f follower) autofixEvent(ctx context.Context) (port.Event, error) {
	about := *f.ev.Followed
	about.Round++
	_, first, ok, err := f.bot.recordOf(ctx, about.First)
	if err != nil {
		return port.Event{}, err
	}
	if !ok {
		first = f.by
	}
	ev := port.Event{
		Delivery: f.nextDelivery(), Kind: port.Autofix, Repo: f.ev.Repo,
		Thread: f.ev.Thread, Sender: f.ev.Sender, Comment: port.Comment{App: f.ev.Comment.App},
		Received: f.bot.Now(), Private: f.ev.Private, Followed: &about,
	}
	if f.rec.Final != nil {
		ev.Comment.URL = f.rec.Final.URL
	}
	ev.Thread.Text, err = f.textOf(ctx, first)
	if ev.Thread.Title = cmp.Or(first.Thread.Title, ev.Thread.Title); ev.Thread.Pull {
		ev.Thread.Head = about.Commit
	}
	return ev, err
}

// textOf returns the text of the issue as whoever gave the first command could read it: the author may have changed it
// since. nil if that is not known, and of a pull request.
func (f follower) textOf(ctx context.Context, first port.Event) (*string, error) {
	if first.Thread.Text != nil || first.Thread.Pull || f.preview() == "" {
		return first.Thread.Text, nil
	}
	_, asked, ok, err := f.bot.recordOf(ctx, f.preview())
	if !ok || err != nil {
		return nil, err
	}
	return asked.Thread.Text, nil
}

// fix has the next round of autofix begin, unless there is a reason against it, which is told and final. It returns
// after what time the commit is looked at again.
func (f follower) fix(ctx context.Context, next *run) (time.Duration, error) {
	allowed := next.policy.Autofix
	t := f.target()
	if t.Fork != nil || f.rec.Undo != nil || f.rec.Forgotten || allowed == 0 && f.ev.Followed.Round == 0 ||
		next.policy.CI == policy.IgnoreCI {
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
func (f follower) whyNot(ctx context.Context, next *run, t record.Target) (string, error) {
	switch round := next.ev.Followed.Round; {
	case next.policy.Autofix == 0:
		return sentence.AutofixOff, nil
	case round > next.policy.Autofix:
		return sentence.AutofixRoundsDone(next.policy.Autofix), nil
	}
	if stopped, err := f.bot.Watches.Stopped(ctx, f.ev); stopped || err != nil {
		return sentence.AutofixCancelled, err
	}
	asked, err := next.askAgain(ctx, t)
	if why := cmp.Or(asked.refusal, f.overBudget(ctx, next)); why != "" || err != nil {
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
	failed, err := next.ci().checks(ctx, f.ev.Followed.Commit)
	if err == nil {
		failed, err = next.ci().explain(ctx, failed)
	}
	if err != nil {
		return "", err
	}
	about := next.ev.Followed
	now, before := failed.fingerprint(), about.Failures
	if about.Failures = append(slices.Clone(before), now); len(about.Failures) > maxRemembered {
		about.Failures = slices.Delete(about.Failures, 0, len(about.Failures)-maxRemembered)
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
	r, err := f.bot.newRun(first, inv, port.Run{ID: f.ev.Followed.First})
	return err == nil && r.previewsOnly(ctx, p), err
}

// overBudget returns which budget has no room for another command; empty if all have, or that is unknown: the run is
// asked anyway.
func (f follower) overBudget(ctx context.Context, next *run) string {
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

// tellRound tells in the first answer what CI says of the commit, if a round of autofix made it.
func (f follower) tellRound(ctx context.Context, ci report.CI) error {
	about := f.ev.Followed
	if about.Round == 0 {
		return nil
	}
	round := roundOf(f.rec, about.Round, 0)
	round.RepoURL, round.CI = f.commitURL(), ci
	_, err := f.tellFirst(ctx, report.Rounds{Rounds: []report.Round{round}})
	return err
}

// roundOf returns a round of autofix as its record tells it.
func roundOf(rec record.Record, n, allowed int) report.Round {
	r := report.Round{N: n, Of: max(n, allowed), Over: true}
	if rec.Final != nil {
		r.Answer = rec.Final.URL
	}
	if committed(rec) {
		r.Commit = rec.Committed.SHA
	}
	return r
}

// toldEnd reports whether the first answer says that there is no further round.
func (f follower) toldEnd(ctx context.Context) (ended bool, err error) {
	_, err = f.inFirst(ctx, func(body, run string) (string, bool) {
		told, ok := report.AutofixEnded(body, run)
		ended = ended || told
		return body, ok
	})
	return ended, err
}

// tellFirst tells of rounds of autofix in the first answer. ok is false if there is none to tell it in.
func (f follower) tellFirst(ctx context.Context, told report.Rounds) (ok bool, err error) {
	return f.inFirst(ctx, func(body, run string) (string, bool) {
		told.Run = run
		return told.In(body)
	})
}

// inFirst changes the first answer, whose last line names a run. ok is false if there is none, or change cannot.
func (f follower) inFirst(ctx context.Context, change func(body, run string) (string, bool)) (ok bool, err error) {
	first, _, ok, err := f.bot.recordOf(ctx, f.ev.Followed.First)
	if !ok || err != nil {
		return false, err
	}
	answer := cmp.Or(first.Final, first.Answer)
	if answer == nil {
		return false, nil
	}
	signed := []string{first.ID}
	if first.Source != nil && first.Source.Preview != "" {
		signed = append(signed, first.Source.Preview)
	}
	ok, err = f.amend(ctx, *answer, func(body string) (string, bool, error) {
		for _, run := range signed {
			if out, ok := change(body, run); ok {
				return out, true, nil
			}
		}
		return body, false, nil
	})
	if errors.Is(err, port.ErrNotFound) {
		f.log.InfoContext(ctx, "the first answer was deleted, so it cannot list autofix rounds", "error", err)
		return false, nil
	}
	return ok, err
}

// stoppedError ends a round of autofix for which there is no reason any more. It gets no answer: nobody asked for it.
type stoppedError struct{ why string }

func (e *stoppedError) Error() string { return "the round of autofix was stopped: " + e.why }

// round says which round of autofix the run is, as in "round 1 of autofix"; empty if it is none.
func (r *run) round() string {
	if r.ev.Kind != port.Autofix || r.ev.Followed == nil {
		return ""
	}
	return fmt.Sprintf("round %d of autofix", r.ev.Followed.Round)
}

// roundStops returns why the run, if it is a round of autofix, is not to go on by settings, as a clause.
func (r *run) roundStops(p policy.Policy) string {
	if r.ev.Kind == port.Autofix && r.ev.Followed != nil && (p.Autofix < r.ev.Followed.Round || p.CI == policy.IgnoreCI) {
		return sentence.AutofixOff
	}
	return ""
}

// unlessStopped returns a *stoppedError if a round of autofix has nothing to fix in a target, because the branch is not
// at the commit on which CI failed, CI reports no failure there any more, or the settings do not want it any more.
func (r *run) unlessStopped(ctx context.Context, t record.Target) error {
	if why := r.roundStops(r.policy); why != "" {
		return &stoppedError{why}
	}
	if r.ev.Kind == port.Autofix && r.ev.Followed != nil && t.SHA != r.ev.Followed.Commit {
		return &stoppedError{sentence.AutofixMoved}
	}
	if r.round() != "" {
		// Where this cannot be read, the prompt reads it again, and says so.
		if f, err := r.ci().checks(ctx, t.SHA); err == nil && len(f.failed) == 0 {
			return f.stopped()
		}
	}
	return nil
}

// refusedRound reports whether a refusal of the run gets no answer: it is a round of autofix of which nothing was shown
// yet, and nobody asked for it.
func (r *run) refusedRound() bool {
	rec := r.journal.Record()
	return r.round() != "" && rec.Answer == nil && rec.Final == nil && rec.Prompt == nil
}

// stopped ends a round of autofix, because none of the checks failed.
func (f failures) stopped() *stoppedError {
	if len(f.named(port.CheckPending)) > 0 {
		return &stoppedError{sentence.AutofixRunsAgain}
	}
	return &stoppedError{sentence.AutofixNoFailure}
}

// endStopped ends a round of autofix that was stopped. If it has shown that it works, that becomes the reason.
func (r *run) endStopped(ctx context.Context, why *stoppedError) error {
	if rec := r.journal.Record(); rec.Answer == nil || rec.Final != nil {
		return nil
	}
	r.mentions = false
	return r.end(ctx, "Autofix ended: "+why.why+".", cancelledRun)
}

// whyStopped returns why the run ended if somebody or something stopped it, as a clause; else nothing.
func (r *run) whyStopped(running context.Context, err error) string {
	var stopped *stoppedError
	switch {
	case errors.As(err, &stopped):
		return stopped.why
	case r.refusedRound() && errors.As(err, new(*port.UserError)):
		return sentence.AutofixRefused
	case cancelled(running) != nil:
		return sentence.AutofixCancelled
	}
	return ""
}

// endRound tells in the first answer that a round of autofix is over, and why there is no further one if it was
// stopped. A failure is logged: what CI says of its commit is told there too.
func (r *run) endRound(ctx context.Context, why string) {
	if r.ev.Kind != port.Autofix || r.ev.Followed == nil {
		return
	}
	rec, about := r.journal.Record(), *r.ev.Followed
	f := follower{bot: r.bot, ev: r.ev, rec: rec, by: r.ev, log: r.log}
	p := r.policy
	if !r.admitted {
		if now, err := r.bot.policyOf(ctx, r.ev); err == nil {
			p = now
		}
	}
	round := roundOf(rec, about.Round, p.Autofix)
	if round.RepoURL, round.CI.Outcome = f.commitURL(), port.CheckPending; round.Commit != "" {
		why = ""
	}
	if _, err := f.tellFirst(ctx, report.Rounds{Rounds: []report.Round{round}, End: why}); err != nil {
		r.log.WarnContext(ctx, "cannot list an autofix round in the first answer", "round", about.Round, "error", err)
	}
}
