package engine

import "slices"

// exactMatches ignores line endings and a byte order mark, which are not part of a line.
func exactMatches(m matcher) []match { return consecutiveMatches(m, keyExact) }

// consecutiveMatches returns the places where consecutive lines of the file have the same keys as find.
func consecutiveMatches(m matcher, kind keyKind) []match {
	var matches []match
	for n, start := range m.file.occurrences(m.file.lineKeys(kind), keysOf(kind, m.find)) {
		if n >= maxEdited {
			matches = append(matches, match{matcher: m, at: []int{start}})
			continue
		}
		at := make([]int, len(m.find))
		for i := range at {
			at[i] = start + i
		}
		matches = append(matches, m.matchAt(at, kind, asWritten))
	}
	return matches
}

// trailingSpaceMatches also ignores whitespace at the end of lines.
func trailingSpaceMatches(m matcher) []match { return consecutiveMatches(m, keyTrimRight) }

// trimTrailing cuts the blanks at the end of a line. It is called for every line of a file.
func trimTrailing(s string) string {
	n := len(s)
	for n > 0 && (s[n-1] == ' ' || s[n-1] >= '\t' && s[n-1] <= '\r' && s[n-1] != '\n') {
		n--
	}
	return s[:n]
}

// blankLineMatches also ignores blank lines around find, and the number of blank lines between its lines.
func blankLineMatches(m matcher) []match {
	var matches []match
	for n, at := range m.alignNonBlank(keyTrimRight) {
		if n >= maxEdited {
			matches = append(matches, match{matcher: m, at: at})
			continue
		}
		matches = append(matches, m.matchBlankLinesAt(at))
	}
	return matches
}

// strictMatches returns the matches at the strictest of these three levels that has any.
func strictMatches(m matcher) []match {
	for _, matches := range []func(matcher) []match{exactMatches, trailingSpaceMatches, blankLineMatches} {
		if found := matches(m); len(found) > 0 {
			return found
		}
	}
	return nil
}

// alignNonBlank finds the places where the non-blank lines of find match with only blank lines between them. It pairs
// the blank lines between them as far as both have them.
func (m matcher) alignNonBlank(kind keyKind) [][]int {
	find := nonBlankLines(keysOf(kind, m.find)).keys
	file := m.file.nonBlankKeys(kind)
	var all [][]int
	for _, start := range m.file.occurrences(file.keys, find) {
		all = append(all, m.pairBlankLines(file.index[start:start+len(find)]))
	}
	return all
}

// nonBlank are the keys of lines that are not blank, and the indices of those lines.
type nonBlank struct {
	keys  []string
	index []int
}

func nonBlankLines(keys []string) nonBlank {
	out := nonBlank{keys, make([]int, 0, len(keys))}
	for i, s := range keys {
		if !isBlank(s) {
			out.index = append(out.index, i)
		}
	}
	if len(out.index) < len(keys) {
		out.keys = make([]string, len(out.index))
		for k, i := range out.index {
			out.keys[k] = keys[i]
		}
	}
	return out
}

// nonBlankKeys returns the keys of the lines of a file that are not blank. They are cached until the next edit.
func (t *text) nonBlankKeys(kind keyKind) nonBlank {
	kind = t.plainKind(kind)
	if lines, ok := t.nonBlank[kind]; ok {
		return lines
	}
	t.work.spend(len(t.lines))
	lines := nonBlankLines(t.lineKeys(kind))
	t.nonBlank[kind] = lines
	return lines
}

// pairBlankLines returns the line of the file for each line of find, given those of its non-blank lines.
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
	for i := lead - 1; i >= 0; i-- { // blank lines before the first one are paired backwards
		n := at[i+1] - 1
		if n < 0 || !isBlank(m.file.lines[n].text) {
			break
		}
		at[i] = n
	}
	for i := lead + 1; i < len(at); i++ {
		if n := at[i-1] + 1; at[i] < 0 && at[i-1] >= 0 && n < len(m.file.lines) && isBlank(m.file.lines[n].text) {
			at[i] = n
		}
	}
	return at
}

// Bounds on the matches of a search: how many are found, which is more than a Result lists, so that it can count the
// others; and for how many the edits are worked out. Of several matches, none is edited: only their places are told.
const (
	maxMatches = 100
	maxEdited  = 2
)

