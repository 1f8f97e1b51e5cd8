package engine

import (
	"slices"
	"unicode"
)

// levels are tried in this order; the first at which exactly one place fits has it, and the first with several ends the search.
var levels = []struct {
	level  Level
	places func(fit) []place
}{
	{LevelExact, exactPlaces},
	{LevelTrailingSpace, trailingPlaces},
	{LevelBlankLines, blankPlaces},
	{LevelIndent, indentPlaces},
	{LevelHomoglyph, lookalikePlaces},
	{LevelEllipsis, elisionPlaces},
	{LevelFuzzyContext, driftPlaces},
}

// What a block must hold before its level may forgive more than blanks, so that it does not fit by chance: a word for
// indentation and look-alikes, enough text for the levels that match a part of it only.
const (
	enoughWord  = 4
	enoughLines = 3
	enoughChars = 40
)

// worded reports a find that is more than brackets.
func (f fit) worded() bool {
	n := 0
	for _, s := range f.find {
		for _, r := range s {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n >= enoughWord
}

// substantial reports a find with enough in it.
func (f fit) substantial() bool {
	lines, chars := 0, 0
	for _, s := range f.find {
		if !isBlank(s) {
			lines++
		}
		for _, r := range s {
			if !unicode.IsSpace(r) {
				chars++
			}
		}
	}
	return lines >= enoughLines || chars >= enoughChars
}

// settled is where a block belongs, or why that is not known.
type settled struct {
	place  place
	level  Level
	fit    fit
	reason Reason
	// starts are the first lines of all places, when there are several.
	starts []int
}

// settle finds the one place of a block in a file. Of several readings of its halves it takes the one with the longest find
// that fits, which holds lines of the file that look like a divider; the others would put those lines in a second time.
func settle(file *text, b Block, without []Level) settled {
	readings := b.Splits
	if len(readings) == 0 {
		readings = []Split{{b.Find, b.Replace}}
	}
	last := LevelFuzzyContext
	if len(readings) > 1 {
		last = LevelHomoglyph
	}
	for i, r := range slices.Backward(readings) {
		f := fit{file: file, find: r.Find, put: r.Replace}
		s := f.settle(last, without)
		if s.reason == "" && i < len(readings)-1 && f.continues(s.place, readings[i+1].Find) {
			s.reason = Malformed
		}
		if s.reason != NotFound {
			return s
		}
	}
	return settled{fit: fit{file: file, find: b.Find, put: b.Replace}, reason: NotFound}
}

// settle tries the levels on one reading.
func (f fit) settle(last Level, without []Level) settled {
	s := settled{fit: f, reason: NotFound}
	if allBlank(f.find) {
		return s
	}
	for _, l := range levels {
		if l.level > last || slices.Contains(without, l.level) {
			continue
		}
		places := l.places(f)
		if len(places) == 0 {
			continue
		}
		s.level = l.level
		if len(places) > 1 {
			s.reason = Ambiguous
			for _, p := range places {
				s.starts = append(s.starts, p.first())
			}
			return s
		}
		if rival, ok := f.rival(l.level, places[0]); ok {
			s.reason, s.starts = Ambiguous, []int{places[0].first(), rival.first()}
			slices.Sort(s.starts)
			return s
		}
		s.place, s.reason = places[0], ""
		return s
	}
	return s
}

// rival returns another place, where the block fits with its indentation but for drifted context: a place that wants another
// indentation is then not the only one.
func (f fit) rival(level Level, p place) (place, bool) {
	if level != LevelIndent && level != LevelHomoglyph {
		return place{}, false
	}
	drifted := driftPlaces(f)
	if len(drifted) != 1 || drifted[0].first() <= p.last() && p.first() <= drifted[0].last() {
		return place{}, false
	}
	return drifted[0], true
}

// continues reports that the file goes on, after a place, as the longer reading of find does: with a line that looks like the
// block's divider. Then the longer one was meant, and does not fit.
func (f fit) continues(p place, longer []string) bool {
	n := p.last() + 1
	return n < len(f.file.lines) && len(longer) > len(f.find) && trimTrailing(f.file.lines[n].text) == trimTrailing(longer[len(f.find)])
}
