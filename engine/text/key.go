package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// KeyKind selects which differences a comparison of lines ignores.
type KeyKind int

// The kinds of keys.
const (
	Exact         KeyKind = iota
	TrimRight             // trailing whitespace
	TrimSpace             // trailing whitespace and indentation
	FoldTrimSpace         // the same, and homoglyphs
	FoldTrimRight         // trailing whitespace and homoglyphs
)

// plain returns a kind that compares lines of ASCII in the same way, but has keys that are easier to get: they have no
// homoglyphs.
func (k KeyKind) plain() KeyKind {
	switch k {
	case FoldTrimSpace:
		return TrimSpace
	case FoldTrimRight:
		return TrimRight
	}
	return k
}

// KeyOf returns the key of a line: two lines are equal for a kind if their keys are.
func KeyOf(kind KeyKind, s string) string {
	switch kind {
	case TrimRight:
		return TrimTrailing(s)
	case TrimSpace:
		return TrimIndent(TrimTrailing(s))
	case FoldTrimSpace:
		return TrimIndent(TrimTrailing(Fold(s)))
	case FoldTrimRight:
		return TrimTrailing(Fold(s))
	default:
		return s
	}
}

// KeysOf returns the keys of lines, which are the lines themselves for Exact.
func KeysOf(kind KeyKind, lines []string) []string {
	if kind == Exact {
		return lines
	}
	keys := make([]string, len(lines))
	for i, s := range lines {
		keys[i] = KeyOf(kind, s)
	}
	return keys
}

// Fold returns the same text for strings that look alike: with composed characters, and one character for all quotes,
// dashes and spaces that look like it.
func Fold(s string) string {
	if IsASCII(s) {
		return s
	}
	return strings.Map(FoldRune, strings.ReplaceAll(norm.NFC.String(s), "…", "..."))
}

// FoldRune returns the character that stands for those that look like r, or -1 for an invisible character that editors
// and web pages put into text that is copied. Lines that differ in any other are different lines.
func FoldRune(r rune) rune {
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

// NonBlank are the keys of lines that are not blank, and the indices of those lines.
type NonBlank struct {
	Keys  []string
	Index []int
}

// NonBlankOf returns the keys of the lines that are not blank.
func NonBlankOf(kind KeyKind, lines []string) NonBlank { return nonBlankOf(lines, KeysOf(kind, lines)) }

func nonBlankOf(lines, keys []string) NonBlank {
	out := NonBlank{keys, make([]int, 0, len(keys))}
	for i, s := range lines {
		if !IsBlank(s) {
			out.Index = append(out.Index, i)
		}
	}
	if len(out.Index) < len(keys) {
		out.Keys = make([]string, len(out.Index))
		for k, i := range out.Index {
			out.Keys[k] = keys[i]
		}
	}
	return out
}
