package engine

import (
	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxAhead is how many of the next hunks are looked for, to know where a hunk ends at the latest.
const maxAhead = 3

// maxGap is how many lines of the reply are between two hunks of one diff at most: a blank one or two.
const maxGap = 2

// isNext reports whether a block is the hunk that follows another one in the same diff.
func isNext(b, before Block) bool {
	gap := b.Line - before.EndLine - 1
	return b.Hunk != nil && before.Hunk != nil && b.Path == before.Path && b.Format == before.Format &&
		gap >= 0 && gap <= maxGap
}

// between returns the lines, counted from 1, between which the present block is if it is a hunk: those of the hunk
// before it and of the next one that fits at only one place. The hunks of a diff are in the order of the file.
func (a *applier) between(in match.File, b Block) (after, before int) {
	n := len(a.results)
	if lines := a.files[in.Path].resultLines; n > 0 && len(lines) > 0 && isNext(b, a.results[n-1].Block) {
		if last := lines[len(lines)-1]; last.result == n-1 {
			after = last.line + 1
		}
	}
	in.Hint = match.Hint{}
	for _, next := range a.blocks[min(n+1, len(a.blocks)):min(n+1+maxAhead, len(a.blocks))] {
		if !isNext(next, b) {
			break
		}
		b = next
		if l := match.Locate(in, next, a.opts.DisabledLevels); l.Reason == "" {
			return after, l.Match.First() + 1
		}
	}
	return after, 0
}

// isMade reports whether a block that fits at l was applied elsewhere: where the reply says that it is, the file has
// its replacement. line is where, counted from 0.
func (a *applier) isMade(in match.File, b Block, l match.Location) (line int, ok bool) {
	isHinted := b.At > 0 || len(b.Scope) > 0 || b.Hunk != nil
	if !isHinted || l.Reason != "" && l.Reason != Ambiguous || text.AllBlank(l.Pattern.Replace) ||
		len(text.Search(in.Work, in.Lines(), l.Pattern.Replace)) == 0 {
		return 0, false
	}
	if b.Hunk != nil {
		in.Hint.After, in.Hint.Before = a.between(in, b)
	}
	return in.Hint.IsMadeAt(in, l.Pattern, l.Match)
}
