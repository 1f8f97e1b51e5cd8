package engine

import (
	"slices"
	"strings"
	"unicode"
)

// What fuzzy context must have in common with the file, and how much work the search may do.
const (
	maxFuzzyLines    = 200 // lines of find, and of the replacement
	maxFuzzyAnchors  = 8   // places to compare
	maxFuzzyTries    = 4   // alignments before, and after, the anchor of a place
	maxFuzzyGap      = 5   // lines that the file may have in one place and find has not
	minFuzzyLines    = 2   // context lines that match
	minFuzzyShare    = 0.6 // share of the context lines that match
	maxFuzzyRunnerUp = 0.5 // context lines that match at the second best place, relative to the best
)

// fuzzyMatches allows context lines to differ from the file: a typo, or a line that was changed, added or removed
// since. Every line that the block removes must be in the file, and both lines next to each insertion. Of the other
// context lines, most must be there, in order, and no other place may have more than half as many.
func fuzzyMatches(m matcher) []match {
	if !substantial(m.find) || max(len(m.find), len(m.repl)) > maxFuzzyLines ||
		slices.ContainsFunc(m.find, isEllipsis) {
		return nil
	}
	m = m.correctTypos()
	if matches := strictMatches(m); len(matches) > 0 {
		return matches
	}
	if corrected, ok := m.correctSlips(); ok {
		if matches := strictMatches(corrected); len(matches) > 0 {
			return matches
		}
		if inverse := (matcher{file: m.file, find: corrected.repl, repl: corrected.find}); len(strictMatches(inverse)) > 0 {
			m = corrected // the replacement is there already
		}
	}
	required := m.requiredLines()
	best, second := m.bestAlignments(required)
	switch {
	case !best.complete, !best.hasWord, best.matched < minFuzzyLines,
		float64(best.matched) < minFuzzyShare*float64(best.context),
		float64(second.matched) > maxFuzzyRunnerUp*float64(best.matched),
		m.matchedElsewhere(best, required) > best.matched,
		!m.evidenceFor(best, required).isStrong() && m.hasRival(best, []alignment{best}, required),
		m.isUnderOtherName(best.at):
		return m.driftedMatches(required)
	}
	return []match{m.matchAt(best.at, keyFoldTrimRight, asWritten)}
}

// requiredLines marks the lines of find that must be in the file: those removed, and those next to an insertion.
func (m matcher) requiredLines() []bool {
	required := make([]bool, len(m.find))
	for _, h := range m.changes() {
		from, to := h.f0, h.f1
		if from == to { // an insertion: the non-blank lines next to it
			for from--; from > 0 && isBlank(m.find[from]); from-- {
			}
			for to < len(m.find) && isBlank(m.find[to]) {
				to++
			}
			from, to = max(from, 0), min(to+1, len(m.find))
		}
		for i := from; i < to; i++ {
			required[i] = !isBlank(m.find[i])
		}
	}
	return required
}

// alignment is a pairing of find with lines of the file.
type alignment struct {
	at []int
	// context counts the non-blank lines of find that are not required, matched those of them that the file has.
	context, matched int
	// hasWord is set if one of the matched lines is more than punctuation.
	hasWord bool
	// complete is set if the file has every required line.
	complete bool
}

