package match

import (
	"slices"

	"github.com/tenon-bot/tenon/meter"
)

// Bounds of an alignment: how many lines the file may have in one place that the block has not, and how often lines
// before a gap are aligned again.
const (
	maxGap   = 5
	maxTries = 4
)

// alignAround pairs find[anchor] with line n of the file, and then the lines before and after it. Lines of the file
// beyond a gap of more than maxGap lines are not paired.
func alignAround(w *meter.Work, file, find []string, anchor, n int) []int {
	at := make([]int, len(find))
	at[anchor] = n
	slack := len(find) + maxGap
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
func alignWithoutGaps(w *meter.Work, file, find []string) []int {
	for range maxTries {
		at := align(w, file, find)
		last, gap := -1, false
		for _, k := range at {
			if gap = k-last > maxGap+1; gap {
				break
			}
			last = max(last, k)
		}
		if !gap {
			return at
		}
		file = file[:last+maxGap+1]
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
func align(w *meter.Work, file, find []string) []int {
	if w.Spend(len(file) * len(find)); w.UsedUp() {
		return slices.Repeat([]int{-1}, len(find))
	}
	const matchScore, adjacentBonus = 4, 1
	width := len(file) + 1
	scores := make([]int32, 2*(len(find)+1)*width)
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
