package engine

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// homoglyphMatches also ignores homoglyphs, in addition to what the levels before it ignore, and line numbers copied
// in front of the lines.
func homoglyphMatches(m matcher) []match {
	m.find, m.repl = foldIndentation(m.find), foldIndentation(m.repl)
	matches := m.shiftedMatches(keyFoldTrimSpace, keyFoldTrimRight)
	if len(matches) == 0 {
		if corrected, ok := m.correctDashes(); ok {
			matches = corrected.shiftedMatches(keyFoldTrimSpace, keyFoldTrimRight)
		}
	}
	if len(matches) == 0 {
		return lineNumberMatches(m)
	}
	for i, found := range matches {
		if found.ambiguity == "" && found.addsHomoglyph(m.find) {
			matches[i].ambiguity = "the new lines have characters that replace others in the lines to find"
		}
	}
	return matches
}

// addsHomoglyph reports whether the new lines have a homoglyph that find, as the block has it, has in place of another
// character of the file: it may be intended, or the same mistake.
func (m match) addsHomoglyph(find []string) bool {
	var homoglyphs []rune
	for i, n := range m.at {
		if n < 0 {
			continue
		}
		for _, r := range find[i] {
			if foldRune(r) != r && !strings.ContainsRune(m.matcher.file.lines[n].text, r) {
				homoglyphs = append(homoglyphs, r)
			}
		}
	}
	for _, e := range m.edits {
		for _, s := range e.repl {
			if strings.ContainsAny(s, string(homoglyphs)) {
				return true
			}
		}
	}
	return false
}

// foldIndentation replaces unusual spaces at the beginning of lines, so that they count as indentation.
func foldIndentation(lines []string) []string {
	out := slices.Clone(lines)
	for i, s := range lines {
		if body := strings.TrimLeftFunc(s, unicode.IsSpace); !isASCII(s[:len(s)-len(body)]) {
			out[i] = fold(s[:len(s)-len(body)]) + body
		}
	}
	return out
}

// fold returns the same text for strings that look alike: with composed characters, and one character for all quotes,
// dashes and spaces that look like it.
func fold(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(foldRune, strings.ReplaceAll(norm.NFC.String(s), "…", "..."))
}

// foldRune drops only those invisible characters that editors and web pages put into text that is copied. Lines that
// differ in any other are different lines.
func foldRune(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ', 'ʻ', '´', '＇':
		return '\''
	case '“', '”', '„', '‟', '″', '＂':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−', '﹣', '－':
		return '-'
	case '\u00a0', '\u2000', '\u2001', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006', '\u2007', '\u2008', '\u2009',
		'\u200a', '\u202f', '\u205f', '\u3000':
		return ' '
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return -1
	}
	return r
}
