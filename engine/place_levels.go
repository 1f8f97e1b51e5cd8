package engine

import (
	"slices"
	"unicode"
)

// levels are tried in this order; the first at which exactly one place fits has it, and the first with several ends the search.
var levels = []struct {
	level  Level
	places func(matcher) []match
}{
	{LevelExact, exactMatches},
	{LevelTrailingSpace, trailingSpaceMatches},
	{LevelBlankLines, blankLineMatches},
	{LevelIndent, indentMatches},
	{LevelHomoglyph, homoglyphMatches},
	{LevelEllipsis, ellipsisMatches},
	{LevelFuzzyContext, fuzzyMatches},
}

// What a block must hold before its level may forgive more than blanks, so that it does not fit by chance: a word for
// indentation and look-alikes, enough text for the levels that match a part of it only.
const (
	minLetters  = 4
	minLines = 3
	minChars = 40
)

// worded reports a find that is more than brackets.
func (m matcher) hasLetters() bool {
	n := 0
	for _, s := range m.find {
		for _, r := range s {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n >= minLetters
}

// substantial reports a find with enough in it.
func (m matcher) substantial() bool {
	lines, chars := 0, 0
	for _, s := range m.find {
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

// settled is where a block belongs, or why that is not known.
type location struct {
	match  match
	level  Level
	matcher    matcher
	reason Reason
	// starts are the first lines of all places, when there are several.
	starts []int
}

// settle finds the one place of a block in a file. Of several readings of its halves it takes the one with the longest find
// that fits, which holds lines of the file that look like a divider; the others would put those lines in a second time.
func locate(file *text, b Block, disabled []Level) location {
	splits := b.Splits
	if len(splits) == 0 {
		splits = []Split{{b.Find, b.Replace}}
	}
	maxLevel := LevelFuzzyContext
	if len(splits) > 1 {
		maxLevel = LevelHomoglyph
	}
	for i, r := range slices.Backward(splits) {
		m := matcher{file: file, find: r.Find, put: r.Replace}
		s := m.locate(maxLevel, disabled)
		if s.reason == "" && i < len(splits)-1 && m.continuesAs(s.match, splits[i+1].Find) {
			s.reason = Malformed
		}
		if s.reason != NotFound {
			return s
		}
	}
	return location{matcher: matcher{file: file, find: b.Find, put: b.Replace}, reason: NotFound}
}

// settle tries the levels on one reading.
func (m matcher) locate(maxLevel Level, disabled []Level) location {
	s := location{matcher: m, reason: NotFound}
	if allBlank(m.find) {
		return s
	}
	for _, l := range levels {
		if l.level > maxLevel || slices.Contains(disabled, l.level) {
			continue
		}
		matches := l.places(m)
		if len(matches) == 0 {
			continue
		}
		s.level = l.level
		if len(matches) > 1 {
			s.reason = Ambiguous
			for _, p := range matches {
				s.starts = append(s.starts, p.firstLine())
			}
			return s
		}
		if rival, ok := m.rival(l.level, matches[0]); ok {
			s.reason, s.starts = Ambiguous, []int{matches[0].firstLine(), rival.firstLine()}
			slices.Sort(s.starts)
			return s
		}
		s.match, s.reason = matches[0], ""
		return s
	}
	return s
}

// rival returns another place, where the block fits with its indentation but for drifted context: a place that wants another
// indentation is then not the only one.
func (m matcher) rival(level Level, p match) (match, bool) {
	if level != LevelIndent && level != LevelHomoglyph {
		return match{}, false
	}
	fuzzy := fuzzyMatches(m)
	if len(fuzzy) != 1 || fuzzy[0].firstLine() <= p.lastLine() && p.firstLine() <= fuzzy[0].lastLine() {
		return match{}, false
	}
	return fuzzy[0], true
}

// continues reports that the file goes on, after a place, as the longer reading of find does: with a line that looks like the
// block's divider. Then the longer one was meant, and does not fit.
func (m matcher) continuesAs(p match, longer []string) bool {
	n := p.lastLine() + 1
	return n < len(m.file.lines) && len(longer) > len(m.find) && trimTrailing(m.file.lines[n].text) == trimTrailing(longer[len(m.find)])
}
