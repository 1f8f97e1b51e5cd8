package match

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/engine/text"
)

// homoglyph also ignores homoglyphs, in addition to what the levels before it ignore, and line numbers copied
// in front of the lines.
func homoglyph(f File, p Pattern) []Match {
	p = NewPattern(f.Work, foldIndentation(p.Find), foldIndentation(p.Replace))
	matches := shifted(f, p, text.FoldTrimSpace, text.FoldTrimRight)
	if len(matches) == 0 {
		if corrected, ok := correctDashes(f, p); ok {
			matches = shifted(f, corrected, text.FoldTrimSpace, text.FoldTrimRight)
		}
	}
	if len(matches) == 0 {
		return lineNumbers(f, p)
	}
	for i, found := range matches {
		if found.Ambiguity == "" && addsHomoglyph(f, found, p.Find) {
			matches[i].Ambiguity = "the new lines have characters that replace others in the lines to find"
		}
	}
	return matches
}

// addsHomoglyph reports whether the new lines have a homoglyph that the lines to find, as the block has them, have in
// place of another character of the file: it may be intended, or the same mistake.
func addsHomoglyph(f File, m Match, find []string) bool {
	var homoglyphs []rune
	for i, n := range m.At {
		if n < 0 {
			continue
		}
		for _, r := range find[i] {
			if text.FoldRune(r) != r && !strings.ContainsRune(f.Lines()[n], r) {
				homoglyphs = append(homoglyphs, r)
			}
		}
	}
	for _, e := range m.Edits {
		for _, s := range e.Lines {
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
		if body := strings.TrimLeftFunc(s, unicode.IsSpace); !text.IsASCII(s[:len(s)-len(body)]) {
			out[i] = text.Fold(s[:len(s)-len(body)]) + body
		}
	}
	return out
}
