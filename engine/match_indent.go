package engine

import (
	"slices"
	"strings"
)

// indentPlaces forgives indentation, where one shift carries every line of find to the file's. The first line alone may have
// lost its indentation, as models often do.
func indentMatches(m matcher) []match { return m.shiftedMatches(keyTrimSpace, keyTrimRight) }

// shiftedPlaces finds the places whose lines have the keys bare of find, and one shift of indentation. Keys of the kind full
// tell lines with their indentation apart.
func (m matcher) shiftedMatches(bare, full keyKind) []match {
	if !m.hasLetters() {
		return nil
	}
	var matches []match
	for _, at := range m.alignNonBlank(bare) {
		if s, ok := m.shiftFor(at); ok && m.sameBlankGaps(at) {
			matches = append(matches, m.shiftedMatch(at, s, bare, full))
		}
	}
	return matches
}

// sameGaps reports that blank lines stand between the same lines in find and in the file, however many: a block that differs
// in its indentation and in that is too unlike.
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

// shifted settles what the new lines' indentation is, when s carries find's to the file's.
func (m matcher) shiftedMatch(at []int, s shift, bare, full keyKind) match {
	switch m.replIndent(at, s, bare) {
	case indentedAsFind:
		if m.mayHaveLostIndent(at) {
			return match{matcher: m, at: at, ambiguity: "one line to find does not tell whether the others lost their indentation as well"}
		}
		return m.matchAt(at, full, m.reindentBy(s))
	case indentedAsFile:
		return m.withFileLines(at).matchAt(at, full, asWritten)
	default:
		return match{matcher: m, at: at, ambiguity: "the new lines are indented neither as the lines to find nor as the file"}
	}
}

// asFile is the block with the file's own lines to find, for a put that is written in the file's indentation.
func (m matcher) withFileLines(at []int) matcher {
	m.find = slices.Clone(m.find)
	for i, n := range at {
		if n >= 0 {
			m.find[i] = m.file.lines[n].text
		}
	}
	return m
}

// lostAlone reports a find of one line that may have lost its indentation alone: the other lines of put are where new lines
// could be, at or below that line's own, or where the file goes on.
func (m matcher) mayHaveLostIndent(at []int) bool {
	i, j := firstNonBlank(m.find), firstNonBlank(m.put)
	if firstNonBlank(m.find[i+1:]) < len(m.find)-i-1 || j == len(m.put) || trimTrailing(m.put[j]) != trimTrailing(m.find[i]) {
		return false
	}
	least, in := minIndent(m.put[j+1:]), len(indentOf(m.file.lines[at[i]].text))
	if least < 0 || len(indentOf(m.find[i])) >= in {
		return false
	}
	next := at[i] + 1
	for next < len(m.file.lines) && isBlank(m.file.lines[next].text) {
		next++
	}
	return least >= in || next < len(m.file.lines) && len(indentOf(m.file.lines[next].text)) <= least
}

func trimIndent(s string) string { return strings.TrimLeft(s, " \t") }

func indentOf(s string) string { return s[:len(s)-len(trimIndent(s))] }

// follows says whose indentation put has.
type indentBase int

const (
	indentedOtherwise indentBase = iota
	indentedAsFind
	indentedAsFile
)

// putFollows decides it by the lines that put has in common with find: they stand in put as in find, or as in the file. A put
// in the file's own indentation, with a new line that is indented less than all the file has there, could also be find
// wrapped in something, so that it is neither; unless s cannot carry it.
func (m matcher) replIndent(at []int, s shift, bare keyKind) indentBase {
	if s.isZero() {
		return indentedAsFind
	}
	pairs := m.commonLines(bare)
	if len(pairs) == 0 {
		return m.replIndentByFirstLine(at)
	}
	onlyFind, onlyFile, neither := 0, 0, 0
	for _, p := range pairs {
		in := indentOf(m.put[p.j])
		switch asFind, asFile := in == indentOf(m.find[p.i]), in == indentOf(m.file.lines[at[p.i]].text); {
		case asFind && !asFile:
			onlyFind++
		case asFile && !asFind:
			onlyFile++
		case !asFile:
			neither++
		}
	}
	wrapped := minIndent(m.put) < m.minFileIndent(at)
	switch {
	case onlyFile > 0 && onlyFind+neither == 0 && (!wrapped || !m.canShift(s)):
		return indentedAsFile
	case onlyFile == 0 && neither < len(pairs):
		return indentedAsFind
	}
	return indentedOtherwise
}

