package bot

import (
	"context"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// candidates are the blocks that an apply can choose from, and its choice.
type candidates struct {
	record.Source
	conversation.Job
	// origin is the preview, or the answer, that shows the blocks; nil if they are those of a comment that is applied for
	// the first time. outcomes are what came of its blocks until now.
	origin   *history.Preview
	outcomes history.BlockOutcomes
	record.Choice
	// title is that of the thread when the preview was made, base the base branch that its command named, if the branch
	// was still to be made.
	title, base string
	// sums are the SHA-256 of the files that commits of the preview left, that of this run included once it is made.
	sums map[string]string
}

// findCandidates reads the blocks of a source.
func findCandidates(ctx context.Context, past history.Thread, from record.Source) (candidates, error) {
	c := candidates{Source: from}
	if from.Preview == "" {
		c.Conversation = conversation.Pasted(from.Text)
		return c, nil
	}
	v, err := past.PreviewOf(ctx, from.Preview)
	if err != nil {
		return candidates{}, err
	}
	c.origin, c.Job, c.title = &v, v.Job, v.Target.Title
	if v.Target.New {
		c.base = v.Target.Base
	}
	return c, nil
}

// paths are those of the files of the blocks.
func (c candidates) paths() (out []string) {
	for _, b := range c.Conversation.Blocks() {
		if !slices.Contains(out, b.Path) {
			out = append(out, b.Path)
		}
	}
	return out
}

// choose chooses the blocks that were named by their numbers, or whose boxes were ticked, or all that are left if there
// are no numbers. warnOnly reports whether those after which a file does not parse are among these.
func (c candidates) choose(numbers []int, ticked, warnOnly bool) (record.Choice, error) {
	choice := record.Choice{Run: c.Preview}
	total := len(c.Conversation.Plan())
	var missing []int
	for n := 1; n <= markdown.MaxNumber; n++ {
		switch named := slices.Contains(numbers, n); {
		case named && n > total:
			missing = append(missing, n)
		case named && c.outcomes[n].Done():
			choice.Passed = append(choice.Passed, n)
		case named, numbers == nil && n <= total && c.isLeft(n, warnOnly):
			choice.Numbers = append(choice.Numbers, n)
		}
	}
	if c.isOld() {
		return record.Choice{}, c.oldError()
	}
	if ticked { // a line that somebody wrote like a box is none
		choice.Numbers = slices.DeleteFunc(choice.Numbers, func(n int) bool { return !c.boxed(n) })
		return choice, nil
	}
	unseen := c.unseen(choice.Numbers)
	switch {
	case len(missing) > 0:
		return record.Choice{}, sentence.NoSuchEdits(c.source(), total, missing)
	case len(choice.Numbers) == 0:
		return record.Choice{}, c.nothingLeft(choice.Passed)
	case len(unseen) > 0:
		return record.Choice{}, c.unseenError(unseen)
	}
	return choice, nil
}

// isLeft reports whether a block is taken when all are: not one whose whole diff is not beside a box, and not one
// after which its file does not parse, unless that is committed with a warning.
func (c candidates) isLeft(n int, warnOnly bool) bool {
	return c.origin == nil || c.fits(n) && c.boxed(n) && (warnOnly || !c.breaks(n))
}

// fits reports whether a block of a preview fits, and is not committed.
func (c candidates) fits(n int) bool { return c.origin.Fits(n) && !c.outcomes[n].Done() }

// breaks reports whether the file of a block is known not to parse after it.
func (c candidates) breaks(n int) bool {
	return c.origin != nil && (c.origin.Breaks(n) || c.outcomes[n].Breaks)
}

// allows reports whether a file is committed although it does not parse: when its blocks were chosen, that had been
// shown.
func (c candidates) allows(path string) bool {
	return slices.ContainsFunc(c.Numbers, func(n int) bool {
		return c.breaks(n) && (c.origin.Breaks(n) || !c.outcomes[n].Unseen) && c.origin.Results[n-1].Path == path
	})
}

// leftOut returns the blocks that fit and that are only committed if they are named.
func (c candidates) leftOut() (out []int) {
	for n := 1; c.origin != nil && n <= len(c.origin.Results); n++ {
		if c.fits(n) && c.breaks(n) && !slices.Contains(c.Numbers, n) {
			out = append(out, n)
		}
	}
	return out
}

func (c candidates) nothingLeft(passed []int) *port.UserError {
	leftOut, unboxed := c.leftOut(), c.unboxed()
	switch {
	case len(unboxed) > 0 && len(passed) == 0:
		return sentence.NoOtherEdit(c.source(), c.unboxedWords(unboxed))
	case len(leftOut) > 0 && len(passed) == 0:
		return sentence.NoOtherEdit(c.source(), sentence.LeftOut(leftOut))
	case len(passed) > 0:
		return sentence.CommittedAlready(c.source(), passed)
	case record.Count(c.origin.Results).Applied > 0:
		return sentence.AllCommittedAlready(c.source())
	}
	return sentence.NoEditFits(c.source())
}

// source is where the blocks are from.
func (c candidates) source() sentence.Source {
	if c.origin != nil {
		return sourceOf(*c.origin)
	}
	return sentence.Source{Noun: "comment", URL: c.URL}
}

// seeEarlierCommits counts the files that earlier commits of the preview left as shown, if all blocks come after those
// in the reply.
func (c *candidates) seeEarlierCommits() {
	for n, o := range c.outcomes {
		if o.SHA != "" && len(c.Numbers) > 0 && n > c.Numbers[0] {
			return
		}
	}
	if c.Prompt.Shown != nil {
		c.Prompt.Shown = maps.Clone(c.Prompt.Shown) // the preview's own stays what its prompt showed
		maps.Copy(c.Prompt.Shown, c.sums)
	}
}

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
