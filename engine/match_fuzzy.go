package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// What drifted context must hold to fit, and how much work it may cost.
const (
	maxFuzzyLines    = 200 // of find, and of put
	maxFuzzyAnchors  = 8   // places looked at
	maxFuzzyTries    = 4   // alignments on each side of one
	maxFuzzyGap      = 5   // lines that came in one place
	minFuzzyLines    = 2   // context lines that hold
	minFuzzyShare    = 0.6 // of the context lines
	maxFuzzyRunnerUp = 0.5 // of what the best place holds
)

// driftPlaces forgives context lines that are not, or no longer, what the file has: a typo, a line that changed, went or came.
// Every line that the block removes must be there, and both lines that adjoin each insertion; of the other context most must
// hold, in order, and no other place may hold half as much.
func fuzzyMatches(m matcher) []match {
	if !m.substantial() || max(len(m.find), len(m.put)) > maxFuzzyLines || slices.ContainsFunc(m.find, isEllipsis) {
		return nil
	}
	m = m.correctTypos()
	for _, matches := range []func(matcher) []match{exactMatches, trailingSpaceMatches, blankLineMatches} {
		if found := matches(m); len(found) > 0 {
			return found
		}
	}
	required := m.requiredLines()
	best, second := m.bestAlignments(required)
	elsewhere := m.matchedElsewhere(best, required)
	if best.matched < minFuzzyLines || float64(best.matched) < minFuzzyShare*float64(best.context) ||
		float64(second.matched) > maxFuzzyRunnerUp*float64(best.matched) || elsewhere > best.matched || !best.complete || !best.hasWord {
		return nil
	}
	return []match{m.matchAt(best.at, keyFoldTrimRight, asWritten)}
}

// hardLines marks the lines of find that must be in the file: those removed, and those next to an insertion.
func (m matcher) requiredLines() []bool {
	required := make([]bool, len(m.find))
	for _, h := range diffLines(m.find, m.put) {
		from, to := h.f0, h.f1
		if from == to {
			from, to = m.nonBlankBefore(from), m.nonBlankAfter(to)
		}
		for i := from; i < to; i++ {
			required[i] = !isBlank(m.find[i])
		}
	}
	return required
}

// solidBefore returns the last non-blank line before i, solidAfter the line after the first at or behind i.
func (m matcher) nonBlankBefore(i int) int {
	for i--; i > 0 && isBlank(m.find[i]); i-- {
	}
	return max(i, 0)
}

func (m matcher) nonBlankAfter(i int) int {
	for i < len(m.find) && isBlank(m.find[i]) {
		i++
	}
	return min(i+1, len(m.find))
}

// alignment is find laid along a stretch of the file.
type alignment struct {
	at []int
	// context counts find's other non-blank lines, held those that the file has.
	context, matched int
	// worded says that one of those is more than brackets.
	hasWord bool
	// firm says that every hard line is there.
	complete bool
}

// bestAlignments looks around each place of the rarest hard line, and returns what holds most and what comes next.
func (m matcher) bestAlignments(required []bool) (best, second alignment) {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	anchor, lines := rarestLine(file, find, required)
	for _, n := range lines {
		a := alignment{at: alignAround(file, find, anchor, n)}
		pairTypos(a.at, file, find, required)
		a.count(find, required)
		switch {
		case a.matched > best.matched || a.matched == best.matched && a.complete && !best.complete:
			best, second = a, best
		case a.matched > second.matched:
			second = a
		}
	}
	return best, second
}

// heldElsewhere returns how much of find's context is held by a place with a line of it that best lacks: the block may have
// been meant for that one, where a line that it removes is no more.
func (m matcher) matchedElsewhere(best alignment, required []bool) int {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	missing := make([]bool, len(find))
	for i, n := range best.at {
		missing[i] = n < 0 && !required[i] && hasWord(find[i])
	}
	matched := 0
	anchor, lines := rarestLine(file, find, missing)
	for _, n := range lines {
		a := alignment{at: alignAround(file, find, anchor, n)}
		a.count(find, required)
		matched = max(matched, a.matched)
	}
	return matched
}

// count says how much of find the alignment holds.
func (a *alignment) count(find []string, required []bool) {
	a.complete = true
	for i, n := range a.at {
		switch {
		case isBlank(find[i]):
		case required[i]:
			a.complete = a.complete && n >= 0
		default:
			a.context++
			if n >= 0 {
				a.matched++
				a.hasWord = a.hasWord || hasWord(find[i])
			}
		}
	}
}

// rarest returns the hard line that the file has least often, and where; nothing when even that one is common.
func rarestLine(file, find []string, required []bool) (anchor int, lines []int) {
	where := make(map[string][]int, len(find))
	for i, s := range find {
		if required[i] {
			where[s] = nil
		}
	}
	for n, s := range file {
		if at, ok := where[s]; ok && len(at) <= maxFuzzyAnchors {
			where[s] = append(at, n)
		}
	}
	for i, s := range find {
		if at := where[s]; required[i] && len(at) > 0 && (lines == nil || len(at) < len(lines)) {
			anchor, lines = i, at
		}
	}
	if len(lines) > maxFuzzyAnchors {
		return 0, nil
	}
	return anchor, lines
}

