package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/text"
)

// How long a word must be at least for one letter to be a typo; less for two letters in the wrong order, for one that
// is doubled and for one inside of a word that is missing or too many. Shorter words, such as i and j, or if and fi,
// are too close to each other.
const (
	minTypoWord      = 4
	minShortTypoWord = 3
)

// isTypo reports whether two lines differ by one letter more, less or other, or by the order of two characters. Added
// or removed digits, symbols and spaces are not typos: they make another name, value or structure. Nor are capitals.
func isTypo(a, b string) bool {
	x, y, from := middle(a, b)
	switch {
	case x == "" && y == "":
		return true
	case isTransposed(x, y):
		return wordAround(a, from) >= minShortTypoWord || !allLetters(x)
	case utf8.RuneCountInString(x) > 1 || utf8.RuneCountInString(y) > 1 || !allLetters(x) || !allLetters(y):
		return false
	}
	length := min(wordAround(a, from), wordAround(b, from))
	if x == "" || y == "" {
		doubled := strings.HasSuffix(a[:from], x+y)
		inside := isInside(a, from, from+len(x)) && isInside(b, from, from+len(y))
		return length >= minTypoWord || (doubled || inside) && length >= minShortTypoWord
	}
	r, _ := utf8.DecodeRuneInString(x)
	s, _ := utf8.DecodeRuneInString(y)
	return unicode.ToLower(r) != unicode.ToLower(s) && length >= minTypoWord
}

// middle returns the part in which two lines differ, and where it begins.
func middle(a, b string) (x, y string, from int) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for from > 0 && (from < len(a) && !utf8.RuneStart(a[from]) || from < len(b) && !utf8.RuneStart(b[from])) {
		from--
	}
	x, y = a[from:], b[from:]
	for len(x) > 0 && len(y) > 0 {
		r, n := utf8.DecodeLastRuneInString(x)
		s, k := utf8.DecodeLastRuneInString(y)
		if r != s || n != k {
			break
		}
		x, y = x[:len(x)-n], y[:len(y)-n]
	}
	return x, y, from
}

func allLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// isTransposed reports whether a and b are the same two characters in different order: two letters, or a symbol and the
// blank before or after it.
func isTransposed(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != 2 || len(y) != 2 || x[0] != y[1] || x[1] != y[0] {
		return false
	}
	return allLetters(a) || (x[0] == ' ') != (x[1] == ' ') && !text.IsWordRune(x[0]) && !text.IsWordRune(x[1])
}

// isInside reports whether s has a letter right before from and one at to.
func isInside(s string, from, to int) bool {
	return from > 0 && to < len(s) && text.IsLetter(s[from-1]) && text.IsLetter(s[to])
}

// wordAround returns the number of letters and digits of the word of s that ends or begins at, or contains, an offset.
func wordAround(s string, at int) int {
	from, to := at, at
	for from > 0 && text.IsWordByte(s[from-1]) {
		from--
	}
	for to < len(s) && text.IsWordByte(s[to]) {
		to++
	}
	return to - from
}
