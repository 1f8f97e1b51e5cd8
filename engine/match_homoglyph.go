package engine

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikePlaces forgives characters that look like others, on top of what the stricter levels forgive, and line numbers
// copied in front of the lines.
func homoglyphMatches(m matcher) []match {
	m.find, m.put = foldIndentation(m.find), foldIndentation(m.put)
	matches := m.shiftedMatches(keyFoldTrimSpace, keyFoldTrimRight)
	if len(matches) == 0 {
		return lineNumberMatches(m)
	}
	for i, p := range matches {
		if p.ambiguity == "" && p.addsHomoglyph() {
			matches[i].ambiguity = "the new lines hold characters that stand for others in the lines to find"
		}
	}
	return matches
}

// addsForeign reports new lines with a look-alike that find wrote where the file has another character: it may be meant, or
// be one more slip.
func (p match) addsHomoglyph() bool {
	var homoglyphs []rune
	for i, n := range p.at {
		if n < 0 {
			continue
		}
		for _, r := range p.matcher.find[i] {
			if foldRune(r) != r && !strings.ContainsRune(p.matcher.file.lines[n].text, r) {
				homoglyphs = append(homoglyphs, r)
			}
		}
	}
	for _, e := range p.edits {
		for _, s := range e.repl {
			if strings.ContainsAny(s, string(homoglyphs)) {
				return true
			}
		}
	}
	return false
}

// foldIndents turns odd blanks at the beginning of lines into blanks, so that they count as indentation.
func foldIndentation(lines []string) []string {
	out := slices.Clone(lines)
	for i, s := range lines {
		if body := strings.TrimLeftFunc(s, unicode.IsSpace); !isASCII(s[:len(s)-len(body)]) {
			out[i] = fold(s[:len(s)-len(body)]) + body
		}
	}
	return out
}

// fold gives lines that look alike the same text: composed characters, and one quote, one dash, one blank for all of theirs.
func fold(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(foldRune, strings.ReplaceAll(norm.NFC.String(s), "…", "..."))
}

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
