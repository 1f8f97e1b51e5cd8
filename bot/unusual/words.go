package unusual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// Letters of other alphabets that look like those of ASCII make names that a reader takes for others. What looks alike
// is what Unicode's list of confusable characters says (UTS 39). A word counts if it looks like ASCII as a whole: one
// letter that does not gives it away.

// word is a run of letters, marks, digits and underscores.
type word struct {
	text string
	// looks is the word in ASCII as a reader sees it; empty if all are ASCII, or if it has a character that looks like
	// none of ASCII and the word is no blend. A blend has Latin letters beside such of another alphabet that look like
	// them.
	looks string
	blend bool
	// script is that of the last of its characters that are not ASCII, nil for none. mixed reports that there are
	// letters of ASCII too, or several scripts.
	script *unicode.RangeTable
	mixed  bool
	// foreign is the first character that is not what it looks like.
	foreign rune
	// spaced reports that only blanks are between the word and the one before it.
	spaced bool
	// from is where it begins in its line, in bytes.
	from int
}

// alphabets are the scripts of which whole words can look like ASCII. In others, what Unicode lists are single
// characters, which nobody could write a name with.
var alphabets = []*unicode.RangeTable{
	unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Deseret,
	unicode.Osage, unicode.Latin, unicode.Common,
}

// numberSets are letters that name sets of numbers.
var numberSets = []string{"ℂ", "ℍ", "ℕ", "ℙ", "ℚ", "ℝ", "ℤ"}

// wordsIn returns the words of a line that have other letters than those of ASCII, and for those beside them.
func wordsIn(line string) (out []word) {
	rest := line
	for rest != "" {
		from := strings.IndexFunc(rest, isWordRune)
		if from < 0 {
			return out
		}
		spaced := from > 0 && strings.TrimFunc(rest[:from], isBlank) == ""
		rest = rest[from:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			end = len(rest)
		}
		w := readWord(rest[:end])
		w.spaced, w.from = spaced, len(line)-len(rest)
		out = append(out, w)
		rest = rest[end:]
	}
	return out
}

func isWordRune(r rune) bool {
	return r == '_' || r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') ||
		r >= 0x80 && (unicode.In(r, unicode.L, unicode.M, unicode.Nl, unicode.Nd) || unicode.Is(unicode.Other_Alphabetic, r))
}

func readWord(text string) word {
	w := word{text: text}
	var looks strings.Builder
	alike, ascii := true, false
	for _, r := range text {
		if r < 0x80 {
			ascii = ascii || isASCIILetter(r)
			looks.WriteRune(r)
			continue
		}
		script := scriptOf(r)
		w.mixed = w.mixed || w.foreign != 0 && script != w.script
		w.script = script
		if w.foreign == 0 {
			w.foreign = r
		}
		c := lookAlike(r)
		alike = alike && c != ""
		looks.WriteString(cmp.Or(c, string(r)))
	}
	w.mixed = w.mixed || ascii
	if w.foreign != 0 {
		blended := firstBlended(text)
		if w.blend = blended != 0; w.blend {
			w.foreign = blended
		}
	}
	if w.foreign != 0 && alike || w.blend {
		w.looks = looks.String()
	}
	return w
}

// firstBlended returns the first letter of another alphabet that looks like a Latin one, with an accent or without,
// beside a Latin letter: with nothing between but marks, and letters of the same alphabets. 0 if there is none.
func firstBlended(text string) rune {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '_' || r >= '0' && r <= '9' }) {
		if !strings.ContainsFunc(part, func(r rune) bool { return scriptOf(r) == unicode.Latin }) {
			continue
		}
		for _, r := range part {
			script := scriptOf(r)
			if script != unicode.Latin && script != unicode.Common && slices.Contains(alphabets, script) && looksLatin(r) {
				return r
			}
		}
	}
	return 0
}

// looksLatin reports whether a letter looks like one of ASCII, if need be with an accent.
func looksLatin(r rune) bool {
	if lookAlike(r) != "" {
		return true
	}
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return base != r && lookAlike(base) != ""
}

// lookAlike returns the letter or digit of ASCII that a character looks like, or "".
func lookAlike(r rune) string {
	if r == 'ı' {
		return "i"
	}
	c := confusable.GetReplacement(r)
	if c == "rn" { // how Unicode writes m, which looks like both
		return "m"
	}
	if len(c) != 1 || c[0] != '_' && !isWordRune(rune(c[0])) {
		return ""
	}
	return c
}

func scriptOf(r rune) *unicode.RangeTable {
	switch {
	case r >= 0x400 && r <= 0x482: // for the most part of what is read
		return unicode.Cyrillic
	case isASCIILetter(r):
		return unicode.Latin
	case r >= 0xc0 && r <= 0x24f:
		return unicode.Latin
	case r >= 0x4e00 && r <= 0x9fff:
		return unicode.Han
	}
	for _, script := range alphabets {
		if unicode.Is(script, r) {
			return script
		}
	}
	for _, script := range unicode.Scripts {
		if unicode.Is(script, r) {
			return script
		}
	}
	return unicode.Common
}

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

// maxSentence bounds how many words before and behind one are looked at.
const maxSentence = 30

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

// distinctive reports whether a word of one other script shows that it is.
func (w word) distinctive() bool { return w.foreign != 0 && w.looks == "" && !w.mixed }

// named returns a letter with its number, or the number alone of one that a reader would take for something else.
func named(r rune) string {
	quoted := fmt.Sprintf("%q", r)
	if IsHidden(quoted) { // some letters look like punctuation beside the quotes only
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("%s (U+%04X)", quoted, r)
}
