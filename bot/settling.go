package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// settling is the merge of a commit into the tip of a branch, whose conflicts are settled by choosing. It is the same
// whatever the commit, and the one that both are compared with, are.
type settling struct {
	// open opens the commit that is to be merged into a tip, and the one from which the two are compared. Both are nil if
	// there is nothing to merge.
	open func(ctx context.Context, tip repo.Checkout) (base, theirs repo.Checkout, err error)
	// stops returns, as a clause, why the merge is not to be committed any more; empty if it is.
	stops func(ctx context.Context) (why string, err error)
	// ours and theirs are what the sides are called.
	ours, theirs string
	// upstream is the page of the repository of theirs if ours is in a fork of it; else empty.
	upstream string
	// opened are the commits that were opened for a tip, so that nobody is asked again where it parted.
	opened *openedFor
}

// openedFor are the commits that belong to a tip.
type openedFor struct {
	tip          string
	base, theirs repo.Checkout
}

// tipMerge is a merge at a tip, with its conflicts, of which nothing is staged yet.
type tipMerge struct {
	settle.Merge
	found edit.FoundMerge
	// tip, base and theirs are the commits; base and theirs are nil if there is nothing to merge.
	tip, base, theirs repo.Checkout
	// oursName and theirsName are what the sides are called.
	oursName, theirsName string
	// failed are the protected paths that keep the merge from being made, beside its conflicts.
	failed []engine.Result
}

// at merges into a tip in memory.
func (s settling) at(ctx context.Context, tip repo.Checkout, p policy.Policy) (tipMerge, error) {
	j := tipMerge{tip: tip, oursName: s.ours, theirsName: s.theirs}
	var err error
	if last := s.opened; last.tip == tip.SHA() {
		j.base, j.theirs = last.base, last.theirs
	} else if j.base, j.theirs, err = s.open(ctx, tip); err == nil {
		*last = openedFor{tip.SHA(), j.base, j.theirs}
	}
	if err != nil || j.base == nil {
		return j, err
	}
	j.found, err = edit.Merge{
		Base: j.base, Theirs: j.theirs, Tip: tip, OursName: s.ours, TheirsName: s.theirs,
		Reason: edit.ReasonMergeConflict, Protected: p.WhyProtected,
	}.Find(ctx)
	if err != nil {
		return j, err
	}
	j.failed = j.found.Protected()
	j.Merge, err = settle.New(j.found.Conflicts, j.found.Read, p.WhyProtected)
	if errors.Is(err, settle.ErrTooMany) {
		err = sentence.TooManyConflicts(settle.MaxConflicts, s.theirs, s.upstream)
	}
	return j, err
}

// clean reports whether nothing keeps the merge from being made.
func (j tipMerge) clean() bool { return len(j.Conflicts)+len(j.failed) == 0 }

// stuck reports whether something has to be settled elsewhere.
func (j tipMerge) stuck() bool { return len(j.failed)+len(j.Unsettled()) > 0 }

// accepting returns a state in which only those choices are accepted that settings allow: new lines are for people to
// take, unless the settings leave that to the model, or refuse them. They may also refuse texts that are not checked
// for syntax.
func (j tipMerge) accepting(ctx context.Context, s settle.State, p policy.Policy) settle.State {
	out := settle.State{}
	for _, c := range j.Conflicts {
		known := s[c.ID]
		a, why := c.Fits(cmp.Or(known.Choice, known.Proposal))
		switch fresh := why == "" && len(settle.NewLines(a)) > 0; {
		case fresh && p.NewLines == policy.RefuseNew:
			known = record.ResolvedConflict{Key: known.Key, Note: sentence.NewLinesRefused}
		case fresh && p.NewLines == policy.ShowNew && known.Choice != "" && !known.ByHand:
			known.Proposal, known.Choice = known.Choice, ""
		}
		out[c.ID] = known
	}
	if !p.RefuseUnchecked {
		return out
	}
	unchecked := j.Unchecked(meter.Within(ctx, meter.Default), proposed(out))
	for _, c := range j.Conflicts {
		if why := string(unchecked[c.Path]); edit.BeyondBounds(why) {
			out[c.ID] = record.ResolvedConflict{Key: c.Key, Note: sentence.UncheckedRefused(edit.UncheckedWords(why))}
		}
	}
	return out
}

// change is the change that makes the merge with what was chosen for its conflicts, which is staged as a whole or not
// at all. The choices are valid for those conflicts that did not change, whatever the tip is. A text with a problem is
// staged if people were shown it, or the settings say so.
func (s settling) change(chosen record.Resolution, message func(record.Application) string) change {
	var merged, common repo.Checkout
	return change{
		stage: func(ctx context.Context, tip repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			merged, common = nil, nil
			j, err := s.at(ctx, tip, p)
			if err != nil || j.base == nil {
				return engine.Outcome{}, err
			}
			state := j.accepting(ctx, j.Restore(chosen.Conflicts), p)
			if !p.WarnOnly {
				state = j.Revoke(state, j.Broken(meter.Within(ctx, meter.Default), state), chosen.Broken)
			}
			settled, left := j.Outcome(state)
			out, err := j.found.Stage(ctx, settled, left)
			if err == nil && len(out.Results) == 0 {
				merged, common = j.theirs, j.base
			}
			return out, err
		},
		message: message,
		merged:  func() (repo.Checkout, repo.Checkout) { return merged, common },
		stops:   s.stops,
	}
}

// sumsOfBroken returns the sums of texts with problems, each once, after those that are known.
func sumsOfBroken(known []string, broken []settle.Broken) []string {
	out := slices.Clone(known)
	for _, b := range broken {
		if !slices.Contains(out, b.Sum) {
			out = append(out, b.Sum)
		}
	}
	return out[max(0, len(out)-maxBrokenSums):]
}

// maxBrokenSums is how many texts with problems are remembered to have been shown.
const maxBrokenSums = 200
