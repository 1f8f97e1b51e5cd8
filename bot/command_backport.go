package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runBackport replays the commits of a merged pull request onto other branches, and opens a pull request for each. A
// model is asked about conflicts alone.
func runBackport(ctx context.Context, r *run) error {
	if !r.ev.Thread.Pull {
		return sentence.BackportOnIssue()
	}
	found, err := record.Do(ctx, r.journal, record.BackportFound, r.findBackport)
	if err != nil {
		return err
	}
	picks, opens := r.picker(found), r.backportOpener(found)
	plans, err := picks.plans(ctx, r.inv.Branches)
	if err != nil {
		return err
	}
	committing, end, err := r.noReturn.pass(ctx, r.acknowledged, r.auditor().committing)
	if err != nil {
		return err
	}
	defer end()
	r.progress.stop()
	done := report.Backport{Backport: found, Links: r.links(), Left: r.inv.LeftOut,
		Costs: r.reporter().costs(conversation.Replies(r.journal.Record()))}
	for i, plan := range plans {
		to := report.BackportTo{Settled: plan.settled.shown(r.policy)}
		if to.Picked, err = record.Do(committing, r.journal, record.PicksMade(i+1),
			func(ctx context.Context) (record.Picked, error) { return picks.make(ctx, plan) }); err != nil {
			return err
		}
		if to.Pull, err = record.Do(committing, r.journal, record.BackportOpened(i+1),
			func(ctx context.Context) (record.PickedPull, error) { return opens.open(ctx, to) }); err != nil {
			return err
		}
		done.To = append(done.To, to)
	}
	if command.AsksForBackport(r.ev) && done.Known() { // a label, and the merge of what has it, may ask for the same
		_, err := r.answers().replace(committing, done.Body()) // it may have said that it waits
		return err
	}
	if err := r.answers().reply(committing, done.Body()); err != nil {
		return err
	}
	reaction := port.ReactionConfused
	if done.Made() {
		reaction = port.ReactionRocket
	}
	r.react(committing, reaction)
	return nil
}

// findBackport finds the commits of the merged pull request.
func (r *run) findBackport(ctx context.Context) (record.Backport, error) {
	number := r.ev.Thread.Number
	l := r.firstLook(ctx)
	switch {
	case errors.Is(l.err, port.ErrNotFound):
		return record.Backport{}, sentence.NoPull(number)
	case l.err != nil:
		return record.Backport{}, fmt.Errorf("reading pull request %d: %w", number, l.err)
	case r.ev.Repo.Archived || l.pull.Archived:
		return record.Backport{}, sentence.Archived.Refusal()
	case !l.pull.Merged:
		return record.Backport{}, sentence.BackportUnmerged(l.pull.State == "open", r.policy.BackportLabels)
	}
	pull := backport.Pull{PullRequest: l.pull}
	err := port.Together(ctx,
		func() (err error) {
			pull.Commits, err = r.bot.GitHub.PullCommits(ctx, r.ev.Repo, number)
			return err
		},
		func() (err error) {
			pull.Log, err = r.bot.GitHub.Log(ctx, r.ev.Repo, l.pull.MergeCommit)
			if errors.Is(err, port.ErrNotFound) {
				err = lagging("%w", err)
			}
			return err
		},
	)
	if err != nil {
		return record.Backport{}, err
	}
	if merge, ok := pull.Merge(); ok {
		if pull.Settled, err = r.files.settled(ctx, r.bot.GitHub, l.pull.Base, merge); err != nil {
			return record.Backport{}, err
		}
	}
	commits, ok := backport.Plan(pull)
	if !ok {
		return record.Backport{}, sentence.BackportUnclear(l.pull.MergeCommit)
	}
	return record.Backport{Title: l.pull.Title, Base: l.pull.Base, Commits: commits}, nil
}
