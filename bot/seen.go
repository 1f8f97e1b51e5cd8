package bot

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// What was seen is what is committed. An edit of a preview is committed if people were shown all of it, and if it
// changes what they were shown; see docs/adr/0034-what-was-seen.md.

// recordSeen records, before an answer is given, which of the edits that were not committed it shows whole, if it
// leaves out any that a person can have committed by their numbers.
func recordSeen(ctx context.Context, journal *record.Journal, commit record.Committed, body, check string) error {
	var seen record.Shown
	offers := false
	for i, row := range commit.Results {
		left := row.Reason == string(engine.SyntaxError) || row.Reason == string(engine.NotAsShown)
		switch offers = offers || left; {
		case !left && (commit.SHA != "" || row.Change == ""):
		case row.In(body):
			seen.Answer = append(seen.Answer, row.NumberAt(i))
		case row.In(check):
			seen.Check = append(seen.Check, row.NumberAt(i))
		}
	}
	if !offers {
		return nil
	}
	_, err := record.Do(ctx, journal, record.Seen, func(context.Context) (record.Shown, error) { return seen, nil })
	return err
}

// unseen returns those of the blocks that nobody was shown whole. Of one that did not fit when the preview was made
// there was nothing to see: what it changes now is shown before it is committed.
func (c candidates) unseen(numbers []int) (out []int) {
	for _, n := range numbers {
		if c.origin != nil && c.origin.Results[n-1].Change != "" && !c.origin.ShownWhole(n) && !c.sees(n) {
			out = append(out, n)
		}
	}
	return out
}

// sees reports whether people were shown all that a block changes now, after it was refused for changing something
// else.
func (c candidates) sees(n int) bool {
	o := c.outcomes[n]
	return o.Changed != nil && o.Seen
}

// boxed reports whether a block has a box.
func (c candidates) boxed(n int) bool {
	if o := c.outcomes[n]; o.Changed != nil {
		return o.Seen
	}
	return c.origin.Boxed(n)
}

// isOld reports whether it is not known what the preview showed.
func (c candidates) isOld() bool { return c.origin != nil && c.origin.Shown == nil }

// oldError is the error for a preview of which it is not known what it showed.
func (c candidates) oldError() error {
	return sentence.ShownUnknown(c.source())
}

// unseenError is the error for blocks that were named and that nobody was shown whole.
func (c candidates) unseenError(numbers []int) error {
	return sentence.Unseen(c.source(), numbers, c.origin.Results[numbers[0]-1].Unshown)
}

// unboxed returns the blocks that fit and that are only committed if they are named, because they have no box.
func (c candidates) unboxed() (out []int) {
	for n := 1; c.origin != nil && n <= len(c.origin.Results); n++ {
		if c.fits(n) && !c.breaks(n) && !c.boxed(n) && !slices.Contains(c.Numbers, n) {
			out = append(out, n)
		}
	}
	return out
}

// unboxedWords says which blocks are left out because they have no box.
func (c candidates) unboxedWords(numbers []int) string {
	seen := slices.DeleteFunc(slices.Clone(numbers), func(n int) bool { return len(c.unseen([]int{n})) > 0 })
	return sentence.Unboxed(numbers, seen)
}

// binding returns what refuses an edit that is not the one that people were shown. The lines around it may be others by
// now only where commits of the preview alone changed the file, as placed reports, and never after the edit was shown
// anew. nil for the blocks of a comment.
func (c candidates) binding(placed func(path string) bool) func(int, string, *engine.Edit) engine.Verdict {
	if c.origin == nil || c.origin.Pasted {
		return nil
	}
	refuse := func(why string) engine.Verdict { return engine.Verdict{Reason: engine.NotAsShown, Detail: why} }
	return func(block int, path string, e *engine.Edit) engine.Verdict {
		want, now := c.shownResult(c.Numbers[block]), e.Fingerprint(path)
		switch {
		case want.Change == "":
			return refuse(sentence.NeverFitted)
		case now.Change != want.Change:
			return refuse(sentence.OtherLines)
		case now.Place != want.Place && (c.sees(c.Numbers[block]) || !placed(path)):
			return refuse(sentence.OtherNeighbors)
		}
		return engine.Verdict{}
	}
}

// shownResult is the result of block n as people were shown it last.
func (c candidates) shownResult(n int) record.Result {
	if c.sees(n) {
		return *c.outcomes[n].Changed
	}
	return c.origin.Results[n-1]
}
