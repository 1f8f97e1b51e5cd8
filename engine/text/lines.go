package text

import "slices"

// AllBlank reports whether all lines are blank.
func AllBlank(lines []string) bool {
	return !slices.ContainsFunc(lines, func(s string) bool { return !IsBlank(s) })
}

// TrimBlank returns lines without the blank ones at both ends.
func TrimBlank(lines []string) []string {
	for len(lines) > 0 && IsBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines[FirstNonBlank(lines):]
}

// FirstNonBlank returns the index of the first line that is not blank, or len(lines).
func FirstNonBlank(lines []string) int { return NextNonBlank(lines, -1, 1) }

// NextNonBlank returns the index of the first line that is not blank from line n on, without it, in steps of step; -1
// or len(lines) if there is none.
func NextNonBlank(lines []string, n, step int) int {
	for n += step; n >= 0 && n < len(lines) && IsBlank(lines[n]); n += step {
	}
	return n
}

// MinIndent returns the least indentation of any line in bytes, or -1 if all are blank.
func MinIndent(lines []string) int {
	least := -1
	for _, s := range lines {
		if n := len(IndentOf(s)); !IsBlank(s) && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

// CountIndents counts the lines that begin with a tab, and those that begin with at least two spaces. A single space is
// common in block comments.
func CountIndents(lines []string) (tabs, spaces int) {
	for _, s := range lines {
		switch {
		case IsBlank(s):
		case s[0] == '\t':
			tabs++
		case len(s) > 1 && s[0] == ' ' && s[1] == ' ':
			spaces++
		}
	}
	return tabs, spaces
}

// CommonPrefix returns how many elements two sequences have in common at their starts.
func CommonPrefix[T comparable](a, b []T) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// CommonSuffix returns how many elements two sequences have in common at their ends.
func CommonSuffix[T comparable](a, b []T) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// HasAt reports whether lines are those of a file from line n on.
func HasAt(file []string, n int, lines []string) bool {
	return n >= 0 && n+len(lines) <= len(file) && slices.Equal(file[n:n+len(lines)], lines)
}

// Span is the lines [From,To) of a file.
type Span struct{ From, To int }
