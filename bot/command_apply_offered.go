package bot

import (
	"cmp"
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// runOffered puts the edits of a run, which its branch did not take, on a branch of their own, and opens a pull request
// against that branch. They are made again on the commit that they were made for, and have to come to the very bytes
// that people were shown.
func runOffered(ctx context.Context, r *run) error {
	past, err := r.history().Offer(ctx, r.inv.Run)
	if err != nil {
		return err
	}
	if past.Offer.Comment != r.ev.Comment.ID {
		return nil // a copy of the offer
	}
	t, err := record.Do(ctx, r.journal, record.Opened,
		func(ctx context.Context) (record.Target, error) { return r.ownBranch(ctx, past) })
	if err != nil {
		return err
	}
	_, err = record.Do(ctx, r.journal, record.Chosen,
		func(context.Context) (record.Choice, error) { return choiceOf(past), nil })
	if err != nil {
		return err
	}
	j, ch, err := r.changer().remaking(ctx, r.history(), t, past)
	if err != nil {
		return err
	}
	return commitAndReport(ctx, r, &j, unchanged(ch, past.Committed), report.Summary.Body, func(ctx context.Context,
		d delivered) error {
		check := d.summary.Check()
		if err := r.checks().complete(ctx, check, d.made.SHA); err != nil {
			return err
		}
		if d.made.SHA == "" {
			r.tryUntick(ctx, r.ev)
			_, err := r.answers().finish(ctx, r.answers().place(), d.summary.Body())
			return err
		}
		return r.offerer().close(ctx, past, d)
	})
}

// ownBranch returns the new branch for the edits of a run, at the commit that they were made for.
func (r *run) ownBranch(ctx context.Context, past history.Run) (record.Target, error) {
	if _, err := r.open(ctx, r.inv.Options.Base, r.ev.Thread.Title); err != nil { // whether the thread takes commands
		return record.Target{}, err
	}
	base := past.Target.Branch
	t := record.Target{
		Branch: offerBranch(r.ev.Thread.Number, past.ID), New: true, SHA: past.Committed.Base, From: branchRef(base),
		Base: base, Title: cmp.Or(past.Committed.Subject, past.Target.Title),
	}
	p, ok, err := r.bot.GitHub.FindPull(ctx, r.ev.Repo, t.Branch)
	if err != nil {
		return record.Target{}, fmt.Errorf("looking for the pull request of %s: %w", t.Branch, err)
	}
	if ok {
		return record.Target{}, sentence.OfferTaken(p.Number)
	}
	if _, err := r.files.at(ctx, t); repo.IsGone(err) {
		return record.Target{}, sentence.OfferChanged()
	}
	return t, nil
}

// choiceOf returns the edits of a run that fitted.
func choiceOf(past history.Run) record.Choice {
	c := record.Choice{Run: past.ID, Numbers: []int{}}
	for i, row := range past.Committed.Results {
		if row.Status.Applied() {
			c.Numbers = append(c.Numbers, row.NumberAt(i))
		}
	}
	return c
}

// remaking is the change that a run made, to be made again for a target.
func (m changer) remaking(ctx context.Context, thread history.Thread, t record.Target,
	past history.Run) (conversation.Job, change, error) {
	j := conversation.Job{Target: t}
	switch {
	case past.Undo != nil:
		return j, m.reverting(t, *past.Undo), nil
	case past.Operations != nil:
		return j, m.operating(*past.Operations), nil
	case past.Source != nil && past.Choice != nil:
		return m.remakingApply(ctx, thread, t, past)
	case past.Prompt == nil:
		return j, change{}, sentence.OfferGone()
	}
	var err error
	if j.Conversation, err = conversation.Recorded(past.Record); err != nil {
		return j, change{}, history.Unreadable(past.ID, err)
	}
	j.Prompt = j.Conversation.ExtendPrompt(*past.Prompt)
	return j, m.editing(&j), nil
}

// remakingApply is remaking for an apply.
func (m changer) remakingApply(ctx context.Context, thread history.Thread, t record.Target,
	past history.Run) (conversation.Job, change, error) {
	c, err := findCandidates(ctx, thread, *past.Source)
	if err != nil {
		return conversation.Job{}, change{}, err
	}
	m.files.want(c.paths()...)
	c.Target, c.Choice = t, *past.Choice
	if c.origin != nil {
		if c.outcomes, c.sums, err = thread.BlockOutcomes(ctx, *c.origin, *past.Target); err != nil {
			return conversation.Job{}, change{}, err
		}
	}
	if c.Conversation, err = c.Conversation.Only(c.Numbers); err != nil {
		return conversation.Job{}, change{}, err
	}
	c.seeEarlierCommits()
	return c.Job, m.applying(&c), nil
}

// unchanged is a change that comes to a known sum, or is refused.
func unchanged(ch change, shown *record.Committed) change {
	sum := shown.Staged
	stage := ch.stage
	ch.stage = func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (engine.Outcome, error) {
		if checkout.SHA() != shown.Base { // somebody has made a branch of that name
			return engine.Outcome{}, sentence.OfferChanged()
		}
		out, err := stage(ctx, checkout, p)
		if err != nil {
			return out, err
		}
		now, err := sumOfStaged(checkout)
		if err == nil && now != sum {
			err = sentence.OfferChanged()
		}
		return out, err
	}
	return ch
}

// close says, in place of the offer, which pull request has the edits.
func (o offerer) close(ctx context.Context, past history.Run, d delivered) error {
	a := o.answers
	body := report.Offer{Run: past.ID, Branch: d.target.Base, From: d.target.Branch, Answer: past.Final.URL,
		Edits: len(choiceOf(past).Numbers)}.Done(d.target, a.github.Links(a.ev.Thread))
	body = a.signed(body)
	_, err := record.Do(ctx, a.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
		answer := *past.Offer
		answer.At = a.now()
		return answer, a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, past.Offer.Ref(), body)
	})
	return err
}
