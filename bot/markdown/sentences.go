package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// FirstSentences divides a paragraph of Markdown on one line after at most n sentences. It returns the number of those
// in first. Sentences end as the Unicode Standard (UAX #29) says, but neither in inline code nor after an abbreviation.
func FirstSentences(line string, n int) (first, rest string, count int) {
	end := 0
	for s := sentences.FromString(withoutCode(line)); count < n && s.Next(); {
		end = s.End()
		said := strings.TrimRightFunc(line[:end], unicode.IsSpace)
		if end == len(line) || len(said) < end && !isAbbreviated(said) {
			count++
		}
	}
	return strings.TrimSpace(line[:end]), strings.TrimSpace(line[end:]), count
}

// withoutCode returns a line with an X for each byte of its inline code, so that a sentence may begin with it.
func withoutCode(line string) string {
	out := []byte(line)
	for at := 0; at < len(line); {
		if line[at] != '`' {
			at++
			continue
		}
		fence := line[at : at+len(line[at:])-len(strings.TrimLeft(line[at:], "`"))]
		from, to := at+len(fence), -1
		for i := from; i < len(line); { // the next run of backticks of this length
			if line[i] != '`' {
				i++
				continue
			}
			run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			if run == len(fence) {
				to = i + run
				break
			}
			i += run
		}
		if to < 0 {
			at = from
			continue
		}
		for i := at; i < to; i++ {
			out[i] = 'X'
		}
		at = to
	}
	return string(out)
}

// isAbbreviated reports whether a text ends with an abbreviation, or with an initial.
func isAbbreviated(s string) bool {
	s, ok := strings.CutSuffix(s, ".")
	if !ok {
		return false
	}
	word := strings.TrimLeft(s[strings.LastIndexFunc(s, unicode.IsSpace)+1:], "(\"'“‘[*_")
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && unicode.IsUpper(r) && r != 'I' {
		return true
	}
	return slices.Contains(abbreviations, strings.ToLower(word))
}
