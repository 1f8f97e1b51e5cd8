package engine

import (
	"slices"
	"strings"
)

// indentMatches ignores indentation, if one shift changes that of each line of find to that of the file. The first
// line of find may have lost its indentation, as happens often in replies.
func indentMatches(m matcher) []match { return m.shiftedMatches(keyTrimSpace, keyTrimRight) }

// shiftedMatches returns the places where the lines have the same keys of kind trimmedKey as find, and one shift of
// indentation. Keys of kind indentedKey also compare the indentation.
func (m matcher) shiftedMatches(trimmedKey, indentedKey keyKind) []match {
	if !hasLetters(m.find) {
		return nil
	}
	var matches []match
	for _, at := range m.alignNonBlank(trimmedKey) {
		if s, ok := m.shiftFor(at); ok && m.sameBlankGaps(at) && (trimmedKey == keyTrimSpace || !m.hasOtherName(at)) {
			matches = append(matches, m.shiftedMatch(at, s, trimmedKey, indentedKey))
		}
	}
	return matches
}

// sameBlankGaps reports whether find and the file have blank lines, in any number, between the same lines. A block
// that differs in both indentation and blank lines is too different.
func (m matcher) sameBlankGaps(at []int) bool {
	prev := -1
	for i, s := range m.find {
		if isBlank(s) {
			continue
		}
		if prev >= 0 && (i-prev > 1) != (at[i]-at[prev] > 1) {
			return false
		}
		prev = i
	}
	return true
}

// shiftedMatch returns the match at a place where s changes the indentation of find to that of the file, with the
// replacement indented accordingly.
func (m matcher) shiftedMatch(at []int, s shift, trimmedKey, indentedKey keyKind) match {
	switch m.replIndent(at, s, trimmedKey) {
	case indentedAsFind:
		if m.mayHaveLostIndent(at) {
			return match{matcher: m, at: at,
				ambiguity: "one line to find does not tell whether the others lost their indentation as well"}
		}
		return m.matchAt(at, indentedKey, m.reindentBy(s))
	case indentedAsFile:
		return m.withFileLines(at).matchAt(at, indentedKey, asWritten)
	default:
		return match{matcher: m, at: at,
			ambiguity: "the new lines are indented neither as the lines to find nor as the file"}
	}
}

// withFileLines returns m with the lines of the file as find, for a replacement that has the indentation of the file.
func (m matcher) withFileLines(at []int) matcher {
	m.find = slices.Clone(m.find)
	for i, n := range at {
		if n >= 0 {
			m.find[i] = m.file.lines[n].text
		}
	}
	return m
}

// mayHaveLostIndent reports whether find is one line that alone may have lost its indentation: as the other lines of
// the replacement are indented, they could be correct already.
func (m matcher) mayHaveLostIndent(at []int) bool {
	i := firstNonBlank(m.find)
	if firstNonBlank(m.find[i+1:]) < len(m.find)-i-1 {
		return false
	}
	left, whole := indentOf(m.find[i]), indentOf(m.file.lines[at[i]].text)
	j, in := m.sameLine(m.find[i]), len(whole)
	if len(left) >= in || !strings.HasPrefix(whole, left) || j == len(m.repl) || indentOf(m.repl[j]) != left {
		return false
	}
	if before := minIndent(m.repl[:j]); before >= in {
		return true
	}
	least := minIndent(m.repl[j+1:])
	next := at[i] + 1
	for next < len(m.file.lines) && isBlank(m.file.lines[next].text) {
		next++
	}
	return least >= in || least >= 0 && next < len(m.file.lines) && len(indentOf(m.file.lines[next].text)) <= least
}

// sameLine returns the first line of the replacement that is s, or else the first that is not blank.
func (m matcher) sameLine(s string) int {
	s = trimTrailing(s)
	if j := slices.IndexFunc(m.repl, func(r string) bool { return trimTrailing(r) == s }); j >= 0 {
		return j
	}
	return firstNonBlank(m.repl)
}

func trimIndent(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[n:]
}

func indentOf(s string) string { return s[:len(s)-len(trimIndent(s))] }

// indentBase says which indentation the replacement follows.
type indentBase int

const (
	indentedOtherwise indentBase = iota
	indentedAsFind
	indentedAsFile
)

// replIndent decides by the lines that find and the replacement have in common: in the replacement, they are indented
// as in find or as in the file. A replacement that is indented as the file, but has a new line with less indentation
// than the file has there, could also be find wrapped in something; then neither is certain, unless s cannot shift
// the replacement.
func (m matcher) replIndent(at []int, s shift, trimmedKey keyKind) indentBase {
	if s.isZero() {
		return indentedAsFind
	}
	pairs := m.commonLines(trimmedKey)
	if len(pairs) == 0 {
		return m.replIndentByFirstLine(at)
	}
	onlyFind, onlyFile, neither := 0, 0, 0
	for _, p := range pairs {
		in := indentOf(m.repl[p.j])
		switch asFind, asFile := in == indentOf(m.find[p.i]), in == indentOf(m.file.lines[at[p.i]].text); {
		case asFind && !asFile:
			onlyFind++
		case asFile && !asFind:
			onlyFile++
		case !asFile:
			neither++
		}
	}
	wrapped := minIndent(m.repl) < m.minFileIndent(at)
	switch {
	case onlyFile > 0 && onlyFind+neither == 0 && (!wrapped || !m.canShift(s)):
		return indentedAsFile
	case onlyFile == 0 && neither < len(pairs):
		return indentedAsFind
	}
	return indentedOtherwise
}

