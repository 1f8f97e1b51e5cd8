package explain

import "github.com/tenon-bot/tenon/engine/text"

// maxWordLines is how many lines of find are compared with those of the file.
const maxWordLines = 3

// closestByWords returns where find would start if its line with the most words were at the line of the file that has
// most of them: at least half of them, and two. It is used if the file has no line of find, and takes linear time.
func closestByWords(t *text.Text, find []string) (start int, ok bool) {
	if spendWords(t, find); t.Work.UsedUp() {
		return 0, false
	}
	lines := longestByWords(find)
	in := map[string]uint8{} // word to the bit set of lines that contain it
	var need [maxWordLines]int
	for i, n := range lines {
		for word := range text.LongWords(find[n]) {
			if in[word]&(1<<i) == 0 {
				in[word] |= 1 << i
				need[i]++
			}
		}
	}
	best := 0
	for n, l := range t.Lines() {
		var has [maxWordLines]int
		for word := range text.LongWords(l) {
			for i, mask := 0, in[word]; mask != 0; i, mask = i+1, mask>>1 {
				has[i] += int(mask & 1)
			}
		}
		for i := range lines {
			shared := min(has[i], need[i])
			if share := shared * 100 / max(need[i], 1); shared >= 2 && share >= 50 && share > best {
				best, start, ok = share, n-lines[i], true
			}
		}
	}
	return start, ok
}

// spendWords takes the units of splitting the beginnings of all lines of find and of the file.
func spendWords(t *text.Text, find []string) {
	n := min(t.Size(), text.MaxWordBytes*len(t.Lines()))
	for _, s := range find {
		n += min(len(s), text.MaxWordBytes)
	}
	t.Work.Spend(n / text.BytesPerWord)
}

// longestByWords returns the indices of the lines with the most words, at most maxWordLines.
func longestByWords(find []string) []int {
	var picked []int
	var counts []int
	for n, l := range find {
		count := 0
		for range text.LongWords(l) {
			count++
		}
		at := len(counts)
		for at > 0 && counts[at-1] < count {
			at--
		}
		if at < maxWordLines && count > 1 {
			counts = append(counts[:at], append([]int{count}, counts[at:]...)...)
			picked = append(picked[:at], append([]int{n}, picked[at:]...)...)
			counts, picked = counts[:min(len(counts), maxWordLines)], picked[:min(len(picked), maxWordLines)]
		}
	}
	return picked
}
