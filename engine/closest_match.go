package engine

import "strings"

// Bounds of the search for the nearest lines: how often a line may stand in the file to say something about the place, and how
// many lines a Result shows.
const (
	maxOccurrences = 16
	maxExcerpt     = 20
)

// nearest returns the part of the file most like find, and its first difference. Each line of find that is rare in the file
// votes for the place that it would give find; so the time is linear in both.
func closestMatch(t *text, find []string) (*Excerpt, *Difference) {
	find = trimBlankLines(find)
	votes := map[int]int{}
	want := keysOf(keyTrimSpace, find)
	where := indexLines(t.lineKeys(keyTrimSpace), want)
	for i, s := range want {
		if lines := where[s]; len(lines) <= maxOccurrences {
			for _, n := range lines {
				votes[n-i] += maxOccurrences / len(lines)
			}
		}
	}
	start, best := 0, 0
	for at, n := range votes {
		if n > best || n == best && at < start {
			start, best = at, n
		}
	}
	if best == 0 {
		var ok bool
		if start, ok = closestByWords(t, find); !ok {
			return nil, nil
		}
	}
	return excerpt(t, find, start)
}

// index tells for each line wanted where the file has it.
func indexLines(file, want []string) map[string][]int {
	where := make(map[string][]int, len(want))
	for _, s := range want {
		if !isBlank(s) {
			where[s] = nil
		}
	}
	for n, s := range file {
		if lines, ok := where[s]; ok && len(lines) <= maxOccurrences {
			where[s] = append(lines, n)
		}
	}
	return where
}

// excerpt shows the file from the line where find would start, or from shortly before the first difference when that is far.
func excerpt(t *text, find []string, start int) (*Excerpt, *Difference) {
	differ, have := 0, ""
	for differ < len(find) {
		n := start + differ
		if n >= 0 && n < len(t.lines) {
			if have = t.lines[n].text; have != find[differ] {
				break
			}
		} else if have = ""; n >= len(t.lines) || n < 0 {
			break
		}
		differ++
	}
	if differ == len(find) {
		return nil, nil
	}
	from := max(start, start+differ-maxExcerpt/2, 0)
	to := max(min(start+len(find), from+maxExcerpt, len(t.lines)), from)
	e := &Excerpt{Line: from + 1}
	for _, l := range t.lines[min(from, len(t.lines)):to] {
		e.Lines = append(e.Lines, strings.Clone(l.text))
	}
	return e, &Difference{Line: max(start+differ, 0) + 1, Want: find[differ], Have: have}
}

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