// canShift reports whether s can shift every line of the replacement.
func (m matcher) canShift(s shift) bool {
	reindent := m.reindentBy(s)
	for j, line := range m.repl {
		if _, ok := reindent(j, line); !ok {
			return false
		}
	}
	return true
}

// replIndentByFirstLine decides by the first line, for a replacement that has no line in common with find.
func (m matcher) replIndentByFirstLine(at []int) indentBase {
	i, j := firstNonBlank(m.find), firstNonBlank(m.repl)
	switch {
	case j == len(m.repl), indentOf(m.repl[j]) == indentOf(m.find[i]):
		return indentedAsFind
	case indentOf(m.repl[j]) == indentOf(m.file.lines[at[i]].text):
		return indentedAsFile
	}
	return indentedOtherwise
}

func firstNonBlank(lines []string) int {
	i := 0
	for i < len(lines) && isBlank(lines[i]) {
		i++
	}
	return i
}

// minIndent returns the least indentation of any line in bytes, or -1 if all are blank.
func minIndent(lines []string) int {
	least := -1
	for _, s := range lines {
		if n := len(indentOf(s)); !isBlank(s) && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

// minFileIndent returns the least indentation of the given lines of the file.
func (m matcher) minFileIndent(at []int) int {
	var lines []string
	for _, n := range at {
		if n >= 0 {
			lines = append(lines, m.file.lines[n].text)
		}
	}
	return minIndent(lines)
}

type pair struct{ i, j int }

// commonLines pairs the non-blank lines that find and the replacement have in common.
func (m matcher) commonLines(kind keyKind) []pair {
	var pairs []pair
	i, j := 0, 0
	kept := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			if !isBlank(m.find[i]) {
				pairs = append(pairs, pair{i, j})
			}
		}
	}
	for _, h := range (matcher{m.file, keysOf(kind, m.find), keysOf(kind, m.repl)}).changes() {
		kept(h.f0)
		i, j = h.f1, h.r1
	}
	kept(len(m.find))
	return pairs
}

// reindentBy applies s to the lines of the replacement. The first one gets the indentation of the file if the first
// line of find has lost it.
func (m matcher) reindentBy(s shift) reindentFunc {
	first, lost := firstNonBlank(m.repl), indentOf(m.find[firstNonBlank(m.find)])
	return func(j int, line string) (string, bool) {
		if isBlank(line) {
			return line, true
		}
		in := indentOf(line)
		if s.firstLost && j == first && in == lost {
			return s.firstIndent + line[len(in):], true
		}
		out, ok := s.apply(in)
		return out + line[len(in):], ok
	}
}

// shift changes the indentation of find to that of the file: it converts tabs to spaces or spaces to tabs, then
// removes a prefix or adds one.
type shift struct {
	// tabWidth is the width of a tab: positive to convert tabs to spaces, negative to convert spaces to tabs, 0 for
	// neither.
	tabWidth int
	cut, add string
	// firstLost is set if the first line has lost its indentation, which is firstIndent in the file.
	firstLost   bool
	firstIndent string
}

// tabWidths are the values of tabWidth to try, in order.
var tabWidths = []int{0, 2, 4, 8, 3, -2, -4, -8, -3}

func (s shift) isZero() bool { return s.tabWidth == 0 && s.cut == "" && s.add == "" && !s.firstLost }

// apply shifts one indentation; ok is false if it lacks the prefix to remove.
func (s shift) apply(in string) (out string, ok bool) {
	if s.tabWidth > 0 {
		in = strings.ReplaceAll(in, "\t", strings.Repeat(" ", s.tabWidth))
	} else if s.tabWidth < 0 {
		in = strings.ReplaceAll(in, strings.Repeat(" ", -s.tabWidth), "\t")
	}
	rest, ok := strings.CutPrefix(in, s.cut)
	return s.add + rest, ok
}

// indentPair is the indentation of one line in find and in the file.
type indentPair struct{ find, file string }

// shiftFor returns the simplest shift from the non-blank lines of find to the given lines of the file.
func (m matcher) shiftFor(at []int) (shift, bool) {
	var all []indentPair
	for i, s := range m.find {
		if !isBlank(s) {
			all = append(all, indentPair{indentOf(s), indentOf(m.file.lines[at[i]].text)})
		}
	}
	if s, ok := commonShift(all); ok {
		return s, true
	}
	if len(all) < 2 || len(all[0].find) >= len(all[0].file) {
		return shift{}, false
	}
	s, ok := commonShift(all[1:])
	s.firstLost, s.firstIndent = true, all[0].file
	return s, ok
}

// commonShift returns the simplest shift for all pairs: a prefix, else a tab width, else both.
func commonShift(all []indentPair) (shift, bool) {
	var both *shift
	for _, w := range tabWidths {
		s, ok := shiftWithTabs(w, all)
		switch {
		case !ok:
		case w == 0, s.cut == "" && s.add == "":
			return s, true
		case both == nil:
			both = &s
		}
	}
	if both == nil {
		return shift{}, false
	}
	return *both, true
}

// shiftWithTabs finds the prefix to remove or add after converting tabs with the given width.
func shiftWithTabs(w int, all []indentPair) (shift, bool) {
	s := shift{tabWidth: w}
	from, _ := s.apply(all[0].find)
	to := all[0].file
	switch {
	case strings.HasSuffix(to, from):
		s.add = to[:len(to)-len(from)]
	case strings.HasSuffix(from, to):
		s.cut = from[:len(from)-len(to)]
	default:
		return shift{}, false
	}
	return s, !slices.ContainsFunc(all, func(in indentPair) bool {
		out, ok := s.apply(in.find)
		return !ok || out != in.file
	})
}
