package engine

import "strings"

// Bounds of the search for the nearest lines: how often a line may stand in the file to say something about the place, and how
// many lines a Result shows.
const (
	maxOccurrences  = 16
	maxExcerpt = 20
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
