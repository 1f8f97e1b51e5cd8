package bot

import (
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
