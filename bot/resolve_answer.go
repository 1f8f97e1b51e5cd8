package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/meter"
)

// deliver commits a merge whose conflicts are settled, and answers. If it cannot be committed, because the branch moved
// over its conflicts or does not take it, the answer shows them again.
func (u resolving) deliver(ctx context.Context, j tipMerge, done record.Resolution) error {
	made, err := u.history().Commits(ctx, u.target)
	if err != nil {
		return err
	}
	words := func(s report.Summary) report.Summary {
		s.Costs = u.reporter().costs(conversation.Replies(u.journal.Record()))
		return report.OfUpdate(u.merge, made.UndoneMerge(), s)
	}
	state := j.Restore(done.Conflicts)
	list := conflictsOf(j, state, u.policy)
	broken := brokenTexts(u.policy, j.Broken(meter.Within(ctx, meter.Default), state))
	text := func(s report.Summary) string { return words(s).Body() }
	ch := u.change(done, u.message(j, done))
	return commitAndReport(ctx, u.run, &conversation.Job{Target: u.target}, ch, text, func(ctx context.Context,
		d delivered) error {
		if d.made.SHA == "" && (len(d.made.Results) > 0 || d.made.Unpushed != "") {
			return u.showAgain(ctx, done, d)
		}
		s := report.OfResolution(words(u.reporter().withCheck(d.summary)), list, broken)
		return u.sealer().answerAndCheck(ctx,
			func() error { return u.finish(ctx, s.Body()) },
			func() error { return u.checks().complete(ctx, s.Check(), d.made.SHA) },
		)
	})
}

// again merges into a commit of the branch once more.
func (u resolving) again(ctx context.Context, tip string) (tipMerge, error) {
	at := u.target
	at.SHA = tip
	checkout, err := u.files.at(ctx, at)
	if err != nil {
		return tipMerge{}, err
	}
	return u.at(ctx, checkout, u.policy)
}

// showAgain shows the conflicts of a merge that was not committed, at the tip that the branch had last.
func (u resolving) showAgain(ctx context.Context, done record.Resolution, d delivered) error {
	u.files.opened = nil // it may have what was staged
	j, err := u.again(ctx, d.made.Base)
	if err != nil {
		return err
	}
	why := sentence.MovedOverConflicts
	if d.made.Base == done.Tip {
		why = sentence.ChoicesNotAllowed
	}
	if d.made.Unpushed != "" {
		why = report.Unmerged(report.OfUpdate(u.merge, "", d.summary))
	}
	if j.base == nil || j.clean() {
		return u.finish(ctx, why)
	}
	again, err := record.Do(ctx, u.journal, record.Resolved(2), func(ctx context.Context) (record.Resolution, error) {
		return u.resolution(ctx, j, j.Restore(done.Conflicts), done.Broken, ""), nil
	})
	if err != nil {
		return err
	}
	return u.show(ctx, j, again, why)
}

// show answers with the conflicts, and boxes for those that are open.
func (u resolving) show(ctx context.Context, j tipMerge, done record.Resolution, why string) error {
	shown := u.shown(ctx, j, done, why)
	if done.Root == u.id() {
		if err := u.finish(ctx, shown.Body()); err != nil {
			return err
		}
	} else if err := u.redraw(ctx, shown); err != nil {
		return err
	}
	if j.stuck() || why != "" {
		u.react(ctx, port.ReactionConfused)
	}
	return nil
}

// shown is the answer with the conflicts as they are settled so far.
func (u resolving) shown(ctx context.Context, j tipMerge, done record.Resolution, why string) report.Resolution {
	reports := u.reporter()
	job := conversation.Job{Target: u.target}
	s := reports.summary(job, record.Committed{Application: record.Application{Base: done.Tip}})
	s.Costs = reports.costs(conversation.Replies(u.journal.Record()))
	state := settle.State{}
	for i, c := range done.Conflicts {
		state[i+1] = c
	}
	out := report.Resolution{Summary: s, Run: done.Root, Revision: settle.Revision(done.Conflicts), Merge: u.merge,
		Conflicts: conflictsOf(j, state, u.policy), Unasked: done.Unasked, Why: why}
	for _, res := range j.failed {
		out.Failed = append(out.Failed, record.Result{Path: secret.Path(res.Path), Status: record.StatusFailed,
			Reason: string(res.Reason), Detail: secret.Redacted(res.Detail)})
	}
	out.Broken = brokenTexts(u.policy, j.Broken(meter.Within(ctx, meter.Default), proposed(state)))
	return out
}

