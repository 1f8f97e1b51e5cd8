package unusual

import (
	"fmt"
	"strings"
	"unicode"
)

// isPlain reports whether a line has printable ASCII alone and few blanks: nothing unusual, for nearly all lines.
func isPlain(line string) bool {
	blanks := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == ' ':
			blanks++
		case c == '\t':
			blanks += tabStop
		case c < ' ' || c >= 0x7f:
			return false
		}
	}
	return blanks <= maxBlanks
}

// IsHidden reports whether a line has a character that a reader does not see as what it is, or text far behind blanks.
func IsHidden(line string) bool {
	return !isPlain(line) &&
		(strings.ContainsFunc(line, isReplaced) || len(charactersIn(line, false)) > 0 || hasFarText(line))
}

// isReplaced reports whether a character is not shown as it is wherever people read text of files: whatever is a
// format or control character, though a script or an emoji needs it.
func isReplaced(r rune) bool {
	return r != '\t' && kindOf(r) != nil && !unicode.Is(unicode.Variation_Selector, r)
}

// Spelled returns a line with U+XXXX in place of each character that is not shown, and runs of blanks cut short.
func Spelled(line string) string {
	if !IsHidden(line) {
		return line
	}
	odd := map[int]bool{}
	runes := []rune(line)
	for _, o := range charactersIn(line, false) {
		odd[o.at] = true
	}
	var b strings.Builder
	for i, r := range runes {
		if odd[i] || isReplaced(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	if !hasFarText(b.String()) {
		return b.String()
	}
	return shortened(b.String())
}
