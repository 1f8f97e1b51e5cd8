package engine

import (
	"bytes"
	"slices"
	"strings"
)

// corrected undoes slips of the pen in find alone: where a line that the block removes is not in the file, but the line of put
// a slip away from it is, then that is the file's line, and context.
func (m matcher) correctTypos() matcher {
	keys := make(map[string]bool, len(m.file.lines))
	for _, s := range m.file.lineKeys(keyFoldTrimRight) {
		keys[s] = true
	}
	has := func(s string) bool { return keys[keyOf(keyFoldTrimRight, s)] }
	find := slices.Clone(m.find)
	for _, h := range diffLines(m.find, m.put) {
		j := h.r0
		for i := h.f0; i < h.f1; i++ {
			if isBlank(find[i]) || has(find[i]) {
				continue
			}
			for n := j; n < h.r1; n++ {
				if isTypo(find[i], m.put[n]) && has(m.put[n]) {
					find[i], j = m.put[n], n+1
					break
				}
			}
		}
	}
	m.find = find
	return m
}

// maxSlip bounds the part in which two lines a slip apart differ.
const maxTypo = 3

// isSlip reports two lines that differ in a few letters at one spot, or in the order of a few characters. Digits, signs and
// blanks that come or go are no slips of the pen: they make another name, another value, another structure.
func isTypo(a, b string) bool {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	a, b = a[head:], b[head:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > maxTypo || len(b) > maxTypo {
		return false
	}
	return allLetters(a) && allLetters(b) || isTransposed(a, b)
}

func allLetters(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && s[i] < 0x80 {
			return false
		}
	}
	return true
}

// isSwapped reports the same characters in another order, no digits among them.
func isTransposed(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return bytes.Equal(x, y) && !strings.ContainsAny(a, "0123456789")
}

// pairSlips pairs context lines that have no line of the file yet with the line next to their neighbour's, where that is a
// slip away.
func pairTypos(at []int, file, find []string, required []bool) {
	try := func(i, n int) {
		if at[i] < 0 && !required[i] && n >= 0 && n < len(file) && !isBlank(find[i]) && !isBlank(file[n]) && isTypo(find[i], file[n]) && !slices.Contains(at, n) {
			at[i] = n
		}
	}
	for i := 1; i < len(at); i++ {
		if at[i-1] >= 0 {
			try(i, at[i-1]+1)
		}
	}
	for i := len(at) - 2; i >= 0; i-- {
		if at[i+1] >= 0 {
			try(i, at[i+1]-1)
		}
	}
}
