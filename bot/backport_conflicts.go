package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/meter"
)

// settledPicks are the conflicts of a backport to a branch, whose commits are merged as one, and what they become.
type settledPicks struct {
	commit backport.Commit
	merge  tipMerge
	state  settle.State
	broken []settle.Broken
	// unasked is why no model was asked, or not about everything, as Markdown.
	unasked string
}

// newLines counts the lines that no side has.
func (s settledPicks) newLines() (n int) {
	for _, a := range s.merge.Answers(s.state) {
		n += len(settle.NewLines(a))
	}
	return n
}

// is reports whether what was recorded is about the same merge, in which each conflict has its number.
func (s settledPicks) is(done record.SettledPicks) bool {
	return done.Commit.From == s.commit.From && done.Commit.SHA == s.commit.SHA && s.merge.Is(done.Conflicts)
}

// settle merges the commits that a branch does not have as one, and has the conflicts settled: by a model, and by what
// people choose. It stages nothing while one is open. What cannot be settled by choosing is left to people.
func (p picker) settle(ctx context.Context, n *pickPlan, log []port.LoggedCommit) error {
	for _, res := range n.picked.Results {
		if res.Reason != string(edit.ReasonMergeConflict) { // a protected path
			return nil
		}
	}
	left, there := p.left(log)
	if !backport.IsLine(left) { // what is between them would come along, also if the branch has changed it since
		return nil
	}
	s, err := p.merge(ctx, n.picked, backport.Whole(p.found.Title, p.ev.Thread.Number, left))
	var user *port.UserError
	if errors.As(err, &user) { // it is beyond a bound, and is settled at a terminal
		return nil
	}
	if err != nil || s.merge.stuck() {
		return err
	}
	done := record.SettledPicks{Branch: n.picked.Branch, Commit: s.commit}
	if len(s.merge.Conflicts) > 0 {
		rec := p.journal.Record()
		number := rec.SettledFor(done.Branch)
		if number <= len(rec.SettledPicks) && !s.is(rec.SettledPicks[number-1]) { // the branch moved in the meantime
			number = len(rec.SettledPicks) + 1
		}
		if done, err = record.Do(ctx, p.journal, record.PicksSettled(number),
			func(ctx context.Context) (record.SettledPicks, error) { return p.choose(ctx, s, done) }); err != nil {
			return err
		}
	}
	p.resolver.calls = max(p.resolver.calls, done.Calls)
	n.settled = p.taken(ctx, s, done)
	if len(s.merge.Open(n.settled.state)) > 0 {
		return nil
	}
	settled, rest := s.merge.Outcome(n.settled.state)
	out, err := s.merge.found.Stage(ctx, settled, rest)
	if err != nil || len(out.Results) > 0 {
		return err
	}
	n.picked.Conflict, n.picked.Results, n.picked.AsOne = "", nil, len(left) > 1
	n.picked.There = there
	n.picked.Settled, n.picked.New = len(s.merge.Conflicts), n.settled.newLines()
	n.picked.Broken = len(n.settled.broken)
	message := s.commit
	if n.picked.Settled > 0 {
		message.Message = backport.Noted(message.Message, sentence.Settled(n.picked.Settled, n.picked.New))
	}
	if err := n.add(s.merge.tip, s.commit.SHA, p.message(message)); err != nil || len(n.picked.Changed) > 0 {
		return err
	}
	n.drop()
	for _, c := range left {
		n.picked.There = append(n.picked.There, record.PickedCommit{Of: c.SHA})
	}
	return nil
}

// merge merges a commit into the tip of a branch in memory.
func (p picker) merge(ctx context.Context, picked record.Picked, c backport.Commit) (*settledPicks, error) {
	from, to, err := p.sides(ctx, c)
	if err != nil {
		return nil, err
	}
	tip, err := p.tip(ctx, picked)
	if err != nil {
		return nil, err
	}
	j, err := settling{
		open: func(context.Context, repo.Checkout) (base, theirs repo.Checkout, err error) { return from, to, nil },
		ours: picked.Branch, theirs: c.SHA[:7], opened: &openedFor{},
	}.at(ctx, tip, p.policy)
	return &settledPicks{commit: c, merge: j}, err
}

