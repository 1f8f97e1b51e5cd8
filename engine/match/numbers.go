package match

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// lineNumbers ignores line numbers in front of every line to find, and of the replacement if it has them, as
// listings show them. The numbers must be consecutive. Lines that are not
// substantial match only at the line of their first number.
func lineNumbers(f File, p Pattern) []Match {
	find, start, ok := stripLineNumbers(p.Find)
	if !ok || f.Off.has(LineNumbers) {
		return nil
	}
	replace, ok := stripReplacement(p, start)
	if !ok {
		return nil
	}
	plain := NewPattern(f.Work, find, replace)
	stricter := []func(File, Pattern) []Match{exact, trailingSpace, blankLines, indent}
	for n, level := range stricter {
		matches := level(f, plain)
		if len(matches) > 0 && !isSubstantial(find) {
			matches = matchAtLine(matches, start)
		}
		for i := range matches {
			matches[i].plain = block.LevelExact + block.Level(n)
		}
		if len(matches) > 0 {
			return matches
		}
	}
	return nil
}

// matchAtLine returns the match that begins at a line, counted from 1.
func matchAtLine(matches []Match, number int) []Match {
	for _, found := range matches {
		if found.First()+1 == number {
			return []Match{found}
		}
	}
	return nil
}

// stripLineNumbers strips consecutive numbers, which begin with start; ok is false unless every line has one. In a
// listing whose numbers end with a tab, a number alone is an empty line: its tab is lost with the blanks at the end.
func stripLineNumbers(lines []string) (cut []string, start int, ok bool) {
	if lines = text.TrimBlank(lines); len(lines) == 0 {
		return nil, 0, false
	}
	cut = make([]string, len(lines))
	tabbed := slices.ContainsFunc(lines, hasTabbedNumber)
	for i, s := range lines {
		n, rest, ok := stripLineNumber(s)
		if !ok && tabbed {
			n, ok = numberAlone(s)
		}
		if i == 0 {
			start = n
		}
		if !ok || n != start+i {
			return nil, 0, false
		}
		cut[i] = rest
	}
	return cut, start, true
}

// stripReplacement strips the numbers of the replacement if every line has one, none is less than the one before
// it, and all are near those to find, which begin with start; new lines may repeat or skip numbers. ok is false if
// only some lines have a number: one that stayed would be written into the file. So may a number alone, if no other
// line tells that the replacement is a listing.
func stripReplacement(p Pattern, start int) (cut []string, ok bool) {
	cut = make([]string, len(p.Replace))
	near := len(p.Find) + len(p.Replace)
	last, numbered, inOrder := start-near, 0, 0
	tabbed := slices.ContainsFunc(p.Replace, hasTabbedNumber)
	doubtful := false
	for i, s := range p.Replace {
		n, rest, ok := stripLineNumber(s)
		if k, alone := numberAlone(s); alone {
			n, ok = k, tabbed
			doubtful = doubtful || k >= start-near && k <= start+near
		}
		if ok {
			numbered++
		}
		if ok && n >= last && n <= start+near {
			last, inOrder = n, inOrder+1
		}
		cut[i] = rest
	}
	switch numbered {
	case 0:
		return p.Replace, !doubtful || !slices.ContainsFunc(p.Find, hasTabbedNumber)
	case inOrder:
		return cut, numbered == len(p.Replace)
	}
	return nil, false
}

// stripLineNumber reads "12 | code", "12: code", "12→code" or "12<tab>code".
func stripLineNumber(s string) (n int, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.Atoi(s[:digits])
	if err != nil {
		return 0, "", false
	}
	rest = s[digits:]
	if tabbed, ok := strings.CutPrefix(rest, "\t"); ok {
		return n, tabbed, true
	}
	for _, sep := range []string{"|", ":", "→", "│"} {
		if after, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), sep); ok {
			return n, strings.TrimPrefix(after, " "), true
		}
	}
	return 0, "", false
}

// hasTabbedNumber reports whether a line is "12<tab>code".
func hasTabbedNumber(s string) bool {
	rest := strings.TrimLeft(text.TrimIndent(s), "0123456789")
	_, _, ok := stripLineNumber(s)
	return ok && strings.HasPrefix(rest, "\t")
}

// numberAlone reads "12".
func numberAlone(s string) (n int, ok bool) {
	s = text.TrimIndent(text.TrimTrailing(s))
	n, err := strconv.Atoi(s)
	return n, err == nil && s[0] >= '0' && s[0] <= '9'
}
