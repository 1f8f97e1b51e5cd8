package engine

import (
	"slices"
	"strconv"
	"strings"
)

// numberedPlaces forgives line numbers in front of every line of find, and of put where it has them, as listings show them.
// The numbers must run on. A block that is too small to be sure of fits only where its numbers are the file's.
func lineNumberMatches(m matcher) []match {
	find, start, ok := stripLineNumbers(m.find)
	if !ok {
		return nil
	}
	repl, ok := m.stripReplLineNumbers(start)
	if !ok {
		return nil
	}
	plain := matcher{file: m.file, find: find, put: repl}
	for _, matches := range []func(matcher) []match{exactMatches, trailingSpaceMatches, blankLineMatches, indentMatches} {
		found := matches(plain)
		if len(found) > 0 && !plain.substantial() {
			found = matchAtLine(found, start)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// numberedSo keeps the places that begin at the line of that number.
func matchAtLine(matches []match, number int) []match {
	for _, p := range matches {
		if p.firstLine()+1 == number {
			return []match{p}
		}
	}
	return nil
}

// cutNumbers drops the numbers that run on from start; ok is false unless every line has one.
func stripLineNumbers(lines []string) (cut []string, start int, ok bool) {
	if lines = trimBlankLines(lines); len(lines) == 0 {
		return nil, 0, false
	}
	cut = make([]string, len(lines))
	for i, s := range lines {
		n, rest, ok := stripLineNumber(s)
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

// cutPut drops the numbers of put when each of its lines has one, from start on and never falling; new lines may repeat or
// skip some. A put that is numbered in part is refused.
func (m matcher) stripReplLineNumbers(start int) (cut []string, ok bool) {
	cut = make([]string, len(m.put))
	last, numbered := start, 0
	for i, s := range m.put {
		n, rest, ok := stripLineNumber(s)
		if ok && n >= last && (i > 0 || n == start) {
			last, numbered = n, numbered+1
		}
		cut[i] = rest
	}
	switch {
	case numbered == len(m.put):
		return cut, true
	case slices.ContainsFunc(m.put, func(s string) bool { return slices.Contains(m.find, s) && !isBlank(s) }):
		return nil, false
	}
	return m.put, true
}

// cutNumber reads "12 | code", "12: code", "12→code" or "12<tab>code".
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