// bytesPerComparison is how long a line is whose comparison costs more than one unit of work.
const bytesPerComparison = 64

// occurrences returns the indices at which find occurs in lines, overlaps included, at most maxMatches. It uses the
// algorithm of Knuth, Morris and Pratt, so that it takes linear time even if all lines are equal. It adds the number
// of comparisons of two lines to t.comparisons.
func (t *text) occurrences(lines, find []string) []int {
	if len(find) == 0 || len(find) > len(lines) || t.work.isUsedUp() || t.isAbsent(lines, find) {
		return nil
	}
	failure, comparisons := failureTable(find)
	long := 0 // bytes of long lines that were compared
	var starts []int
	n := 0 // the length of the prefix of find that ends at the current line
	for i, s := range lines {
		for {
			comparisons++
			if len(s) > bytesPerComparison && len(find[n]) == len(s) {
				long += len(s)
			}
			if find[n] == s {
				n++
				break
			}
			if n == 0 {
				break
			}
			n = failure[n-1]
		}
		if n == len(find) {
			if starts = append(starts, i-n+1); len(starts) == maxMatches {
				break
			}
			n = failure[n-1]
		}
	}
	t.comparisons += comparisons
	t.work.spend(comparisons)
	t.work.spendBytes(long)
	if len(starts) == 0 {
		t.noteAbsent(lines, find)
	}
	return starts
}

// failureTable returns, for each prefix of find, the length of its longest proper prefix that is also its suffix, and
// the number of comparisons that it took.
func failureTable(find []string) (failure []int, comparisons int) {
	failure = make([]int, len(find))
	n := 0
	for i := 1; i < len(find); i++ {
		for {
			comparisons++
			if find[n] == find[i] {
				n++
				break
			}
			if n == 0 {
				break
			}
			n = failure[n-1]
		}
		failure[i] = n
	}
	return failure, comparisons
}

// keyKind selects which differences a comparison of lines ignores.
type keyKind int

const (
	keyExact         keyKind = iota
	keyTrimRight             // trailing whitespace
	keyTrimSpace             // trailing whitespace and indentation
	keyFoldTrimSpace         // the same, and homoglyphs
	keyFoldTrimRight         // trailing whitespace and homoglyphs
)

// keyOf returns the key of a line: two lines are equal for a kind if their keys are.
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

// keysOf returns the keys of lines.
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

// plainKind returns a kind that compares the lines of a file in the same way, but has keys that are easier to get: a
// file of ASCII has no homoglyphs.
func (t *text) plainKind(kind keyKind) keyKind {
	if t.keys == nil {
		t.keys, t.nonBlank = map[keyKind][]string{}, map[keyKind]nonBlank{}
		t.work.spendBytes(t.size())
		t.isASCII = !slices.ContainsFunc(t.lines, func(l line) bool { return !isASCII(l.text) })
	}
	switch {
	case !t.isASCII:
	case kind == keyFoldTrimSpace:
		return keyTrimSpace
	case kind == keyFoldTrimRight:
		return keyTrimRight
	}
	return kind
}

// lineKeys returns the keys of the lines of a file. They are cached until the next edit.
func (t *text) lineKeys(kind keyKind) []string {
	kind = t.plainKind(kind)
	if keys, ok := t.keys[kind]; ok {
		return keys
	}
	t.work.spend(len(t.lines))
	if kind != keyExact {
		t.work.spendEachByte(t.size())
	}
	if !t.isASCII && (kind == keyFoldTrimSpace || kind == keyFoldTrimRight) {
		t.work.spend(t.size())
	}
	keys := t.exactKeys(kind)
	if keys == nil {
		keys = make([]string, len(t.lines))
		for i, l := range t.lines {
			keys[i] = keyOf(kind, l.text)
		}
	}
	t.keys[kind] = keys
	return keys
}

// exactKeys returns the keys of kind keyExact if those of the given kind are the same, as in a file without trailing
// whitespace; nil if they differ, or are not known.
func (t *text) exactKeys(kind keyKind) []string {
	if kind != keyTrimRight || slices.ContainsFunc(t.keys[keyExact], func(s string) bool {
		return len(trimTrailing(s)) < len(s)
	}) {
		return nil
	}
	return t.keys[keyExact]
}
