// Package match finds the one place in a file where a block fits, at the strictest of several levels, and says what to
// edit there. It is pure: what it finds depends on the file, the block and the units of work that are left.
package match

import (
	"unicode"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// File is a file in which blocks are looked for.
type File struct {
	*text.Text
	// Path is its path, which tells its language.
	Path string
	// Hint is what the reply says of the place besides the lines to find.
	Hint Hint
	// Off are rules that are not applied, to measure what they win.
	Off Rules
}

// Pattern is one reading of a block: the lines to find, and those to put in their place.
type Pattern struct {
	Find, Replace []string
	// changes are the differences between the two.
	changes []text.Hunk
}

// NewPattern returns the pattern of two halves of a block, which must not be modified from then on.
func NewPattern(w *meter.Work, find, replace []string) Pattern {
	return Pattern{find, replace, text.Diff(w, find, replace)}
}

// inverse returns the pattern that undoes p.
func (p Pattern) inverse(w *meter.Work) Pattern { return NewPattern(w, p.Replace, p.Find) }

// What the lines to find must have at least before a level may ignore more than whitespace, so that they do not match
// by coincidence: some letters for indentation and homoglyphs, some lines or characters for the levels that compare
// only part of them.
const (
	minLetters = 4
	minLines   = 3
	minChars   = 40
)

// hasLetters reports whether lines are more than punctuation.
func hasLetters(lines []string) bool {
	n := 0
	for _, s := range lines {
		for _, r := range s {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n >= minLetters
}

// isSubstantial reports whether lines are long enough not to match by coincidence.
func isSubstantial(find []string) bool {
	lines, chars := 0, 0
	for _, s := range find {
		if !text.IsBlank(s) {
			lines++
		}
		for _, r := range s {
			if !unicode.IsSpace(r) {
				chars++
			}
		}
	}
	return lines >= minLines || chars >= minChars
}
