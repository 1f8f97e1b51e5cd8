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
	minLetters = 4
	minLines   = 3
	minChars   = 40
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
	match   match
	level   Level
	matcher matcher
	reason  Reason
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

// fit is one reading of a block, to be fitted into a file.
type matcher struct {
	file      *text
	find, put []string
}

// edit replaces the file's lines [from,to) by put.
type edit struct {
	from, to int
	repl     []string
}

// place is where a block fits, and what it does there.
type match struct {
	// fit is the reading that fits: the block's, less what the level forgives.
	matcher matcher
	// at holds the file's line for each line of find, -1 for a blank line that the file does not have.
	at    []int
	edits []edit
	// doubt says why it is not sure what to do at this place, although the place itself is.
	ambiguity string
}

// first returns the file's first line that find covers.
func (p match) firstLine() int {
	for _, n := range p.at {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// last returns the file's last line that find covers.
func (p match) lastLine() int {
	for _, n := range slices.Backward(p.at) {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// maxPlaces bounds how many places are told apart: an answer names five, and knows that there are more.
const maxMatches = 6

// occurrences returns where find stands in file, overlaps counted, at most maxPlaces of them. It is linear in both for any
// input (Knuth, Morris, Pratt): neither a file nor a block of equal lines makes it slow.
func occurrences(file, find []string) []int {
	if len(find) == 0 || len(find) > len(file) {
		return nil
	}
	table := failureTable(find)
	var starts []int
	n := 0
	for i, s := range file {
		for n > 0 && (n == len(find) || find[n] != s) {
			n = table[n-1]
		}
		if find[n] == s {
			n++
		}
		if n == len(find) {
			if starts = append(starts, i-n+1); len(starts) == maxMatches {
				break
			}
			if n = table[n-1]; n == len(find) {
				n = 0
			}
		}
	}
	return starts
}

// borders returns, for each prefix of find, the length of its longest proper prefix that is its suffix as well.
func failureTable(find []string) []int {
	table := make([]int, len(find))
	n := 0
	for i := 1; i < len(find); i++ {
		for n > 0 && find[n] != find[i] {
			n = table[n-1]
		}
		if find[n] == find[i] {
			n++
		}
		table[i] = n
	}
	return table
}

// run returns the lines start, start+1, … that n lines of find stand for.
func lineRange(start, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = start + i
	}
	return at
}