// proposed returns a state in which all proposals are taken.
func proposed(state settle.State) settle.State {
	out := settle.State{}
	for id, known := range state {
		if known.Choice == "" {
			known.Choice = known.Proposal
		}
		out[id] = known
	}
	return out
}

// finish gives the answer its final form. The answer of an earlier run that showed the conflicts says where they are
// now; if a box of it was ticked, it is the answer.
func (u resolving) finish(ctx context.Context, body string) error {
	if len(u.selected.ticks) > 0 {
		return u.redrawAs(ctx, body, body)
	}
	a := u.answers()
	final, err := a.finish(ctx, a.place(), body)
	if err != nil || u.replaces == "" || u.replaces == u.id() {
		return err
	}
	return u.tryEdit(ctx, sentence.ResolvedElsewhere(final.URL))
}

// tryEdit is edit for an answer that somebody may have deleted. What GitHub does not take is logged, since its boxes
// have no effect from now on; only while GitHub is away, the run waits.
func (u resolving) tryEdit(ctx context.Context, body string) error {
	err := u.edit(ctx, body)
	if errors.As(err, new(*port.WaitError)) && !permanent(err) {
		return err
	}
	if err != nil {
		u.log.WarnContext(ctx, "an earlier answer with conflicts was not edited", "error", err)
	}
	return nil
}

// redraw shows the conflicts in the answer that showed them before.
func (u resolving) redraw(ctx context.Context, shown report.Resolution) error {
	elsewhere := report.ResolutionAgain(u.earlier.Answer.URL, shown.Why)
	if len(u.selected.ticks) > 0 {
		return u.redrawAs(ctx, shown.Body(), elsewhere)
	}
	if err := u.tryEdit(ctx, shown.Body()); err != nil {
		return err
	}
	a := u.answers()
	_, err := a.finish(ctx, a.place(), elsewhere)
	return err
}

// redrawAs is the end of a run that a tick began: the answer with the box is its answer. If a comment says that the run
// waits, it gets the text waited, since boxes count in one comment alone.
func (u resolving) redrawAs(ctx context.Context, body, waited string) error {
	a := u.answers()
	_, err := record.Do(ctx, u.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
		answer := u.earlier.Answer
		answer.At = a.now() // what it says now
		err := u.edit(ctx, body)
		if err == nil && u.journal.Record().Waiting != nil {
			return a.put(ctx, a.place(), a.signed(waited))
		}
		if errors.Is(err, port.ErrNotFound) { // somebody deleted it; people must be told what was done anyway
			return a.post(ctx, a.place(), a.signed(body), a.github.Post)
		}
		return answer, err
	})
	return err
}

// edit gives the earlier answer another text, with the marks that it has and that of this run.
func (u resolving) edit(ctx context.Context, body string) error {
	a := u.answers()
	now, err := a.github.Comment(ctx, u.ev.Repo, u.ev.Thread.Number, u.earlier.Answer.Ref())
	if err != nil {
		return fmt.Errorf("reading the answer with the conflicts: %w", err)
	}
	end, ok := report.Ending(now.Body, u.earlier.Root)
	if !ok {
		end = u.bot.signOff(u.earlier.Event, u.earlier.Root, strings.Contains(now.Body,
			u.bot.signOff(u.earlier.Event, u.earlier.Root, true)))
	}
	body = markdown.JoinSections([]string{body, end, u.sealer().earlierMarks(now.Body)})
	if len(u.selected.ticks) > 0 {
		body = u.sealer().withMark(body, u.earlier.Root)
	}
	body = markedBy(body, u.earlier.Root)
	if err := a.github.Edit(ctx, u.ev.Repo, u.ev.Thread.Number, u.earlier.Answer.Ref(), body); err != nil {
		return fmt.Errorf("editing the answer with the conflicts: %w", err)
	}
	return nil
}