// choose returns the conflicts as they are settled by what people chose, now and before, and by a model.
func (p picker) choose(ctx context.Context, s *settledPicks, done record.SettledPicks) (record.SettledPicks, error) {
	earlier, err := p.earlier(ctx, done.Branch)
	if err != nil {
		return done, err
	}
	state, lost, err := p.selected.chosen(s.merge, earlier)
	if err != nil {
		return done, err
	}
	if len(lost) > 0 {
		done.Unasked = sentence.ConflictsChanged(lost)
	}
	if p.selected.fresh() {
		state, done.Unasked, err = p.resolver.choose(ctx, s.merge, state,
			func(ctx context.Context) (ours, theirs resolution.Branch) { return p.parted(ctx, s) })
		if err != nil {
			return done, err
		}
	}
	done.Conflicts, done.Calls = s.merge.Record(s.merge.Fits(state)), p.resolver.calls
	return done, nil
}

// earlier returns what is known of the conflicts of a branch by earlier runs. It fails with a *port.UserError if
// somebody selected something that no answer showed.
func (p picker) earlier(ctx context.Context, branch string) (history.Resolution, error) {
	earlier, err := p.history.SettledPicks(ctx, branch)
	switch {
	case err != nil || p.selected.fresh():
		return earlier, err
	case len(earlier.Conflicts) == 0:
		return earlier, sentence.NoPicksShown(branch)
	case earlier.At.After(p.ev):
		return earlier, sentence.ResolutionUnseen(earlier.Answer.URL)
	}
	return earlier, nil
}

// parted returns the two sides, with the subjects of the commits that each has made since they parted, as far as GitHub
// tells them in one request. The model can do without.
func (p picker) parted(ctx context.Context, s *settledPicks) (ours, theirs resolution.Branch) {
	ours.Name, theirs.Name = s.merge.oursName, fmt.Sprintf("pull request %d", p.ev.Thread.Number)
	a, b, err := p.github.Logs(ctx, p.ev.Repo, s.merge.tip.SHA(), s.merge.base.SHA())
	if err != nil {
		p.log.InfoContext(ctx, "cannot read the commits of a branch", "branch", ours.Name, "error", err)
	}
	ours.Subjects = subjectsSince(a, b, s.merge.base.SHA())
	for _, c := range p.found.Commits {
		theirs.Subjects = append([]string{backport.Subject(c.Message)}, theirs.Subjects...)
	}
	return ours, theirs
}

// taken returns the conflicts with what was recorded of them. All that a model chose is taken, with its new lines
// unless the settings refuse them: the pull request is where people look at it, and a draft if something in it is new.
func (p picker) taken(ctx context.Context, s *settledPicks, done record.SettledPicks) *settledPicks {
	out := *s
	accepts := p.policy
	if accepts.NewLines == policy.ShowNew { // the pull request shows them
		accepts.NewLines = policy.AllowNew
	}
	out.state, out.unasked = s.merge.accepting(ctx, proposed(s.merge.Restore(done.Conflicts)), accepts), done.Unasked
	out.broken = s.merge.Broken(meter.Within(ctx, meter.Default), out.state)
	return &out
}

// again returns the conflicts of a branch for which the run has recorded what was made; nil if there were none, or
// somebody has removed the commits.
func (p picker) again(ctx context.Context, picked record.Picked) (*settledPicks, error) {
	rec := p.journal.Record()
	number := rec.SettledFor(picked.Branch)
	if number > len(rec.SettledPicks) {
		return nil, nil
	}
	done := rec.SettledPicks[number-1]
	p.resolver.calls = max(p.resolver.calls, done.Calls)
	s, err := p.merge(ctx, picked, done.Commit)
	switch {
	case repo.IsGone(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return p.taken(ctx, s, done), nil
}

// shown returns what people are told of conflicts.
func (s *settledPicks) shown(p policy.Policy) report.SettledPicks {
	if s == nil {
		return report.SettledPicks{}
	}
	return report.SettledPicks{Conflicts: conflictsOf(s.merge, s.state, p), Broken: brokenTexts(p, s.broken),
		Unasked: s.unasked}
}
