package unusual

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words reports the words of added lines that look like others.
func (s *search) words(removed, added []string) {
	known := map[string]bool{}
	for _, line := range removed {
		for _, w := range wordsIn(line) {
			if w.looks != "" {
				known[w.text] = true
			}
		}
	}
	for i, line := range added {
		if isPlain(line) || len(s.found) == maxFindings {
			continue
		}
		s.line = i + 1
		words, quotations := wordsIn(line), quotationsIn(line)
		for n, w := range words {
			if w.looks == "" || known[w.text] || isQuoted(quotations, words, n) || !s.deceives(words, n, added) {
				continue
			}
			known[w.text] = true
			s.report("a word that looks like %q and is written with %s", Spelled(w.looks), named(w.foreign))
		}
	}
}

// deceives reports whether the nth of the words of a line is taken for the one of ASCII that it looks like.
func (s *search) deceives(words []word, n int, added []string) bool {
	w, facts := words[n], s.file.read()
	of := facts // what a name can be taken for is in the file, or in what is added if it is new
	if s.file.before == "" {
		of = s.factsOf(added)
	}
	switch {
	case facts.alike[w.text], slices.Contains(numberSets, w.text):
		return false
	case w.foreign == 'ı' && !w.blend: // Turkish has it
		return of.ascii[w.looks] || !of.turkish
	case w.script == unicode.Greek && isVariable(w.text):
		return false
	case w.script == unicode.Greek && isFormula(w.text):
		return of.ascii[w.looks]
	case w.mixed || w.blend:
		return true
	case !slices.Contains(alphabets, w.script):
		return false
	case w.script == unicode.Latin || w.script == unicode.Common: // forms of the letters of ASCII
		return !s.file.has(w.foreign) && (!isWide(w.foreign) || !s.inWideText(added))
	case inSentence(words, n):
		return false
	}
	return !of.writes(w.script) || of.ascii[w.looks]
}

// numberSets are letters that name sets of numbers.
var numberSets = []string{"ℂ", "ℍ", "ℕ", "ℙ", "ℚ", "ℝ", "ℤ"}

// isWide reports whether a character is of those that fill the space of an ideograph.
func isWide(r rune) bool { return r >= '\uff01' && r <= '\uff5e' }

// inWideText reports whether the file, or added lines, are written with ideographs.
func (s *search) inWideText(added []string) bool {
	return s.file.read().ideographic || s.factsOf(added).ideographic
}

// isVariable reports whether a name is made of Latin and of single small letters of the Greek alphabet that are read
// as those, as in sin_α.
func isVariable(text string) bool {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '_' || r >= '0' && r <= '9' }) {
		runes := []rune(part)
		greek := slices.ContainsFunc(runes, func(r rune) bool { return unicode.Is(unicode.Greek, r) })
		if greek && (len(runes) > 1 || unicode.IsUpper(runes[0]) || strings.ContainsRune("ονυιϲϳ", runes[0])) {
			return false
		}
	}
	return true
}

// isFormula reports whether a name is a single small letter of the Greek alphabet, perhaps behind a Latin letter or the
// name of a function, as in hν and cosα.
func isFormula(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	before := text[:len(text)-size]
	return unicode.Is(unicode.Greek, r) && unicode.IsLower(r) && !strings.ContainsRune("οϲϳ", r) &&
		(len(before) <= 1 || slices.Contains(functions, before))
}

var functions = []string{"sin", "cos", "tan", "cot", "sec", "csc", "exp", "log", "ln", "arg"}

// inSentence reports whether the nth of the words is beside others of its script, with only blanks between them, of
// which one looks like no word of ASCII.
func inSentence(words []word, n int) bool {
	same := func(w word) bool { return w.foreign != 0 && !w.mixed && w.script == words[n].script }
	for i := n; i > max(n-maxSentence, 0) && words[i].spaced && same(words[i-1]); i-- {
		if words[i-1].looks == "" {
			return true
		}
	}
	for i := n + 1; i < min(n+maxSentence, len(words)) && words[i].spaced && same(words[i]); i++ {
		if words[i].looks == "" {
			return true
		}
	}
	return false
}

// named returns a letter with its number, or the number alone of one that a reader would take for something else.
func named(r rune) string {
	quoted := fmt.Sprintf("%q", r)
	if IsHidden(quoted) { // some letters look like punctuation beside the quotes only
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("%s (U+%04X)", quoted, r)
}
