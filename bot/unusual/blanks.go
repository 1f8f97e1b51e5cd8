package unusual

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBlanks is how many columns of blanks may be before text on a line, and tabStop how many are between two stops
// of a tab.
const maxBlanks, tabStop = 100, 8

// faint are characters that a reader overlooks between blanks.
const faint = ".,;:'`·‧•∙⋅˙¸´ˑ⸱・･"

// hasFarText reports whether a line has text behind more than maxBlanks columns of blanks. Single dots among them do
// not interrupt them.
func hasFarText(line string) bool {
	column, run, blanks := 0, 0, 0 // run is the blanks since the last character, blanks those since the last text
	dot := false
	for _, r := range strings.TrimRightFunc(line, isBlank) {
		width := 1
		switch r {
		case '\t':
			width = tabStop - column%tabStop
		case '\u3000', '\u3164':
			width = 2
		}
		column += width
		switch {
		case isBlank(r):
			run, blanks, dot = run+width, blanks+width, false
			continue
		case blanks > maxBlanks:
			return true
		case !dot && run > 1 && strings.ContainsRune(faint, r):
			dot = true
		default:
			blanks, dot = 0, false
		}
		run = 0
	}
	return false
}

// longBlanks match runs of blanks that put what follows out of sight, alone and with others.
var longBlanks = []*regexp.Regexp{
	regexp.MustCompile(`[\p{Zs}\t\x{2800}]{9,}`), regexp.MustCompile(`[\p{Zs}\t\x{2800}]{2,}`),
}

// shortened returns a line that has text far behind blanks with their number in place of them.
func shortened(line string) string {
	for _, long := range longBlanks {
		if hasFarText(line) {
			line = long.ReplaceAllStringFunc(line, func(blanks string) string {
				return fmt.Sprintf("⟨%d blanks⟩", utf8.RuneCountInString(blanks))
			})
		}
	}
	return line
}

func isBlank(r rune) bool {
	return r == ' ' || r == '\t' ||
		r >= 0x80 && (unicode.Is(unicode.Zs, r) || strings.ContainsRune("\u2800\u3164\uffa0", r))
}
