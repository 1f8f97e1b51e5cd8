package engine

import "strings"

// Bounds of the search for the closest match: how often a line may occur in the file and still count, and how many
// lines an Excerpt has.
const (
	maxOccurrences = 16
	maxExcerpt     = 20
	// voteCost is what the vote of a line for a place costs.
	voteCost = 3
)

// closestMatch returns the part of the file that is most similar to find, and the first difference. Each line of find
// that is rare in the file votes for the place where find would start, which takes linear time.
func closestMatch(t *text, find []string) (*Excerpt, *Difference) {
	find = trimBlankLines(find)
	votes := map[int]int{}
	want := keysOf(keyTrimSpace, find)
	where := t.indexLines(keyTrimSpace, want, maxOccurrences)
	for i, s := range want {
		t.work.spend(voteCost * (1 + len(where[s])))
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
			start, ok = closestByLetters(t, find)
		}
		if !ok {
			return nil, nil
		}
	}
	return excerpt(t, find, start)
}

// present returns which of the wanted lines, by their keys, a file has.
func (t *text) present(kind keyKind, want ...[]string) map[string]bool {
	t.work.spend(len(t.lines))
	t.work.spendBytes(t.size())
	has := map[string]bool{}
	var sums lineSums
	for _, lines := range want {
		for _, s := range keysOf(kind, lines) {
			has[s] = false
			sums.add(s)
		}
	}
	for _, s := range t.lineKeys(kind) {
		if sums.mayHave(s) {
			if _, wanted := has[s]; wanted {
				has[s] = true
			}
		}
	}
	return has
}

// lineSums is a set of checksums of lines. It tells for most lines, in less time than a map, that they are not in a set
// of lines.
type lineSums [4096 / 64]uint64

func (sums *lineSums) add(s string) {
	n := lineSum(s)
	sums[n/64] |= 1 << (n % 64)
}

func (sums *lineSums) mayHave(s string) bool {
	n := lineSum(s)
	return sums[n/64]&(1<<(n%64)) != 0
}

// lineSum returns a checksum, less than 4096, of the length of a line and of some of its bytes.
func lineSum(s string) uint32 {
	n := len(s)
	sum := uint32(n)
	for _, i := range [...]int{n / 4, n / 2, n/2 + 1, n * 3 / 4, n - 3, n - 2, n - 1} {
		if uint(i) < uint(n) {
			sum = sum*31 + uint32(s[i])
		}
	}
	return (sum ^ sum>>12) % 4096
}

// excerpt returns the lines of the file from start on, where find would match, or those around the first difference
// if that is further down. The difference is nil if find is there, apart from blank lines around it.
func excerpt(t *text, find []string, start int) (*Excerpt, *Difference) {
	differ, have := 0, ""
	for ; differ < len(find); differ++ {
		have = ""
		if n := start + differ; n < 0 || n >= len(t.lines) {
			break
		} else if have = t.lines[n].text; have != find[differ] {
			break
		}
	}
	shown := differ
	if differ == len(find) {
		shown = 0
	}
	from := max(start, start+shown-maxExcerpt/2, 0)
	to := max(min(start+len(find), from+maxExcerpt, len(t.lines)), from)
	e := &Excerpt{Line: from + 1}
	for _, l := range t.lines[min(from, len(t.lines)):to] {
		e.Lines = append(e.Lines, strings.Clone(l.text))
	}
	if differ == len(find) {
		return e, nil
	}
	return e, &Difference{Line: max(start+differ, 0) + 1, Want: find[differ], Have: have}
}

// Bounds of the search by words: the lines of find and the bytes of a line to compare, and the length of a word that
// counts.
const (
	maxWordLines = 3
	maxWordBytes = 400
	minWord      = 2
)

// closestByWords returns where find would start if its line with the most words were at the line of the file that has
// most of them: at least half of them, and two. It is used if the file has no line of find, and takes linear time.
func closestByWords(t *text, find []string) (start int, ok bool) {
	if t.spendWords(find); t.work.isUsedUp() {
		return 0, false
	}
	lines := longestByWords(find)
	in := map[string]uint8{} // word to the bit set of lines that contain it
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

// bytesPerWord is how many bytes of a text are split into words, or pairs, and looked up in the time of one unit.
const bytesPerWord = 4

// spendWords takes the units of splitting the beginnings of all lines of find and of the file.
func (t *text) spendWords(find []string) {
	n := min(t.size(), maxWordBytes*len(t.lines))
	for _, s := range find {
		n += min(len(s), maxWordBytes)
	}
	t.work.spend(n / bytesPerWord)
}

// longestByWords returns the indices of the lines with the most words, at most maxWordLines.
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

// words yields the words at the beginning of a line: runs of letters, digits, underscores and non-ASCII bytes.
func words(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		line = line[:min(len(line), maxWordBytes)]
		start := -1
		for i := range len(line) + 1 {
			switch in := i < len(line) && isWordByte(line[i]); {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if i-start >= minWord && !yield(line[start:i]) {
					return
				}
				start = -1
			}
		}
	}
}

func isWordByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
