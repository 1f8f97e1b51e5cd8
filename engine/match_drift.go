package engine

import "slices"

// What a place must have in common with a block whose context has drifted further than fuzzyMatches allows.
const (
	minSimilarity  = 0.6 // share of common words that makes a line a changed form of another
	minDriftChars  = 8   // characters of the required lines
	minStrongLines = 3   // required lines with words that need no context
	minStrongChars = 60  // characters of those
)

// evidence is what speaks for and against an alignment: lines with words only.
type evidence struct {
	// required are the lines that must be there, chars their characters.
	required, chars int
	// matched are the other context lines that the file has, changed those that it has in a similar form at the same
	// place, missing the rest.
	matched, changed, missing int
	// elsewhere is set if the file has one of the lines that are changed or missing: the block may be meant for there.
	elsewhere bool
}

// isEnough reports whether the place is certain: many required lines are there, or fewer with context that is mostly
// unchanged.
func (e evidence) isEnough() bool {
	switch {
	case e.elsewhere, e.required == 0, e.chars < minDriftChars:
		return false
	case e.required >= minStrongLines && e.chars >= minStrongChars:
		return true
	case e.required > 1:
		return e.matched > 0
	}
	return e.matched > 0 && e.missing <= e.matched || e.matched == 0 && e.missing == 0 && e.changed > 0
}

// driftedMatches returns the only place that has all required lines, if its context is evidence enough and no other
// place has as much of it.
func (m matcher) driftedMatches(required []bool) []match {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	var best alignment
	anchor, lines := rarestLine(file, find, required)
	for _, n := range lines {
		a := alignment{at: alignAround(file, find, anchor, n)}
		pairTypos(a.at, file, find, required)
		if a.count(find, required); !a.complete {
			continue
		}
		if best.complete {
			return nil
		}
		best = a
	}
	if !best.complete || !m.evidenceFor(best, required).isEnough() || m.hasRival(best, required) {
		return nil
	}
	return []match{m.matchAt(best.at, keyFoldTrimRight, asWritten)}
}

// evidenceFor returns the evidence for an alignment.
func (m matcher) evidenceFor(a alignment, required []bool) evidence {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	where := indexLines(file, find, 0)
	var e evidence
	for i, s := range find {
		switch {
		case required[i]:
			e.chars += charCount(s)
			if hasWord(s) {
				e.required++
			}
		case !hasWord(s):
		case a.at[i] >= 0:
			e.matched++
		default:
			if slices.ContainsFunc(file[a.gapAt(i, len(file)).from:a.gapAt(i, len(file)).to], func(have string) bool {
				return similarity(s, have) >= minSimilarity
			}) {
				e.changed++
			} else {
				e.missing++
			}
			e.elsewhere = e.elsewhere || len(where[s]) > 0
		}
	}
	return e
}

// gapAt returns the lines of the file among which a changed form of line i of find would be: those between its
// neighbors, or as many as find has there and two more.
func (a alignment) gapAt(i, end int) span {
	before, after := i-1, i+1
	for before >= 0 && a.at[before] < 0 {
		before--
	}
	for after < len(a.at) && a.at[after] < 0 {
		after++
	}
	switch {
	case before >= 0 && after < len(a.at):
		return span{a.at[before] + 1, a.at[after]}
	case before >= 0:
		from := a.at[before] + 1
		return span{from, min(from+i-before+2, end)}
	case after < len(a.at):
		to := a.at[after]
		return span{max(to-(after-i)-2, 0), to}
	}
	return span{}
}

// span is the lines [from,to) of a file.
type span struct{ from, to int }

// hasRival reports whether another place has as many context lines as best. The block may be meant for it, if one of
// the required lines changed there.
func (m matcher) hasRival(best alignment, required []bool) bool {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	context := make([]bool, len(find))
	for i, n := range best.at {
		context[i] = n >= 0 && !required[i] && hasWord(find[i])
	}
	anchor, lines := rarestLine(file, find, context)
	for _, n := range lines {
		if n == best.at[anchor] {
			continue
		}
		a := alignment{at: alignAround(file, find, anchor, n)}
		if a.count(find, required); a.matched >= best.matched {
			return true
		}
	}
	return false
}

// similarity returns how many of the words of two lines are common to both: from 0 to 1.
func similarity(a, b string) float64 {
	count := map[string]int{}
	all, common := 0, 0
	for word := range words(a) {
		count[word]++
		all++
	}
	for word := range words(b) {
		if all++; count[word] > 0 {
			count[word]--
			common++
		}
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(common) / float64(all)
}
