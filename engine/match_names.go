package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isOtherName reports whether a line of the block has a word that the line of the file has not, but another line of the
// file has: then it is another name, and not the same one written otherwise.
func (t *text) isOtherName(block, file string) bool {
	if block == file {
		return false
	}
	t.work.spend((len(block) + len(file)) / bytesPerWord)
	if t.work.isUsedUp() {
		return false
	}
	here := wordSet{}
	eachWord(file, here.add)
	other := false
	eachWord(block, func(w string) { other = other || !here.has(w) && t.hasWord(w) })
	return other
}

// wordSet is the words of a line. Most lines have a few, which are found faster in a list than in a map.
type wordSet struct {
	list []string
	all  map[string]bool
}

// maxWordList is how many words are a list.
const maxWordList = 32

func (s *wordSet) add(w string) {
	switch {
	case s.all != nil:
		s.all[w] = true
	case len(s.list) < maxWordList:
		s.list = append(s.list, w)
	default:
		s.all = map[string]bool{w: true}
	}
}

func (s *wordSet) has(w string) bool { return s.all[w] || slices.Contains(s.list, w) }

// hasOtherName reports whether a line of find, paired with a line of the file, has another name.
func (m matcher) hasOtherName(at []int) bool {
	for i, n := range at {
		if n >= 0 && m.file.isOtherName(m.find[i], m.file.lines[n].text) {
			return true
		}
	}
	return false
}

// dropOtherNames removes the pairs of lines that have another name.
func (m matcher) dropOtherNames(at []int) {
	for i, n := range at {
		if n >= 0 && m.file.isOtherName(m.find[i], m.file.lines[n].text) {
			at[i] = -1
		}
	}
}

// hasWord reports whether the file has a word. The words are collected once, until the next edit.
func (t *text) hasWord(word string) bool {
	if t.words == nil {
		t.work.spend(t.size() / 4)
		t.words = make(map[string]bool)
		for _, l := range t.lines {
			eachWord(l.text, func(w string) { t.words[w] = true })
		}
	}
	return t.words[word]
}

// eachWord calls f for the names, keywords and numbers of a line.
func eachWord(s string, f func(word string)) {
	start := -1
	for i, r := range s {
		switch inWord := isWordRune(r); {
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			f(s[start:i])
			start = -1
		}
	}
	if start >= 0 {
		f(s[start:])
	}
}

// isWordRune reports whether r is part of a name in some language. So are characters that are not shown.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r == '$' || r >= '0' && r <= '9' || isLetter(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r)
}

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
	return allLetters(a) || (x[0] == ' ') != (x[1] == ' ') && !isWordRune(x[0]) && !isWordRune(x[1])
}

// isInside reports whether s has a letter right before from and one at to.
func isInside(s string, from, to int) bool {
	return from > 0 && to < len(s) && isLetter(s[from-1]) && isLetter(s[to])
}

// wordAround returns the number of letters and digits of the word of s that ends or begins at, or contains, an offset.
func wordAround(s string, at int) int {
	from, to := at, at
	for from > 0 && isWordByte(s[from-1]) {
		from--
	}
	for to < len(s) && isWordByte(s[to]) {
		to++
	}
	return to - from
}
