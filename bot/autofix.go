package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
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
	round.Links, round.CI.Outcome = f.links(), port.CheckPending
	_, err := f.tellFirst(ctx, report.Rounds{Rounds: []report.Round{round}, Known: true})
	return err
}

// nextDelivery is the delivery of the next round.
func (f follower) nextDelivery() string {
	return fmt.Sprintf("autofix-%s-%d", f.ev.Followed.First, f.ev.Followed.Round+1)
}

// autofixEvent returns the event of the next round of autofix.
func (f follower) autofixEvent(ctx context.Context) (port.Event, error) {
	followed := *f.ev.Followed
	followed.Round++
	_, first, ok, err := f.bot.recordOf(ctx, followed.First)
	if err != nil {
		return port.Event{}, err
	}
	if !ok {
		first = f.trigger
	}
	ev := port.Event{
		Delivery: f.nextDelivery(), Kind: port.Autofix, Repo: f.ev.Repo,
		Thread: f.ev.Thread, Sender: f.ev.Sender, Comment: port.Comment{App: f.ev.Comment.App},
		Received: f.bot.Now(), Private: f.ev.Private, Followed: &followed,
	}
	if f.rec.Final != nil {
		ev.Comment.URL = f.rec.Final.URL
	}
	ev.Thread.Text, err = f.textOf(ctx, first)
	if ev.Thread.Title = cmp.Or(first.Thread.Title, ev.Thread.Title); ev.Thread.Pull {
		ev.Thread.Head = followed.Commit
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

// tellRound tells in the first answer what CI says of the commit, if a round of autofix made it.
func (f follower) tellRound(ctx context.Context, ci report.CI) error {
	followed := f.ev.Followed
	if followed.Round == 0 {
		return nil
	}
	round := roundOf(f.rec, followed.Round, 0)
	round.Links, round.CI = f.links(), ci
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

// endRound tells in the first answer that a round of autofix is over, and why there is no further one if it was
// stopped. A failure is logged: what CI says of its commit is told there too.
func (r *run) endRound(ctx context.Context, why string) {
	if !isRound(r.ev) {
		return
	}
	rec, followed := r.journal.Record(), *r.ev.Followed
	f := follower{bot: r.bot, ev: r.ev, rec: rec, trigger: r.ev, log: r.log}
	p := r.policy
	if !r.admitted {
		if now, err := r.bot.policyFor(ctx, r.ev.Repo, nil); err == nil {
			p = now
		}
	}
	round := roundOf(rec, followed.Round, p.Autofix)
	if round.Links, round.CI.Outcome = f.links(), port.CheckPending; round.Commit != "" {
		why = ""
	}
	if _, err := f.tellFirst(ctx, report.Rounds{Rounds: []report.Round{round}, End: why}); err != nil {
		r.log.WarnContext(ctx, "cannot list an autofix round in the first answer", "round", followed.Round, "error", err)
	}
}