// carries reports that s can shift every line of put.
func (m matcher) canShift(s shift) bool {
	reindent := m.reindentBy(s)
	for j, line := range m.put {
		if _, ok := reindent(j, line); !ok {
			return false
		}
	}
	return true
}

// putStarts decides it for a put that has nothing in common with find, by its first line.
func (m matcher) replIndentByFirstLine(at []int) indentBase {
	i, j := firstNonBlank(m.find), firstNonBlank(m.put)
	switch {
	case j == len(m.put), indentOf(m.put[j]) == indentOf(m.find[i]):
		return indentedAsFind
	case indentOf(m.put[j]) == indentOf(m.file.lines[at[i]].text):
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

// shallowest is the least indentation of any line, in bytes.
func minIndent(lines []string) int {
	least := -1
	for _, s := range lines {
		if n := len(indentOf(s)); !isBlank(s) && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

// shallowestAt is the least indentation of the file's lines that find stands for.
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

// common pairs the non-blank lines that find and put share.
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
	for _, h := range diffLines(keysOf(kind, m.find), keysOf(kind, m.put)) {
		kept(h.f0)
		i, j = h.f1, h.r1
	}
	kept(len(m.find))
	return pairs
}

// reindent applies s to new lines; the first line gets the file's indentation where find's first line had lost it.
func (m matcher) reindentBy(s shift) reindentFunc {
	first, lost := firstNonBlank(m.put), indentOf(m.find[firstNonBlank(m.find)])
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

// shift carries the indentation of find's lines to the file's: tabs become blanks or blanks tabs, then a prefix goes, or one
// comes.
type shift struct {
	// tabs is how many blanks stand for a tab: positive where tabs become blanks, negative where blanks become tabs.
	tabWidth int
	cut, add string
	// lost says that the first line had lost its indentation, which is first in the file.
	firstLost   bool
	firstIndent string
}

// widths are the widths of a tab that are tried, 0 for none, in order.
var tabWidths = []int{0, 2, 4, 8, 3, -2, -4, -8, -3}

func (s shift) isZero() bool { return s.tabWidth == 0 && s.cut == "" && s.add == "" && !s.firstLost }

// apply shifts one indentation; ok is false when it lacks the prefix to cut.
func (s shift) apply(in string) (out string, ok bool) {
	if s.tabWidth > 0 {
		in = strings.ReplaceAll(in, "\t", strings.Repeat(" ", s.tabWidth))
	} else if s.tabWidth < 0 {
		in = strings.ReplaceAll(in, strings.Repeat(" ", -s.tabWidth), "\t")
	}
	rest, ok := strings.CutPrefix(in, s.cut)
	return s.add + rest, ok
}

// indents is the indentation of one line in find and in the file.
type indentPair struct{ find, file string }

// shiftTo returns the simplest shift that carries find's non-blank lines to the lines at of the file.
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

// shiftOf returns the simplest shift for all of them: a prefix, then another width of tabs, then both.
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

// shiftBy finds the prefix that goes or comes once tabs have the width w.
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

// foreignIndent says why new lines do not belong into a file: they are all indented with tabs and the file with blanks alone,
// or the other way round, and no line of find showed which is right. A block that has indented lines to find was carried to
// the file's indentation, or matched it; it is not asked again.
func foreignIndent(p match) string {
	if tabs, blanks := countIndents(p.matcher.find); tabs+blanks > 0 {
		return ""
	}
	tabs, blanks := 0, 0
	for _, e := range p.edits {
		t, b := countIndents(e.repl)
		tabs, blanks = tabs+t, blanks+b
	}
	if tabs+blanks == 0 || tabs > 0 && blanks > 0 {
		return ""
	}
	fileTabs, fileBlanks := 0, 0
	for _, l := range p.matcher.file.lines {
		t, b := countIndents([]string{l.text})
		fileTabs, fileBlanks = fileTabs+t, fileBlanks+b
	}
	switch {
	case tabs > 0 && fileTabs == 0 && fileBlanks >= minIndentedLines:
		return "the new lines are indented with tabs, the file with blanks"
	case blanks > 0 && fileBlanks == 0 && fileTabs >= minIndentedLines:
		return "the new lines are indented with blanks, the file with tabs"
	}
	return ""
}

// foreignEnough is how many lines show how a file is indented.
const minIndentedLines = 3

// indentKinds counts the lines that begin with a tab, and with at least two blanks; one blank is how comments go on.
func countIndents(lines []string) (tabs, blanks int) {
	for _, s := range lines {
		switch {
		case isBlank(s):
		case s[0] == '\t':
			tabs++
		case strings.HasPrefix(s, "  "):
			blanks++
		}
	}
	return tabs, blanks
}
