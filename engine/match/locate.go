package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// levels are tried in order, until one has a match. It must be the only one at its level.
var levels = []struct {
	level   block.Level
	matches func(File, Pattern) []Match
}{
	{block.LevelExact, exact},
	{block.LevelTrailingSpace, trailingSpace},
	{block.LevelBlankLines, blankLines},
	{block.LevelIndent, indent},
	{block.LevelHomoglyph, homoglyph},
	{block.LevelEllipsis, ellipsis},
	{block.LevelFuzzyContext, fuzzy},
}

// Location is where a block matches, or why it does not.
type Location struct {
	Match Match
	Level block.Level
	// Pattern is the reading of the block that was looked for.
	Pattern Pattern
	// Reason is empty if there is one match, else NotFound, Ambiguous or Malformed.
	Reason block.Reason
	// Starts are the first lines of all matches, counted from 0, if there are several.
	Starts []int
	file   File
	off    []block.Level
}

// strictness returns the level at which the block matches, line numbers aside.
func (l Location) strictness() block.Level { return cmp.Or(l.Match.plain, l.Level) }

// Locate finds the one match of a block in a file, at none of the levels that are off. Of several splits it takes the
// one with the most lines to find that match: a shorter one would treat lines of the file that look like a divider as
// part of the replacement, and insert them again.
func Locate(f File, b block.Block, off []block.Level) Location {
	splits, last := b.Splits, block.LevelFuzzyContext
	if len(splits) == 0 {
		splits = []block.Split{{Find: b.Find, Replace: b.Replace}}
	} else if len(splits) > 1 {
		last = block.LevelHomoglyph
	}
	for i, split := range slices.Backward(splits) {
		p := NewPattern(f.Work, WithoutBOM(f.Text, split.Find), WithoutBOM(f.Text, split.Replace))
		l := LocateUpTo(last, f, p, off)
		if l.Reason == "" && i < len(splits)-1 && continuesAs(l, splits[i+1].Find) {
			l.Reason = block.Malformed
		}
		if l.Reason != block.NotFound {
			return l
		}
	}
	return Location{file: f, off: off, Pattern: NewPattern(f.Work, b.Find, b.Replace), Reason: block.NotFound}
}

// WithoutBOM returns lines without a byte order mark at the start of one, as a block quotes the first line of a file
// that has one: it is no part of a line.
func WithoutBOM(f *text.Text, lines []string) []string {
	isMarked := func(s string) bool { return strings.HasPrefix(s, text.BOM) }
	if !f.HasBOM() || !slices.ContainsFunc(lines, isMarked) || slices.ContainsFunc(f.Lines(), isMarked) {
		return lines
	}
	lines = slices.Clone(lines)
	for i, s := range lines {
		lines[i] = strings.TrimPrefix(s, text.BOM)
	}
	return lines
}

// LocateUpTo finds the one match of a pattern at one of the levels up to last.
func LocateUpTo(last block.Level, f File, p Pattern, off []block.Level) Location {
	l := Location{file: f, off: off, Pattern: p, Reason: block.NotFound}
	if text.AllBlank(p.Find) {
		return l
	}
	for i, level := range levels {
		if level.level > last || slices.Contains(off, level.level) {
			continue
		}
		matches := level.matches(f, p)
		if len(matches) == 1 && i < len(closeLevels) && !isSubstantial(p.Find) {
			matches = append(matches, othersAt(closeLevels[i], f, p, matches[0])...)
		}
		if len(matches) == 0 {
			continue
		}
		l.Level = level.level
		if len(matches) > 1 {
			if m, ok := f.Hint.choose(f, matches); ok {
				l.Match, l.Reason = m, ""
				return l
			}
			l.Reason = block.Ambiguous
			for _, found := range matches {
				l.Starts = append(l.Starts, found.First())
			}
			slices.Sort(l.Starts)
			return l
		}
		if rival, ok := rivalOf(f, p, l.Level, matches[0]); ok {
			l.Reason, l.Starts = block.Ambiguous, []int{matches[0].First(), rival.First()}
			slices.Sort(l.Starts)
			return l
		}
		l.Match, l.Reason = matches[0], ""
		return l
	}
	return l
}

// closeLevels are, for the first levels, the next ones: a match of a few short lines may be the only one by
// coincidence.
var closeLevels = [][]func(File, Pattern) []Match{{trailingSpace, blankLines}, {blankLines}}

// othersAt returns the matches elsewhere at the first of some levels that has any.
func othersAt(levels []func(File, Pattern) []Match, f File, p Pattern, found Match) []Match {
	for _, matches := range levels {
		others := slices.DeleteFunc(matches(f, p), func(m Match) bool { return m.overlaps(found) })
		if len(others) > 0 {
			return others
		}
	}
	return nil
}

// rivalOf returns a match elsewhere whose context is fuzzy. With such a rival, a match at another indentation is not
// the only one. If the context of the match itself is fuzzy, its rival is a match of the replacement: the block may be
// applied already, there.
func rivalOf(f File, p Pattern, level block.Level, found Match) (Match, bool) {
	switch {
	case level == block.LevelIndent, level == block.LevelHomoglyph:
	case level == block.LevelFuzzyContext && tells(p):
		p = p.inverse(f.Work)
	default:
		return Match{}, false
	}
	others := fuzzy(f, p)
	if len(others) != 1 || others[0].overlaps(found) {
		return Match{}, false
	}
	return others[0], true
}

// continuesAs reports whether the line after a match is the line with which the lines to find of a longer split
// continue, one that looks like a divider. Then the longer ones were meant, and do not match.
func continuesAs(l Location, longer []string) bool {
	n, lines := l.Match.Last()+1, l.file.Lines()
	return n < len(lines) && len(longer) > len(l.Pattern.Find) &&
		text.TrimTrailing(lines[n]) == text.TrimTrailing(longer[len(l.Pattern.Find)])
}
