package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// insertion inserts lines for a hunk that removes none. If the file has more lines than the pattern between those
// beside the hunk, blank lines at either end of the inserted ones say on which side they belong; without those it is
// ambiguous, and the clause says why.
func insertion(f File, p Pattern, at []int, h text.Hunk, lines []string) (e text.Edit, ambiguity string) {
	file, end := f.Lines(), len(f.Lines())
	isCode := func(n int) bool { return n >= 0 && n < end && !text.IsBlank(file[n]) }
	prev, next := neighbors(f, at, h)
	besideMissing := h.From > 0 && at[h.From-1] < 0 || h.To < len(at) && at[h.To] < 0
	switch {
	case besideMissing && (prev < 0 && isCode(next-1) || next == end && isCode(prev+1)):
		return text.Edit{}, "the blank line next to the new ones is missing"
	case prev < 0:
		return insertAt(next, append(lines, missingAfter(p.Find[h.To:], at[h.To:])...))
	case next == end:
		return insertAt(prev+1, append(missingBefore(p.Find[:h.From], at[:h.From]), lines...))
	case next == prev+1:
		return insertAt(next, lines)
	}
	pos := prev + 1
	for pos < next && len(lines) > 0 && text.IsBlank(lines[0]) && text.IsBlank(file[pos]) {
		lines, pos = lines[1:], pos+1
	}
	if pos > prev+1 {
		return insertAt(pos, lines)
	}
	pos = next
	for pos > prev+1 && len(lines) > 0 && text.IsBlank(lines[len(lines)-1]) && text.IsBlank(file[pos-1]) {
		lines, pos = lines[:len(lines)-1], pos-1
	}
	if pos < next || len(lines) == 0 {
		return insertAt(pos, lines)
	}
	return text.Edit{}, "the file has lines between those that surround the new ones"
}

func insertAt(n int, lines []string) (e text.Edit, ambiguity string) {
	return text.Edit{From: n, To: n, Lines: lines}, ""
}

// neighbors returns the lines of the file for the lines next to a hunk, or -1 and the number of its lines if there are
// none.
func neighbors(f File, at []int, h text.Hunk) (prev, next int) {
	prev, next = -1, len(f.Lines())
	for _, n := range slices.Backward(at[:h.From]) {
		f.Work.Spend(1)
		if n >= 0 {
			prev = n
			break
		}
	}
	for _, n := range at[h.To:] {
		f.Work.Spend(1)
		if n >= 0 {
			next = n
			break
		}
	}
	return prev, next
}

// missingAfter returns the blank lines at the start of lines to find, up to the first that the file has.
func missingAfter(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// missingBefore returns the blank lines at the end of lines to find, down to the last that the file has.
func missingBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}
