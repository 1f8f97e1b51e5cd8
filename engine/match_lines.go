package engine

import "strings"

// exactPlaces forgives line endings and a byte order mark, which are no part of a line.
func exactMatches(m matcher) []match { return consecutiveMatches(m, keyExact) }

// wholePlaces finds where each line of find has the key of the file's line, without a gap.
func consecutiveMatches(m matcher, kind keyKind) []match {
	var matches []match
	for _, start := range occurrences(m.file.lineKeys(kind), keysOf(kind, m.find)) {
		matches = append(matches, m.matchAt(lineRange(start, len(m.find)), kind, asWritten))
	}
	return matches
}

// trailingPlaces forgives blanks at the end of lines, lost or added.
func trailingSpaceMatches(m matcher) []match { return consecutiveMatches(m, keyTrimRight) }

func trimTrailing(s string) string { return strings.TrimRight(s, " \t\r\f\v") }

// blankPlaces forgives blank lines: those around find, and how many there are between its lines.
func blankLineMatches(m matcher) []match {
	var matches []match
	for _, at := range m.alignNonBlank(keyTrimRight) {
		matches = append(matches, m.matchAt(at, keyTrimRight, asWritten))
	}
	return matches
}

// spread finds where find's non-blank lines stand in the file with nothing but blank lines between them, and pairs the blank
// lines in between as far as both have them.
func (m matcher) alignNonBlank(kind keyKind) [][]int {
	find, _ := nonBlankLines(keysOf(kind, m.find))
	file, index := nonBlankLines(m.file.lineKeys(kind))
	var all [][]int
	for _, start := range occurrences(file, find) {
		all = append(all, m.pairBlankLines(index[start:start+len(find)]))
	}
	return all
}

// solidLines returns the lines that are not blank, and where they were.
func nonBlankLines(keys []string) (nonBlank []string, index []int) {
	nonBlank, index = make([]string, 0, len(keys)), make([]int, 0, len(keys))
	for i, s := range keys {
		if !isBlank(s) {
			nonBlank, index = append(nonBlank, s), append(index, i)
		}
	}
	return nonBlank, index
}

// pairBlanks gives each line of find its line of the file, when its non-blank lines are the file's lines solid.
func (m matcher) pairBlankLines(nonBlank []int) []int {
	at := make([]int, len(m.find))
	n := 0
	for i, s := range m.find {
		if at[i] = -1; !isBlank(s) {
			at[i] = nonBlank[n]
			n++
		}
	}
	lead := 0
	for lead < len(at) && at[lead] < 0 {
		lead++
	}
	for i := lead - 1; i >= 0; i-- { // blank lines before the first line pair up backwards
		if n := at[i+1] - 1; at[i+1] > 0 && isBlank(m.file.lines[n].text) {
			at[i] = n
		} else {
			break
		}
	}
	for i := lead + 1; i < len(at); i++ {
		if n := at[i-1] + 1; at[i] < 0 && at[i-1] >= 0 && n < len(m.file.lines) && isBlank(m.file.lines[n].text) {
			at[i] = n
		}
	}
	return at
}

// keyKind names what a comparison of lines forgives.
type keyKind int

const (
	keyExact keyKind = iota
	keyTrimRight
	keyTrimSpace
	keyFoldTrimSpace
	keyFoldTrimRight
)

// keyOf holds the function behind each kind.
func keyOf(kind keyKind, s string) string {
	switch kind {
	case keyTrimRight:
		return trimTrailing(s)
	case keyTrimSpace:
		return trimIndent(trimTrailing(s))
	case keyFoldTrimSpace:
		return trimIndent(trimTrailing(fold(s)))
	case keyFoldTrimRight:
		return trimTrailing(fold(s))
	default:
		return s
	}
}

func keysOf(kind keyKind, lines []string) []string {
	if kind == keyExact {
		return lines
	}
	keys := make([]string, len(lines))
	for i, s := range lines {
		keys[i] = keyOf(kind, s)
	}
	return keys
}

// lineKeys returns the keys of a file's lines, computed once between edits.
func (t *text) lineKeys(kind keyKind) []string {
	if keys, ok := t.keys[kind]; ok {
		return keys
	}
	keys := make([]string, len(t.lines))
	for i, l := range t.lines {
		keys[i] = keyOf(kind, l.text)
	}
	if t.keys == nil {
		t.keys = map[keyKind][]string{}
	}
	t.keys[kind] = keys
	return keys
}
