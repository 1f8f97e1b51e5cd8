package unusual

import (
	"strings"
	"unicode"

	"go.mau.fi/util/confusable"
)

// blankPattern is the letter of Braille without a dot.
const blankPattern = '\u2800'

// isBraille reports whether the blank pattern at i is in a run of such that is beside other letters of Braille.
func isBraille(line []rune, i int) bool {
	from, to := i, i
	for at(line, from) == blankPattern {
		from--
	}
	for at(line, to) == blankPattern {
		to++
	}
	return unicode.Is(unicode.Braille, at(line, from)) || unicode.Is(unicode.Braille, at(line, to))
}

// operators are the characters of ASCII that mean something between names; quotes are not among them, because letters
// look like them in many languages.
const operators = "!#$%&()*+,-./:;<=>?@[]\\^_{|}~"

// looksLikeOperator reports whether the character at i is a letter, or belongs to names, and looks like punctuation
// beside ASCII.
func looksLikeOperator(line []rune, i int) bool {
	r, before, after := line[i], at(line, i-1), at(line, i+1)
	switch {
	case r >= 'ǀ' && r <= 'ǃ': // the clicks
		return true
	case r == '\u037e': // as a semicolon, canonically
		return !unicode.Is(unicode.Greek, before)
	case unicode.Is(unicode.Pc, r):
		return isASCIIWord(before) || isASCIIWord(after)
	case !unicode.In(r, unicode.L, unicode.Sk):
		return false
	}
	looks := confusable.GetReplacement(r)
	if looks == "" || strings.Trim(looks, operators) != "" {
		return false
	}
	return (isVisibleASCII(before) || isVisibleASCII(after)) && !isBeside(r, before) && !isBeside(r, after)
}

// isBeside reports whether a letter is beside one of the script that it is from, or for a sign of pronunciation,
// beside a letter that is not ASCII.
func isBeside(r, neighbour rune) bool {
	if neighbour < 0x80 || !unicode.IsLetter(neighbour) {
		return false
	}
	script := scriptOf(r)
	return scriptOf(neighbour) == script || isIdeographic(neighbour) && isIdeographic(r) ||
		script == unicode.Common && scriptOf(neighbour) == unicode.Latin
}

func isASCIIWord(r rune) bool { return r < 0x80 && isWordRune(r) }

func isVisibleASCII(r rune) bool { return r > ' ' && r < 0x7f }

func at(line []rune, i int) rune {
	if i < 0 || i >= len(line) {
		return 0
	}
	return line[i]
}