// alignAround pairs find[anchor] with the file's line n, and the lines before and after it outward from there. Lines beyond a
// gap in the file wider than driftGap belong to something else.
func alignAround(file, find []string, anchor, n int) []int {
	at := make([]int, len(find))
	at[anchor] = n
	slack := len(find) + maxFuzzyGap
	for i, k := range alignWithoutGaps(file[n+1:min(n+1+slack, len(file))], find[anchor+1:]) {
		if at[anchor+1+i] = -1; k >= 0 {
			at[anchor+1+i] = n + 1 + k
		}
	}
	for i, k := range alignWithoutGaps(reversed(file[max(n-slack, 0):n]), reversed(find[:anchor])) {
		if at[anchor-1-i] = -1; k >= 0 {
			at[anchor-1-i] = n - 1 - k
		}
	}
	return at
}

// alignNear is align without what lies beyond a wide gap: where there is one, it looks again at what comes before it.
func alignWithoutGaps(file, find []string) []int {
	for range maxFuzzyTries {
		at := align(file, find)
		last, gap := -1, false
		for _, k := range at {
			if gap = k-last > maxFuzzyGap+1; gap {
				break
			}
			last = max(last, k)
		}
		if !gap {
			return at
		}
		file = file[:last+maxFuzzyGap+1]
	}
	return slices.Repeat([]int{-1}, len(find))
}

func reversed(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}

// align pairs lines of find with equal lines of file, in order: as many as possible, rather side by side than apart, and rather
// early than late.
func align(file, find []string) []int {
	const matchScore, adjacentBonus = 4, 1
	width := len(file) + 1
	best := make([]int32, (len(find)+1)*width)   // of the first i lines of find and n of file
	paired := make([]int32, (len(find)+1)*width) // the same, when line i pairs with n; 0 when it does not
	for i := 1; i <= len(find); i++ {
		for n := 1; n <= len(file); n++ {
			here, up := i*width+n, (i-1)*width+n-1
			if find[i-1] == file[n-1] {
				paired[here] = best[up] + matchScore
				if p := paired[up]; p > 0 || i == 1 && n == 1 {
					paired[here] = max(paired[here], p+matchScore+adjacentBonus)
				}
			}
			best[here] = max(best[here-1], best[here-width], paired[here])
		}
	}
	at := slices.Repeat([]int{-1}, len(find))
	i, n, inRun := len(find), len(file), false
	for i > 0 && n > 0 {
		here, up := i*width+n, (i-1)*width+n-1
		switch {
		case !inRun && best[here] == best[here-1]:
			n--
		case paired[here] > 0 && (inRun || paired[here] == best[here]):
			at[i-1] = n - 1
			inRun = i > 1 && paired[up] > 0 && paired[here] == paired[up]+matchScore+adjacentBonus
			i, n = i-1, n-1
		default:
			i--
		}
	}
	return at
}

// hasWord reports a line that is more than brackets.
func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// corrected undoes slips of the pen in find alone: where a line that the block removes is not in the file, but the line of put
// a slip away from it is, then that is the file's line, and context.
func (m matcher) correctTypos() matcher {
	keys := make(map[string]bool, len(m.file.lines))
	for _, s := range m.file.lineKeys(keyFoldTrimRight) {
		keys[s] = true
	}
	has := func(s string) bool { return keys[keyOf(keyFoldTrimRight, s)] }
	find := slices.Clone(m.find)
	for _, h := range diffLines(m.find, m.put) {
		j := h.r0
		for i := h.f0; i < h.f1; i++ {
			if isBlank(find[i]) || has(find[i]) {
				continue
			}
			for n := j; n < h.r1; n++ {
				if isTypo(find[i], m.put[n]) && has(m.put[n]) {
					find[i], j = m.put[n], n+1
					break
				}
			}
		}
	}
	m.find = find
	return m
}

// maxSlip bounds the part in which two lines a slip apart differ.
const maxTypo = 3

// isSlip reports two lines that differ in a few letters at one spot, or in the order of a few characters. Digits, signs and
// blanks that come or go are no slips of the pen: they make another name, another value, another structure.
func isTypo(a, b string) bool {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	a, b = a[head:], b[head:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > maxTypo || len(b) > maxTypo {
		return false
	}
	return allLetters(a) && allLetters(b) || isTransposed(a, b)
}

func allLetters(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && s[i] < 0x80 {
			return false
		}
	}
	return true
}

// isSwapped reports the same characters in another order, no digits among them.
func isTransposed(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return bytes.Equal(x, y) && !strings.ContainsAny(a, "0123456789")
}

// pairSlips pairs context lines that have no line of the file yet with the line next to their neighbour's, where that is a
// slip away.
func pairTypos(at []int, file, find []string, required []bool) {
	try := func(i, n int) {
		if at[i] < 0 && !required[i] && n >= 0 && n < len(file) && !isBlank(find[i]) && !isBlank(file[n]) && isTypo(find[i], file[n]) && !slices.Contains(at, n) {
			at[i] = n
		}
	}
	for i := 1; i < len(at); i++ {
		if at[i-1] >= 0 {
			try(i, at[i-1]+1)
		}
	}
	for i := len(at) - 2; i >= 0; i-- {
		if at[i+1] >= 0 {
			try(i, at[i+1]-1)
		}
	}
}
