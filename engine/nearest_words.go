package engine

// Bounds of the search by words: of how many lines of find, how many bytes of a line are looked at, and how long a word is
// that says something.
const (
	maxWordLines = 3
	maxWordBytes = 400
	minWord      = 2
)

// nearestByWords is where find would start if its line of most words stood at the line of the file that shares most of them:
// at least half, and two. It is asked when no line of find stands in the file; its time is linear in the file's bytes.
func closestByWords(t *text, find []string) (start int, ok bool) {
	lines := longestByWords(find)
	in := map[string]uint8{} // by word, the chosen lines that hold it
	var need [maxWordLines]int
	for i, n := range lines {
		for word := range words(find[n]) {
			if in[word]&(1<<i) == 0 {
				in[word] |= 1 << i
				need[i]++
			}
		}
	}
	best := 0
	for n, l := range t.lines {
		var has [maxWordLines]int
		for word := range words(l.text) {
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

// wordiest are the lines with the most words, at most maxWordLines.
func longestByWords(find []string) []int {
	var picked []int
	var counts []int
	for n, l := range find {
		count := 0
		for range words(l) {
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

// words yields the runs of letters, digits, underscores and bytes beyond ASCII at the beginning of a line.
func words(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		line = line[:min(len(line), maxWordBytes)]
		begun := -1
		for i := range len(line) + 1 {
			switch in := i < len(line) && isWordByte(line[i]); {
			case in && begun < 0:
				begun = i
			case !in && begun >= 0:
				if i-begun >= minWord && !yield(line[begun:i]) {
					return
				}
				begun = -1
			}
		}
	}
}

func isWordByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
