package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// What CI says of a commit is told in the last line of the answer of the run that made it. The text of the answer is
// all that is known of what was told: so a report that comes twice or late changes nothing, or what is wrong by then.

const (
	// followAfter is how long CI may take to report about a commit before its answer says that it has not.
	followAfter = time.Hour
	// unreportedAfter is how long a run has to finish its answer before an answer is taken that was only announced, as
	// that of a dead letter.
	unreportedAfter = 10 * time.Minute
	// settleAfter is how long after the commit it may be said to have passed: some check ends before another begins.
	settleAfter = 15 * time.Second
	// lookAgain is the least time until a commit is looked at again without a report of CI.
	lookAgain = 15 * time.Second
	// lookWhilePending is when a commit is looked at again while a check is pending: GitHub sends each report once, and
	// one may be lost.
	lookWhilePending = time.Hour
	// untilReport is longer than any commit is followed.
	untilReport = 365 * 24 * time.Hour
)

// followCommit has what CI says of the commit of a run be followed. It is accepted once, whatever attempt of the run
// asks for it. A failure is logged: the commit is there, and so will be the answer.
func (r *run) followCommit(ctx context.Context, t record.Target, commit record.Committed) {
	if commit.SHA == "" || r.bot.Watches == nil || r.inv.Offered || r.policy.CI == policy.IgnoreCI {
		return
	}
	followed := port.Followed{Commit: commit.SHA, Branch: t.Branch, Run: r.id(), First: r.id()}
	if began := r.ev.Followed; r.ev.Kind == port.Autofix && began != nil {
		followed.First, followed.Round, followed.Failures = began.First, began.Round, began.Failures
	}
	thread := r.ev.Thread
	thread.Text, thread.Head = nil, ""
	err := r.bot.Watches.Follow(ctx, port.Event{
		Delivery: "follow-" + r.id(), Kind: port.Following, Repo: r.ev.Repo, Thread: thread, Sender: r.ev.Sender,
		Comment: port.Comment{App: r.ev.Comment.App}, Received: r.bot.Now(), Private: r.ev.Private, Followed: &followed,
	})
	if err != nil {
		r.log.WarnContext(ctx, "commit not followed", "commit", commit.SHA, "error", err)
	}
}

// follower looks at what CI says of a commit of the app.
type follower struct {
	bot *Bot
	ev  port.Event
	// rec is the record of the run that made the commit, trigger is its event.
	rec     record.Record
	trigger port.Event
	log     *slog.Logger
}

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

// follower returns what handles an event that follows a commit; ok is false if there is nothing to do about it.
func (b *Bot) follower(ctx context.Context, ev port.Event) (f follower, ok bool, err error) {
	if ev.Followed == nil {
		return f, false, nil
	}
	f = follower{bot: b, ev: ev, log: b.Log.With("delivery", ev.Delivery, "commit", ev.Followed.Commit)}
	f.rec, f.trigger, ok, err = b.recordOf(ctx, ev.Followed.Run)
	return f, ok && committed(f.rec), err
}

// recordOf returns the record of a run, and its event; ok is false if there is none that this program can read.
func (b *Bot) recordOf(ctx context.Context, run string) (rec record.Record, ev port.Event, ok bool, err error) {
	stored, ev, err := b.Queue.FindRun(ctx, run)
	if errors.Is(err, port.ErrNotFound) {
		return rec, ev, false, nil
	}
	if err != nil {
		return rec, ev, false, fmt.Errorf("looking for run %s: %w", run, err)
	}
	if rec, err = record.Load(stored); err != nil {
		b.Log.WarnContext(ctx, "record of a run not read", "run", run, "error", err)
		return rec, ev, false, nil
	}
	return rec, ev, true, nil
}

// ended reports whether an error says that nothing more can be learnt of a commit, or done about it.
func ended(err error) bool {
	return errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrDenied) || permanent(err)
}

// age is how long the commit has been followed.
func (f follower) age() time.Duration { return max(0, f.bot.Now().Sub(f.ev.Received)) }

// wait is the error that has the commit followed on: until CI reports about it, or at the latest after a time.
func (f follower) wait(after time.Duration) error {
	return &port.WaitError{For: port.CIReport, After: after,
		Err: fmt.Errorf("following what CI says of %.7s", f.ev.Followed.Commit)}
}