// bestAlignments compares the places of the rarest required line, and returns the two alignments that match most.
func (m matcher) bestAlignments(required []bool) (best, second alignment) {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	anchor, lines := m.file.rarestLine(find, required)
	for _, n := range lines {
		a := alignment{at: alignAround(m.file.work, file, find, anchor, n)}
		pairTypos(a.at, file, find, required)
		m.dropOtherNames(a.at)
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

// matchedElsewhere returns the most context lines that match at a place with a line of find that best lacks. The
// block may have been meant for that place, if a line that it removes is gone there.
func (m matcher) matchedElsewhere(best alignment, required []bool) int {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	missing := make([]bool, len(find))
	for i, n := range best.at {
		missing[i] = n < 0 && !required[i] && hasWord(find[i])
	}
	matched := 0
	anchor, lines := m.file.rarestLine(find, missing)
	for _, n := range lines {
		a := alignment{at: alignAround(m.file.work, file, find, anchor, n)}
		a.count(find, required)
		matched = max(matched, a.matched)
	}
	return matched
}

// count sets the fields of a other than at.
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

// rarestLine returns the required line of find, which are keys, that the file has least often, and where; no lines if
// even that one is frequent.
func (t *text) rarestLine(find []string, required []bool) (anchor int, lines []int) {
	where := t.indexLines(keyFoldTrimRight, find, maxFuzzyAnchors)
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

// alignAround pairs find[anchor] with line n of the file, and then the lines before and after it. Lines of the file
// beyond a gap of more than maxFuzzyGap lines are not paired.
func alignAround(w *work, file, find []string, anchor, n int) []int {
	at := make([]int, len(find))
	at[anchor] = n
	slack := len(find) + maxFuzzyGap
	for i, k := range alignWithoutGaps(w, file[n+1:min(n+1+slack, len(file))], find[anchor+1:]) {
		if at[anchor+1+i] = -1; k >= 0 {
			at[anchor+1+i] = n + 1 + k
		}
	}
	for i, k := range alignWithoutGaps(w, reversed(file[max(n-slack, 0):n]), reversed(find[:anchor])) {
		if at[anchor-1-i] = -1; k >= 0 {
			at[anchor-1-i] = n - 1 - k
		}
	}
	return at
}

// alignWithoutGaps is like align, but pairs no line after a wide gap: it tries again with the lines before the gap.
func alignWithoutGaps(w *work, file, find []string) []int {
	for range maxFuzzyTries {
		at := align(w, file, find)
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

// align pairs lines of find with equal lines of file, in order: as many as possible, preferring adjacent lines to
// separate ones, and early ones to late ones.
func align(w *work, file, find []string) []int {
	if w.spend(len(file) * len(find)); w.isUsedUp() {
		return slices.Repeat([]int{-1}, len(find))
	}
	const matchScore, adjacentBonus = 4, 1
	width := len(file) + 1
	scores := w.scores(2 * (len(find) + 1) * width)
	best := scores[:len(scores)/2]   // score of the first i lines of find and n lines of file
	paired := scores[len(scores)/2:] // the same if the last lines of both are paired; else 0
	for i, s := range find {
		first := slices.Index(file, s)
		if first < 0 {
			first = len(file)
		}
		above, row := best[i*width:(i+1)*width], best[(i+1)*width:(i+2)*width]
		copy(row[:first+1], above) // nothing to pair
		for n := first + 1; n <= len(file); n++ {
			here, up := (i+1)*width+n, i*width+n-1
			if s == file[n-1] {
				paired[here] = above[n-1] + matchScore
				if p := paired[up]; p > 0 || i == 0 && n == 1 {
					paired[here] = max(paired[here], p+matchScore+adjacentBonus)
				}
			}
			row[n] = max(row[n-1], above[n], paired[here])
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

// hasWord reports whether a line is more than punctuation.
func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// correctTypos corrects typos in find that the replacement does not have: if a line that the block removes is not in
// the file, but the file has a line of the replacement that differs from it by a typo, that line is context. A word
// that the file or the block has elsewhere is another name, and no typo.
func (m matcher) correctTypos() matcher {
	keys := m.file.present(keyFoldTrimRight, m.find, m.repl)
	has := func(s string) bool { return keys[keyOf(keyFoldTrimRight, s)] }
	find := slices.Clone(m.find)
	for _, h := range m.changes() {
		j := h.r0
		for i := h.f0; i < h.f1; i++ {
			if isBlank(find[i]) || has(find[i]) {
				continue
			}
			for n := j; n < h.r1; n++ {
				if m.file.work.spendEachByte(len(find[i])); has(m.repl[n]) && m.isTypoOf(i, n) {
					find[i], j = m.repl[n], n+1
					break
				}
			}
		}
	}
	m.find = find
	return m
}

// isTypoOf reports whether line i of find is line n of the replacement with a typo.
func (m matcher) isTypoOf(i, n int) bool {
	if !isTypo(m.find[i], m.repl[n]) || m.file.isOtherName(m.find[i], m.repl[n]) {
		return false
	}
	block := text{lines: make([]line, 0, len(m.find)+len(m.repl)), cache: cache{}, work: m.file.work}
	for k, s := range m.find {
		if k != i {
			block.lines = append(block.lines, line{text: s})
		}
	}
	for _, s := range m.repl {
		block.lines = append(block.lines, line{text: s})
	}
	return !block.isOtherName(m.find[i], m.repl[n])
}

// pairTypos pairs context lines that are not in the file with the line next to that of their neighbor, if they differ
// by a typo.
func pairTypos(at []int, file, find []string, required []bool) {
	try := func(i, n int) {
		if at[i] < 0 && !required[i] && n >= 0 && n < len(file) && !isBlank(find[i]) && !isBlank(file[n]) &&
			isTypo(find[i], file[n]) && !slices.Contains(at, n) {
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
