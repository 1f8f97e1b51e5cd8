package engine

import "slices"

// neighbours are the file's lines of the nearest lines of find around a hunk, -1 or end where there are none.
func neighbours(at []int, h hunk, end int) (prev, next int) {
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
func (f fit) insertion(at []int, h hunk, put []string) (edit, string) {
	end := len(f.file.lines)
	prev, next := neighbours(at, h, end)
	switch {
	case (prev < 0 && f.solidAt(next-1) || next == end && f.solidAt(prev+1)) && lacksNeighbour(at, h):
		return edit{}, "the blank line that the new ones belong next to is not there"
	case prev < 0:
		edge := blanksOf(f.find[h.f1:], at[h.f1:])
		return edit{next, next, append(put, edge...)}, ""
	case next == end:
		edge := blanksBefore(f.find[:h.f0], at[:h.f0])
		return edit{prev + 1, prev + 1, append(edge, put...)}, ""
	case next == prev+1:
		return edit{next, next, put}, ""
	}
	pos := prev + 1
	for pos < next && len(put) > 0 && isBlank(put[0]) && isBlank(f.file.lines[pos].text) {
		put, pos = put[1:], pos+1
	}
	if pos > prev+1 {
		return edit{pos, pos, put}, ""
	}
	pos = next
	for pos > prev+1 && len(put) > 0 && isBlank(put[len(put)-1]) && isBlank(f.file.lines[pos-1].text) {
		put, pos = put[:len(put)-1], pos-1
	}
	if pos < next || len(put) == 0 {
		return edit{pos, pos, put}, ""
	}
	return edit{}, "the file has lines between those that the new ones belong between"
}

// blanksOf returns the blank lines that start find, up to the first that the file has.
func blanksOf(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// blanksBefore returns the blank lines that end find, down to the last that the file has.
func blanksBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}

// lacksNeighbour reports an insertion next to a line of find, a blank one, that the file does not have.
func lacksNeighbour(at []int, h hunk) bool {
	return h.f0 > 0 && at[h.f0-1] < 0 || h.f1 < len(at) && at[h.f1] < 0
}

// solidAt reports that the file has a line n, which is not blank.
func (f fit) solidAt(n int) bool {
	return n >= 0 && n < len(f.file.lines) && !isBlank(f.file.lines[n].text)
}
