package text

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// EachWord calls f for the names, keywords and numbers of a line.
func EachWord(s string, f func(word string)) {
	start := -1
	for i, r := range s {
		switch inWord := IsWordRune(r); {
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

// IsWordRune reports whether r is part of a name in some language. So are characters that are not shown.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r == '$' || IsAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r)
}

// MaxWordBytes is how much of a line LongWords and comparisons by words look at.
const MaxWordBytes = 400

// BytesPerWord is how many bytes of a text are split into words, or pairs, and looked up in the time of one unit of
// work.
const BytesPerWord = 4

// LongWords yields the words of two bytes or more at the beginning of a line: runs of letters, digits, underscores and
// bytes that are not ASCII.
func LongWords(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		line = line[:min(len(line), MaxWordBytes)]
		start := -1
		for i := range len(line) + 1 {
			switch in := i < len(line) && IsWordByte(line[i]); {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if i-start >= 2 && !yield(line[start:i]) {
					return
				}
				start = -1
			}
		}
	}
}
