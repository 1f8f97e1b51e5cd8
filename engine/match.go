package engine

import (
	"cmp"
	"slices"
	"unicode"
)

// matcher finds the places where one split of a block matches a file.
type matcher struct {
	file       *text
	find, repl []string
}

// match is a place where a block matches, and the edits to make there.
type match struct {
	// matcher has the lines that match: those of the block, less the differences that the level ignores.
	matcher matcher
	// at maps each line of find to its line in the file, or to -1 for a blank line that the file lacks.
	at    []int
	edits []edit
	// ambiguity says why the edits are uncertain although the place is not; empty if they are certain.
	ambiguity string
	// parts are the matches of the segments of a block with "...".
	parts []match
	// plain is the level at which the block matches once line numbers are cut off; 0 if it has none.
	plain Level
}

// firstLine returns the first line of the file that find covers.
func (m match) firstLine() int {
	for _, n := range m.at {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// lastLine returns the last line of the file that find covers.
func (m match) lastLine() int {
	for _, n := range slices.Backward(m.at) {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// levels are tried in order, until one has a match. It must be the only one at its level.
var levels = []struct {
	level   Level
	matches func(matcher) []match
}{
	{LevelExact, exactMatches},
	{LevelTrailingSpace, trailingSpaceMatches},
	{LevelBlankLines, blankLineMatches},
	{LevelIndent, indentMatches},
	{LevelHomoglyph, homoglyphMatches},
	{LevelEllipsis, ellipsisMatches},
	{LevelFuzzyContext, fuzzyMatches},
	{LevelTokens, tokenMatches},
	{LevelStructure, structureMatches},
}

// location is where a block matches, or the reason why it does not.
type location struct {
	match   match
	level   Level
	matcher matcher
	reason  Reason
	// starts are the first lines of all matches, if there are several.
	starts []int
}

// strictness returns the level at which the block matches, line numbers aside.
func (loc location) strictness() Level { return cmp.Or(loc.match.plain, loc.level) }

// locate finds the one match of a block in a file. Of several splits it takes the one with the longest find that
// matches: a shorter one would treat lines of the file that look like a divider as part of the replacement, and
// insert them again.
func locate(file *text, b Block, disabled []Level) location {
	splits := b.Splits
	if len(splits) == 0 {
		splits = []Split{{b.Find, b.Replace}}
	}
	maxLevel := LevelStructure
	if len(splits) > 1 {
		maxLevel = LevelHomoglyph
	}
	for i, split := range slices.Backward(splits) {
		m := matcher{file: file, find: split.Find, repl: split.Replace}
		loc := m.locate(maxLevel, disabled)
		if loc.reason == "" && i < len(splits)-1 && m.continuesAs(loc.match, splits[i+1].Find) {
			loc.reason = Malformed
		}
		if loc.reason != NotFound {
			return loc
		}
	}
	return location{matcher: matcher{file: file, find: b.Find, repl: b.Replace}, reason: NotFound}
}

// locate tries the levels for one split.
func (m matcher) locate(maxLevel Level, disabled []Level) location {
	loc := location{matcher: m, reason: NotFound}
	if allBlank(m.find) {
		return loc
	}
	for _, l := range levels {
		if l.level > maxLevel || slices.Contains(disabled, l.level) {
			continue
		}
		matches := l.matches(m)
		if len(matches) == 0 {
			continue
		}
		loc.level = l.level
		if len(matches) > 1 {
			loc.reason = Ambiguous
			for _, found := range matches {
				loc.starts = append(loc.starts, found.firstLine())
			}
			return loc
		}
		if rival, ok := m.rival(l.level, matches[0]); ok {
			loc.reason, loc.starts = Ambiguous, []int{matches[0].firstLine(), rival.firstLine()}
			slices.Sort(loc.starts)
			return loc
		}
		loc.match, loc.reason = matches[0], ""
		return loc
	}
	return loc
}

// rival returns a match elsewhere whose context is fuzzy. With such a rival, a match at another indentation is not the
// only one. If the context of the match itself is fuzzy, its rival is a match of the replacement: the block may be
// applied already, there.
func (m matcher) rival(level Level, found match) (match, bool) {
	switch {
	case level == LevelIndent, level == LevelHomoglyph:
	case level == LevelFuzzyContext && m.replTells():
		m.find, m.repl = m.repl, m.find
	default:
		return match{}, false
	}
	fuzzy := fuzzyMatches(m)
	if len(fuzzy) != 1 || fuzzy[0].firstLine() <= found.lastLine() && found.firstLine() <= fuzzy[0].lastLine() {
		return match{}, false
	}
	return fuzzy[0], true
}

// continuesAs reports whether the line after a match is the line with which the longer find of another split
// continues, one that looks like a divider. Then the longer find was meant, and does not match.
func (m matcher) continuesAs(found match, longer []string) bool {
	n := found.lastLine() + 1
	return n < len(m.file.lines) && len(longer) > len(m.find) &&
		trimTrailing(m.file.lines[n].text) == trimTrailing(longer[len(m.find)])
}

// What find must have at least before a level may ignore more than whitespace, so that it does not match by
// coincidence: some letters for indentation and homoglyphs, some lines or characters for the levels that compare only
// part of it.
const (
	minLetters = 4
	minLines   = 3
	minChars   = 40
)

// hasLetters reports whether find is more than punctuation.
func hasLetters(find []string) bool {
	n := 0
	for _, s := range find {
		for _, r := range s {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n >= minLetters
}

// substantial reports whether lines are long enough not to match by coincidence.
func substantial(find []string) bool {
	lines, chars := 0, 0
	for _, s := range find {
		if !isBlank(s) {
			lines++
		}
		for _, r := range s {
			if !unicode.IsSpace(r) {
				chars++
			}
		}
	}
	return lines >= minLines || chars >= minChars
}
