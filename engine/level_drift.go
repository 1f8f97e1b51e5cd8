package engine

import (
	"slices"
	"strings"
	"unicode"
)

// What drifted context must hold to fit, and how much work it may cost.
const (
	driftLines     = 200 // of find, and of put
	driftAnchors   = 8   // places looked at
	driftTries     = 4   // alignments on each side of one
	driftGap       = 5   // lines that came in one place
	driftHeld      = 2   // context lines that hold
	driftHeldShare = 0.6 // of the context lines
	driftRunnerUp  = 0.5 // of what the best place holds
)

// driftPlaces forgives context lines that are not, or no longer, what the file has: a typo, a line that changed, went or came.
// Every line that the block removes must be there, and both lines that adjoin each insertion; of the other context most must
// hold, in order, and no other place may hold half as much.
func driftPlaces(f fit) []place {
	if !f.substantial() || max(len(f.find), len(f.put)) > driftLines || slices.ContainsFunc(f.find, isElision) {
		return nil
	}
	f = f.corrected()
	for _, places := range []func(fit) []place{exactPlaces, trailingPlaces, blankPlaces} {
		if found := places(f); len(found) > 0 {
			return found
		}
	}
	hard := f.hardLines()
	best, second := f.bestAlignments(hard)
	elsewhere := f.heldElsewhere(best, hard)
	if best.held < driftHeld || float64(best.held) < driftHeldShare*float64(best.context) ||
		float64(second.held) > driftRunnerUp*float64(best.held) || elsewhere > best.held || !best.firm || !best.worded {
		return nil
	}
	return []place{f.place(best.at, keyFoldFull, asWritten)}
}

// hardLines marks the lines of find that must be in the file: those removed, and those next to an insertion.
func (f fit) hardLines() []bool {
	hard := make([]bool, len(f.find))
	for _, h := range diffLines(f.find, f.put) {
		from, to := h.f0, h.f1
		if from == to {
			from, to = f.solidBefore(from), f.solidAfter(to)
		}
		for i := from; i < to; i++ {
			hard[i] = !isBlank(f.find[i])
		}
	}
	return hard
}

// solidBefore returns the last non-blank line before i, solidAfter the line after the first at or behind i.
func (f fit) solidBefore(i int) int {
	for i--; i > 0 && isBlank(f.find[i]); i-- {
	}
	return max(i, 0)
}

func (f fit) solidAfter(i int) int {
	for i < len(f.find) && isBlank(f.find[i]) {
		i++
	}
	return min(i+1, len(f.find))
}

// alignment is find laid along a stretch of the file.
type alignment struct {
	at []int
	// context counts find's other non-blank lines, held those that the file has.
	context, held int
	// worded says that one of those is more than brackets.
	worded bool
	// firm says that every hard line is there.
	firm bool
}

// bestAlignments looks around each place of the rarest hard line, and returns what holds most and what comes next.
func (f fit) bestAlignments(hard []bool) (best, second alignment) {
	file, find := f.file.lineKeys(keyFoldFull), keysOf(keyFoldFull, f.find)
	anchor, lines := rarest(file, find, hard)
	for _, n := range lines {
		a := alignment{at: alignAround(file, find, anchor, n)}
		pairSlips(a.at, file, find, hard)
		a.count(find, hard)
		switch {
		case a.held > best.held || a.held == best.held && a.firm && !best.firm:
			best, second = a, best
		case a.held > second.held:
			second = a
		}
	}
	return best, second
}

// heldElsewhere returns how much of find's context is held by a place with a line of it that best lacks: the block may have
// been meant for that one, where a line that it removes is no more.
func (f fit) heldElsewhere(best alignment, hard []bool) int {
	file, find := f.file.lineKeys(keyFoldFull), keysOf(keyFoldFull, f.find)
	missing := make([]bool, len(find))
	for i, n := range best.at {
		missing[i] = n < 0 && !hard[i] && hasWord(find[i])
	}
	held := 0
	anchor, lines := rarest(file, find, missing)
	for _, n := range lines {
		a := alignment{at: alignAround(file, find, anchor, n)}
		a.count(find, hard)
		held = max(held, a.held)
	}
	return held
}

// count says how much of find the alignment holds.
func (a *alignment) count(find []string, hard []bool) {
	a.firm = true
	for i, n := range a.at {
		switch {
		case isBlank(find[i]):
		case hard[i]:
			a.firm = a.firm && n >= 0
		default:
			a.context++
			if n >= 0 {
				a.held++
				a.worded = a.worded || hasWord(find[i])
			}
		}
	}
}

// rarest returns the hard line that the file has least often, and where; nothing when even that one is common.
func rarest(file, find []string, hard []bool) (anchor int, lines []int) {
	where := make(map[string][]int, len(find))
	for i, s := range find {
		if hard[i] {
			where[s] = nil
		}
	}
	for n, s := range file {
		if at, ok := where[s]; ok && len(at) <= driftAnchors {
			where[s] = append(at, n)
		}
	}
	for i, s := range find {
		if at := where[s]; hard[i] && len(at) > 0 && (lines == nil || len(at) < len(lines)) {
			anchor, lines = i, at
		}
	}
	if len(lines) > driftAnchors {
		return 0, nil
	}
	return anchor, lines
}

// alignAround pairs find[anchor] with the file's line n, and the lines before and after it outward from there. Lines beyond a
// gap in the file wider than driftGap belong to something else.
func alignAround(file, find []string, anchor, n int) []int {
	at := make([]int, len(find))
	at[anchor] = n
	slack := len(find) + driftGap
	for i, k := range alignNear(file[n+1:min(n+1+slack, len(file))], find[anchor+1:]) {
		if at[anchor+1+i] = -1; k >= 0 {
			at[anchor+1+i] = n + 1 + k
		}
	}
	for i, k := range alignNear(reversed(file[max(n-slack, 0):n]), reversed(find[:anchor])) {
		if at[anchor-1-i] = -1; k >= 0 {
			at[anchor-1-i] = n - 1 - k
		}
	}
	return at
}

// alignNear is align without what lies beyond a wide gap: where there is one, it looks again at what comes before it.
func alignNear(file, find []string) []int {
	for range driftTries {
		at := align(file, find)
		last, gap := -1, false
		for _, k := range at {
			if gap = k-last > driftGap+1; gap {
				break
			}
			last = max(last, k)
		}
		if !gap {
			return at
		}
		file = file[:last+driftGap+1]
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
	const match, beside = 4, 1
	width := len(file) + 1
	best := make([]int32, (len(find)+1)*width)   // of the first i lines of find and n of file
	paired := make([]int32, (len(find)+1)*width) // the same, when line i pairs with n; 0 when it does not
	for i := 1; i <= len(find); i++ {
		for n := 1; n <= len(file); n++ {
			here, up := i*width+n, (i-1)*width+n-1
			if find[i-1] == file[n-1] {
				paired[here] = best[up] + match
				if p := paired[up]; p > 0 || i == 1 && n == 1 {
					paired[here] = max(paired[here], p+match+beside)
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
			inRun = i > 1 && paired[up] > 0 && paired[here] == paired[up]+match+beside
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
