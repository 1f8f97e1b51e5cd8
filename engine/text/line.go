package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsBlank reports whether a line is empty or whitespace.
func IsBlank(s string) bool {
	return s == "" || (s[0] <= ' ' || s[0] >= utf8.RuneSelf) && strings.TrimSpace(s) == ""
}

// TrimTrailing cuts the blanks at the end of a line. It is called for every line of a file.
func TrimTrailing(s string) string {
	n := len(s)
	for n > 0 && (s[n-1] == ' ' || s[n-1] >= '\t' && s[n-1] <= '\r' && s[n-1] != '\n') {
		n--
	}
	return s[:n]
}

// TrimIndent cuts the indentation of a line: its leading spaces and tabs.
func TrimIndent(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[n:]
}

// IndentOf returns the indentation of a line.
func IndentOf(s string) string { return s[:len(s)-len(TrimIndent(s))] }

// HasWord reports whether a line is more than punctuation.
func HasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// IsASCII reports whether s has ASCII characters only.
func IsASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if w&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsAlnum reports whether c is a letter of ASCII or a digit.
func IsAlnum(c byte) bool { return c >= '0' && c <= '9' || IsLetter(c) }

// IsWordByte reports whether c is part of a word: a letter, a digit, an underscore, or part of a character that is not
// ASCII.
func IsWordByte(c byte) bool { return IsAlnum(c) || c == '_' || c >= utf8.RuneSelf }

// CharCount counts the bytes of s that are not blank.
func CharCount(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			n++
		}
	}
	return n
}
