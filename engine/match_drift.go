package engine

import "slices"

// What a place must have in common with a block whose context has drifted further than fuzzyMatches allows.
const (
	minSimilarity  = 0.6 // share of common words that makes a line a changed form of another
	minDriftChars  = 4   // characters of the required lines
	minAloneChars  = 20  // characters of one required line if context is missing
	minStrongLines = 3   // required lines with words that need no other context
	minStrongChars = 60  // characters of those
	maxGap         = 16  // lines in which to look for a changed form
	minLead        = 2   // context lines by which a place must lead another that has all required lines
)

// evidence is what speaks for and against an alignment: lines with words, and not those that are all over the file.
type evidence struct {
	// required are the lines that must be there, chars their characters.
	required, chars int
	// matched are the other context lines that the file has, changed those that it has in a similar form at the same
	// place, missing the rest.
	matched, changed, missing int
	// elsewhere is the most context lines at a place that has one of those changed or missing: the block may be meant
	// for that place.
	elsewhere int
}

// isEnough reports whether the place is certain: many required lines are there, or fewer with context that is mostly
// unchanged.
func (e evidence) isEnough() bool {
	switch {
	case e.required == 0, e.chars < minDriftChars, float64(e.elsewhere) > maxFuzzyRunnerUp*float64(e.matched):
		return false
	case e.isStrong():
		return true
	case e.matched == 0:
		return e.missing == 0 && e.changed > 0
	}
	return e.required > 1 || e.missing == 0 || e.missing <= e.matched && e.chars >= minAloneChars
}

// isStrong reports whether there are so many required lines that they tell the place alone.
func (e evidence) isStrong() bool { return e.required >= minStrongLines && e.chars >= minStrongChars }

// driftedMatches returns the only place that has all required lines, or the one of several that has all context that
// another has and more, if its context is evidence enough and no place without the required lines has as much.
func (m matcher) driftedMatches(required []bool) []match {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	var complete []alignment
	anchor, lines := m.file.rarestLine(find, required)
	for _, n := range lines {
		a := alignment{at: alignAround(m.file.work, file, find, anchor, n)}
		pairTypos(a.at, file, find, required)
		m.dropOtherNames(a.at)
		m.pairChangedNeighbors(a.at, required)
		if a.count(find, required); a.complete {
			complete = append(complete, a)
		}
	}
	best, ok := leading(complete)
	if !ok {
		return nil
	}
	e := m.evidenceFor(best, required)
	e.elsewhere = m.matchedElsewhere(best, required)
	if !e.isEnough() || !e.isStrong() && m.hasRival(best, complete, required) || m.isUnderOtherName(best.at) {
		return nil
	}
	return []match{m.matchAt(best.at, keyFoldTrimRight, asWritten)}
}

// pairChangedNeighbors pairs a line next to an insertion that the file lacks with the line that is there instead, next
// to the other neighbor of the insertion, if it is a changed form of it.
func (m matcher) pairChangedNeighbors(at []int, required []bool) {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	for _, h := range m.changes() {
		if h.f0 < h.f1 {
			continue
		}
		before, after := m.neighborLines(h)
		if before < 0 || after == len(find) || !required[before] || !required[after] {
			continue
		}
		switch {
		case at[before] < 0 && at[after] >= 0:
			m.pairSimilar(at, before, nextNonBlank(file, at[after], -1), find)
		case at[after] < 0 && at[before] >= 0:
			m.pairSimilar(at, after, nextNonBlank(file, at[before], 1), find)
		}
	}
}

func (m matcher) pairSimilar(at []int, i, n int, find []string) {
	if n >= 0 && n < len(m.file.lines) && !slices.Contains(at, n) && m.hasSimilar(span{n, n + 1}, find[i]) {
		at[i] = n
	}
}

// neighborLines returns the non-blank lines of find next to an insertion, or -1 and len(m.find).
func (m matcher) neighborLines(h hunk) (before, after int) {
	return nextNonBlank(m.find, h.f0, -1), nextNonBlank(m.find, h.f0-1, 1)
}

// nextNonBlank returns the first line that is not blank from line n on, without it, in steps of step; -1 or len(lines)
// if there is none.
func nextNonBlank(lines []string, n, step int) int {
	for n += step; n >= 0 && n < len(lines) && isBlank(lines[n]); n += step {
	}
	return n
}

// leading returns the alignment that has every line that another one has, and at least minLead more.
func leading(all []alignment) (best alignment, ok bool) {
	for _, a := range all {
		if a.matched > best.matched || !best.complete {
			best = a
		}
	}
	for _, a := range all {
		if a.at[0] == best.at[0] && slices.Equal(a.at, best.at) {
			continue
		}
		for i, n := range a.at {
			if n >= 0 && best.at[i] < 0 {
				return alignment{}, false
			}
		}
		if best.matched-a.matched < minLead {
			return alignment{}, false
		}
	}
	return best, best.complete
}

// evidenceFor returns the evidence for an alignment, without elsewhere.
func (m matcher) evidenceFor(a alignment, required []bool) evidence {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	where := m.file.indexLines(keyFoldTrimRight, find, maxFuzzyAnchors)
	var e evidence
	for i, s := range find {
		switch {
		case required[i] && (a.at[i] < 0 || file[a.at[i]] != s):
			e.changed++
		case required[i]:
			e.chars += charCount(s)
			if hasWord(s) {
				e.required++
			}
		case !hasWord(s), len(where[s]) > maxFuzzyAnchors:
		case a.at[i] >= 0:
			e.matched++
		case m.hasSimilar(a.gapAt(i, len(file)), s):
			e.changed++
		default:
			e.missing++
		}
	}
	return e
}

// hasSimilar reports whether one of the lines is a changed form of s.
func (m matcher) hasSimilar(in span, s string) bool {
	return slices.ContainsFunc(m.file.lines[in.from:in.to], func(have line) bool {
		m.file.work.spend((min(len(s), maxWordBytes) + min(len(have.text), maxWordBytes)) / bytesPerWord)
		return !m.file.work.isUsedUp() && similarity(s, have.text) >= minSimilarity && !m.file.isOtherName(s, have.text)
	})
}

// gapAt returns the lines of the file among which a changed form of line i of find would be: those between its
// neighbors, or as many as find has there and two more. There are at most maxGap.
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
		from := a.at[before] + 1
		return span{from, min(a.at[after], from+maxGap)}
	case before >= 0:
		from := a.at[before] + 1
		return span{from, min(from+min(i-before+2, maxGap), end)}
	case after < len(a.at):
		to := a.at[after]
		return span{max(to-min(after-i+2, maxGap), 0), to}
	}
	return span{}
}

// span is the lines [from,to) of a file.
type span struct{ from, to int }

// hasRival reports whether a place other than the complete ones has as many context lines as best. The block may be
// meant for it, if one of the required lines changed there.
func (m matcher) hasRival(best alignment, complete []alignment, required []bool) bool {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	context := make([]bool, len(find))
	for i, n := range best.at {
		context[i] = n >= 0 && !required[i] && hasWord(find[i])
	}
	anchor, lines := m.file.rarestLine(find, context)
	for _, n := range lines {
		if slices.ContainsFunc(complete, func(a alignment) bool { return a.at[anchor] == n }) {
			continue
		}
		a := alignment{at: alignAround(m.file.work, file, find, anchor, n)}
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

// charCount counts the bytes of s that are not blank.
func charCount(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			n++
		}
	}
	return n
}
