package engine

import "slices"

// neighbours are the file's lines of the nearest lines of find around a hunk, -1 or end where there are none.
func neighbors(at []int, h hunk, end int) (prev, next int) {
	prev, next = -1, end
	for _, n := range slices.Backward(at[:h.f0]) {
		if n >= 0 {
			prev = n
			break
		}
	}
	for _, n := range at[h.f1:] {
		if n >= 0 {
			next = n
			break
		}
	}
	return prev, next
}

// insertion puts lines between two lines of find. Where the file has more lines between them than find, blank lines at
// either end of what is put say on which side of those it belongs; without them there is no telling.
func (m matcher) insertion(at []int, h hunk, repl []string) (edit, string) {
	end := len(m.file.lines)
	prev, next := neighbors(at, h, end)
	switch {
	case (prev < 0 && m.nonBlankAt(next-1) || next == end && m.nonBlankAt(prev+1)) && besideMissingLine(at, h):
		return edit{}, "the blank line that the new ones belong next to is not there"
	case prev < 0:
		edge := missingBlanksAfter(m.find[h.f1:], at[h.f1:])
		return edit{next, next, append(repl, edge...)}, ""
	case next == end:
		edge := missingBlanksBefore(m.find[:h.f0], at[:h.f0])
		return edit{prev + 1, prev + 1, append(edge, repl...)}, ""
	case next == prev+1:
		return edit{next, next, repl}, ""
	}
	pos := prev + 1
	for pos < next && len(repl) > 0 && isBlank(repl[0]) && isBlank(m.file.lines[pos].text) {
		repl, pos = repl[1:], pos+1
	}
	if pos > prev+1 {
		return edit{pos, pos, repl}, ""
	}
	pos = next
	for pos > prev+1 && len(repl) > 0 && isBlank(repl[len(repl)-1]) && isBlank(m.file.lines[pos-1].text) {
		repl, pos = repl[:len(repl)-1], pos-1
	}
	if pos < next || len(repl) == 0 {
		return edit{pos, pos, repl}, ""
	}
	return edit{}, "the file has lines between those that the new ones belong between"
}

// blanksOf returns the blank lines that start find, up to the first that the file has.
func missingBlanksAfter(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// blanksBefore returns the blank lines that end find, down to the last that the file has.
func missingBlanksBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}

// lacksNeighbour reports an insertion next to a line of find, a blank one, that the file does not have.
func besideMissingLine(at []int, h hunk) bool {
	return h.f0 > 0 && at[h.f0-1] < 0 || h.f1 < len(at) && at[h.f1] < 0
}

// solidAt reports that the file has a line n, which is not blank.
func (m matcher) nonBlankAt(n int) bool {
	return n >= 0 && n < len(m.file.lines) && !isBlank(m.file.lines[n].text)
}
