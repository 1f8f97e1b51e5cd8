package bot

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/meter"
)

// settle returns how far the conflicts are settled by the selection, and by a model if that is to be asked.
func (u resolving) settle(ctx context.Context, j tipMerge) (record.Resolution, error) {
	state, lost, err := u.selected.chosen(j, u.earlier)
	if err != nil {
		return record.Resolution{}, err
	}
	note := ""
	if len(lost) > 0 {
		note = sentence.ConflictsChanged(lost)
	}
	if u.selected.fresh() && !j.stuck() {
		if state, note, err = u.resolver(u.target).choose(ctx, j, state,
			func(ctx context.Context) (ours, theirs resolution.Branch) { return u.parted(ctx, j) }); err != nil {
			return record.Resolution{}, err
		}
	}
	return u.resolution(ctx, j, state, u.earlier.Broken, note), nil
}

// resolution returns what is recorded of a state at a tip. sums are the texts with problems that people were shown
// before.
func (u resolving) resolution(ctx context.Context, j tipMerge, state settle.State, sums []string,
	note string) record.Resolution {
	state = j.Fits(j.accepting(ctx, state, u.policy))
	broken := j.Broken(meter.Within(ctx, meter.Default), state)
	if !u.policy.WarnOnly {
		state = j.Revoke(state, broken, sums)
	}
	told := j.Broken(meter.Within(ctx, meter.Default), proposed(state))
	done := record.Resolution{Root: u.root(), Tip: j.tip.SHA(), Base: j.base.SHA(), Conflicts: j.Record(state),
		Broken: sumsOfBroken(sums, told), Unasked: note}
	if len(done.Open()) > 0 {
		done.Boxed = u.shown(ctx, j, done, "").Boxed()
	}
	return done
}

// chosen returns what is known of the conflicts by earlier choices and by the selection; lost are the names of those
// that the selection is about and that are not as they were shown any more. It fails with a *port.UserError if
// something of the selection cannot be.
func (w selection) chosen(j tipMerge, earlier history.Resolution) (s settle.State, lost []string, err error) {
	s = j.Restore(earlier.Conflicts)
	if w.fresh() {
		for id, known := range s {
			if !known.ByHand {
				s[id] = record.ResolvedConflict{Key: known.Key}
			}
		}
		return s, nil, nil
	}
	wanted, err := w.wanted(earlier)
	if err != nil {
		return nil, nil, err
	}
	same := j.Same(earlier.Conflicts)
	var wrong []string
	for _, shown := range slices.Sorted(maps.Keys(wanted)) {
		id, ok := same[shown]
		if !ok {
			lost = append(lost, choice.Name(shown))
			continue
		}
		if _, why := j.Conflicts[id-1].Fits(wanted[shown]); why != "" {
			wrong = append(wrong, choice.Name(shown)+": "+markdown.Spans(why))
			continue
		}
		known := s[id]
		known.Choice, known.ByHand, known.Note = wanted[shown], true, ""
		s[id] = known
	}
	if len(wrong) > 0 {
		return nil, nil, sentence.WrongChoices(wrong, earlier.Answer.URL)
	}
	return s, lost, nil
}

// wanted returns the choices of the selection, by the numbers that the conflicts have in the answer. It fails with a
// *port.UserError if there is no such conflict, or if not all can be taken as proposed.
func (w selection) wanted(earlier history.Resolution) (map[int]string, error) {
	out, shown := map[int]string{}, earlier.Conflicts
	var wrong, open []string
	for _, c := range w.choices {
		if c.ID > len(shown) {
			wrong = append(wrong, "There is no "+choice.Name(c.ID))
			continue
		}
		out[c.ID] = c.Text
	}
	for _, n := range w.ticks {
		id, box := markdown.ChosenBy(n)
		if id > len(shown) || box == 3 && !slices.Contains(earlier.Boxed, id) {
			continue // a line that somebody wrote like a box is none
		}
		out[id] = []string{settle.Ours, settle.Theirs, settle.Both, shown[id-1].Proposal}[box]
	}
	for i, c := range shown {
		switch id := i + 1; {
		case !w.all || c.Choice != "":
		case c.Proposal == "" || !slices.Contains(earlier.Boxed, id) && isWritten(c.Proposal):
			open = append(open, choice.Name(id))
		default:
			out[id] = c.Proposal
		}
	}
	switch {
	case len(wrong) > 0:
		return nil, sentence.WrongChoices(wrong, earlier.Answer.URL)
	case len(open) > 0:
		return nil, sentence.StillOpen(open[:min(len(open), maxOpenNamed)], earlier.Answer.URL)
	}
	return out, nil
}

// maxOpenNamed is how many open conflicts a refusal names.
const maxOpenNamed = 10

// isWritten reports whether a choice is a text, which may have new lines.
func isWritten(text string) bool { return strings.HasPrefix(text, "new\n") }
