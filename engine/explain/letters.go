package explain

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// minAlike is how alike two lines must be for a hint, in percent: twice the pairs of neighbouring bytes that they share
// by the pairs that they have. Below that, most short lines of code resemble each other.
const minAlike = 30

// closestByLetters returns where find would start if one of its longest lines were at the line of the file that is most
// like it. It is used if the file has neither a line of find nor most of the words of one, and takes linear time.
func closestByLetters(t *text.Text, find []string) (start int, ok bool) {
	if spendWords(t, find); t.Work.UsedUp() {
		return 0, false
	}
	lines := longestLines(find)
	in := make([]uint8, 1<<16) // pair of bytes to the bit set of lines that contain it
	var need [maxWordLines]int
	for i, n := range lines {
		for pair := range pairs(find[n]) {
			if in[pair]&(1<<i) == 0 {
				in[pair] |= 1 << i
				need[i]++
			}
		}
	}
	best := minAlike - 1
	for n, l := range t.Lines() {
		has, all := [maxWordLines]int{}, 0
		for pair := range pairs(l) {
			all++
			for i, mask := 0, in[pair]; mask != 0; i, mask = i+1, mask>>1 {
				has[i] += int(mask & 1)
			}
		}
		for i := range lines {
			if share := 200 * min(has[i], need[i]) / max(need[i]+all, 1); share > best {
				best, start, ok = share, n-lines[i], true
			}
		}
	}
	return start, ok
}

// longestLines returns the indices of the longest lines, longest first, at most maxWordLines.
func longestLines(find []string) []int {
	picked := make([]int, 0, maxWordLines+1)
	for n := range find {
		at := len(picked)
		for at > 0 && len(strings.TrimSpace(find[picked[at-1]])) < len(strings.TrimSpace(find[n])) {
			at--
		}
		if at < maxWordLines {
			picked = append(picked[:at], append([]int{n}, picked[at:]...)...)
			picked = picked[:min(len(picked), maxWordLines)]
		}
	}
	return picked
}

// pairs yields the pairs of neighbouring bytes at the beginning of a line, blanks left out.
func pairs(line string) func(yield func(uint16) bool) {
	return func(yield func(uint16) bool) {
		last, some := byte(0), false
		for _, c := range []byte(line[:min(len(line), text.MaxWordBytes)]) {
			if strings.IndexByte(" \t\r", c) >= 0 {
				continue
			}
			if some && !yield(uint16(last)<<8|uint16(c)) {
				return
			}
			last, some = c, true
		}
	}
}