// answer returns the answer of the run that made the commit; ok is false as long as it is not written.
func (f follower) answer() (c record.AnswerComment, ok bool) {
	switch {
	case f.rec.Final != nil:
		return *f.rec.Final, true
	case f.rec.Answer != nil && f.age() > unreportedAfter:
		return *f.rec.Answer, true
	}
	return c, false
}

// look asks what CI says of the commit.
func (f follower) look(ctx context.Context) (report.CI, error) {
	sha := f.ev.Followed.Commit
	checks, err := f.bot.GitHub.CommitChecks(ctx, f.ev.Repo, sha)
	if errors.Is(err, port.ErrNotFound) && f.age() < unreportedAfter {
		err = lagging("GitHub does not show %s yet", sha)
	}
	if err != nil {
		return report.CI{}, fmt.Errorf("asking what CI says of %s: %w", sha, err)
	}
	if f.age() >= followAfter {
		return report.Overdue(checks), nil
	}
	return report.CIOf(f.unlessTestAlone(checks)), nil
}

// unlessTestAlone returns the checks of the commit, or none if there are only those of the workflow that tested its
// edits, which ended before the branch was at the commit: what else checks it has not begun to.
func (f follower) unlessTestAlone(checks port.CommitChecks) port.CommitChecks {
	test := f.rec.LastVerification().WorkflowRun
	other := func(c port.CommitCheck) bool { return c.WorkflowRun != test }
	if test != 0 && !slices.ContainsFunc(checks.Checks, other) {
		checks.Checks = nil
	}
	return checks
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

// in tells what CI said in the last line of an answer: that of the run, or of the preview in which a box was ticked.
func (f follower) in(told report.Told, body string) (string, bool) {
	told.Run = f.rec.ID
	if out, ok := told.In(body); ok {
		return out, true
	}
	if told.Run = f.preview(); told.Run == "" {
		return body, false
	}
	told.Commit = f.ev.Followed.Commit
	return told.In(body)
}

// preview returns the run of the preview whose edits were committed, empty if it is not one.
func (f follower) preview() string {
	if f.rec.Source == nil {
		return ""
	}
	return f.rec.Source.Preview
}

// threadEdits reports whether a run of the thread is at work that may edit the same answers: one that draws a preview
// again, or that of the round. GitHub has no edit that is made only if the text is still the same.
func (f follower) threadEdits(ctx context.Context) (bool, error) {
	if f.trigger.Kind != port.Ticked && f.ev.Followed.Round == 0 {
		return false, nil
	}
	queued, err := f.bot.Queue.Queued(ctx, port.Event{Repo: f.ev.Repo, Thread: f.ev.Thread})
	if err != nil {
		return false, fmt.Errorf("asking what runs in the thread: %w", err)
	}
	for _, q := range queued {
		if q.Running {
			return true, nil
		}
	}
	return false, nil
}

// target returns the branch of the commit.
func (f follower) target() record.Target {
	switch {
	case f.rec.Pull != nil:
		return onOwnBranch(*f.rec.Pull)
	case f.rec.Target != nil:
		return onOwnBranch(*f.rec.Target)
	}
	return record.Target{Branch: f.ev.Followed.Branch}
}

// links returns the addresses of the pages of the repository in which the checks of the commit are.
func (f follower) links() port.Links { return f.bot.GitHub.Links(f.ev.Thread) }

// amend changes the text of an answer of the thread, also if the issue was transferred with all its comments. ok is
// false if change cannot change it. port.ErrNotFound if somebody deleted it.
func (f follower) amend(ctx context.Context, c record.AnswerComment,
	change func(body string) (now string, ok bool, err error)) (ok bool, err error) {
	repo, number := f.ev.Repo, f.ev.Thread.Number
	answer, err := f.bot.GitHub.Comment(ctx, repo, number, c.Ref())
	if errors.Is(err, port.ErrNotFound) {
		th := thread{github: f.bot.GitHub, repos: f.bot.Repos, ev: f.ev}
		if to, other, ok := th.transferredTo(ctx); ok {
			repo, number = to, other
			answer, err = f.bot.GitHub.Comment(ctx, repo, number, c.Ref())
		}
	}
	if err != nil {
		return false, fmt.Errorf("reading the answer: %w", err)
	}
	now, ok, err := change(answer.Body)
	if !ok || err != nil || now == answer.Body {
		return ok, err
	}
	if err := f.bot.GitHub.Progress(ctx, repo, number, c.Ref(), now); err != nil {
		return false, fmt.Errorf("telling what CI said: %w", err)
	}
	return true, nil
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
