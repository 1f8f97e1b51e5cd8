package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// corrected returns m with lines of find replaced by those of the file that were meant, and the same lines of the
// replacement that are context with them.
func (m matcher) corrected(meant map[int]string) matcher {
	find, repl := slices.Clone(m.find), slices.Clone(m.repl)
	for _, p := range m.commonLines(keyExact) {
		if s, ok := meant[p.i]; ok {
			repl[p.j] = s
		}
	}
	for i, s := range meant {
		find[i] = s
	}
	m.find, m.repl = find, repl
	return m
}

// correctDashes returns m with lines of find as the file has them, where they differ in a long dash that typography
// puts in place of two or three hyphens; ok is false if there are none.
func (m matcher) correctDashes() (corrected matcher, ok bool) {
	wanted := map[string]bool{}
	for _, s := range m.find {
		if strings.ContainsFunc(s, isLongDash) {
			wanted[dashKey(s)] = true
		}
	}
	if len(wanted) == 0 {
		return m, false
	}
	m.file.work.spend(len(m.file.lines))
	have := map[string][]string{}
	for _, l := range m.file.lines {
		if !strings.ContainsRune(l.text, '-') {
			continue
		}
		key, body := dashKey(l.text), trimIndent(trimTrailing(l.text))
		if wanted[key] && len(have[key]) < maxFuzzyAnchors && !slices.Contains(have[key], body) {
			have[key] = append(have[key], body)
		}
	}
	meant := map[int]string{}
	for i, s := range m.find {
		if !strings.ContainsFunc(s, isLongDash) {
			continue
		}
		var fits []string
		for _, body := range have[dashKey(s)] {
			if sameDashes(trimIndent(trimTrailing(s)), body) {
				fits = append(fits, body)
			}
		}
		if len(fits) == 1 {
			meant[i] = indentOf(s) + fits[0]
		}
	}
	return m.corrected(meant), len(meant) > 0
}

// isLongDash reports whether typographic programs write r for two or three hyphens: an en dash, an em dash or a
// horizontal bar.
func isLongDash(r rune) bool { return r == '–' || r == '—' || r == '―' }

// dashKey returns the key of a line that ignores how long its dashes are.
func dashKey(s string) string {
	s = keyOf(keyFoldTrimSpace, s)
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '-' || i == 0 || s[i-1] != '-' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// sameDashes reports whether the dashes of two lines with the same dashKey can be the same: a long dash of find is one
// to three hyphens of the file.
func sameDashes(find, file string) bool {
	least, most := dashRuns(find)
	have, _ := dashRuns(file)
	for i, n := range have {
		if i >= len(least) || n < least[i] || n > most[i] {
			return false
		}
	}
	return len(have) == len(least)
}

// dashRuns returns how many hyphens each run of dashes is at least and at most.
func dashRuns(s string) (least, most []int) {
	prev := rune(utf8.RuneError)
	for _, r := range norm.NFC.String(s) {
		folded := foldRune(r)
		if folded == '-' {
			if prev != '-' {
				least, most = append(least, 0), append(most, 0)
			}
			least[len(least)-1]++
			most[len(most)-1]++
			if isLongDash(r) {
				most[len(most)-1] += 2
			}
		}
		if folded >= 0 {
			prev = folded
		}
	}
	return least, most
}

// Bounds of the search for slips: the lines of find to look up and the letters of a word that has one; less for two
// letters swapped and for one missing or too many, if the line has some characters besides.
const (
	maxSlips         = 4
	minSlipWord      = 5
	minShortSlipWord = 4
	minSlipLine      = 12
)

// correctSlips returns m with context lines that the file lacks as the file has them, where they differ in a letter
// from exactly one line of the file; ok is false if there are none, or too many to look up.
func (m matcher) correctSlips() (corrected matcher, ok bool) {
	find := keysOf(keyFoldTrimRight, m.find)
	where := m.file.indexLines(keyFoldTrimRight, find, maxFuzzyAnchors)
	meant := map[int]string{}
	missing := 0
	for _, p := range m.commonLines(keyExact) {
		if s := find[p.i]; len(where[s]) == 0 {
			if missing++; missing > maxSlips {
				return m, false
			}
			if line, ok := m.slipOf(s); ok {
				meant[p.i] = line
			}
		}
	}
	return m.corrected(meant), len(meant) > 0
}

// slipOf returns the only line of the file that differs from s by a slip in one word that the file does not have.
func (m matcher) slipOf(s string) (line string, ok bool) {
	m.file.work.spend(len(m.file.lines))
	m.file.work.spendBytes(m.file.size())
	for n, have := range m.file.lineKeys(keyFoldTrimRight) {
		word, isSlip := slip(s, have)
		if !isSlip || ok && m.file.lines[n].text == line {
			continue
		}
		if ok || m.file.hasWord(word) {
			return "", false
		}
		line, ok = m.file.lines[n].text, true
	}
	return line, ok
}

// slip reports whether two lines differ in one word by two letters swapped or, inside of it, by a letter added, lost or
// replaced, and returns the word of a. At the beginning and the end of a word another letter makes another name, as the
// plural does. In a short word another letter does, too.
func slip(a, b string) (word string, ok bool) {
	if len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return "", false
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	oneLetter := len(x) <= 1 && len(y) <= 1 && len(x)+len(y) > 0
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	if !oneLetter && !swapped || !allASCIILetters(x) || !allASCIILetters(y) {
		return "", false
	}
	from, to := head, len(a)-tail
	for from > 0 && isWordByte(a[from-1]) {
		from--
	}
	for to < len(a) && isWordByte(a[to]) {
		to++
	}
	word, inside := a[from:to], from < head && to > len(a)-tail
	if charCount(a) < minSlipLine {
		return word, inside && len(word) >= minSlipWord
	}
	switch longest := max(len(word), len(word)+len(y)-len(x)); {
	case swapped:
		return word, longest >= minShortSlipWord
	case len(x) != len(y):
		return word, inside && longest >= minShortSlipWord
	}
	return word, inside && len(word) >= minSlipWord
}

func allASCIILetters(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return true
}
