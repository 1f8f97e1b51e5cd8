package syntax

import (
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// formatted matches the start of a string of Python in which braces are around expressions.
var formatted = regexp.MustCompile(`^(?i:f|rf|fr|t|rt|tr)("""|'''|"|')`)

// loneBrace finds a brace that closes nothing in a formatted string of Python, where a brace that is text is written
// twice.
func loneBrace(tokens []lexer.Token) *flaw {
	quote, depth := "", 0 // of the formatted string that is open, and of its braces
	for _, t := range tokens {
		if t.Kind != lexer.String {
			continue
		}
		start := 0
		if quote == "" || depth == 0 {
			m := formatted.FindStringSubmatch(t.Text)
			if m == nil {
				quote = ""
				continue
			}
			quote, depth, start = m[1], 0, len(m[0])
		} else if !strings.Contains("}!:=", t.Text[:1]) {
			continue // a string in an expression
		}
		for i := start; i < len(t.Text); i++ {
			rest := t.Text[i:]
			isText := depth == 0
			switch {
			case isText && strings.HasPrefix(rest, quote):
				quote, i = "", len(t.Text)
			case isText && strings.HasPrefix(rest, `\N{`):
				i += max(2, strings.IndexByte(rest[:min(len(rest), maxUnicodeName)], '}'))
			case isText && escape.MatchString(rest):
				i++
			case rest[0] == '{':
				depth++
			case rest[0] == '}' && isText:
				line := t.Line + strings.Count(t.Text[:i], "\n")
				return &flaw{line, `"}" closes nothing in a formatted string`}
			case rest[0] == '}':
				depth--
			}
		}
	}
	return nil
}

// maxUnicodeName is how far from its backslash a name of a character may end, in bytes; the longest has 88 letters.
const maxUnicodeName = 100

// escape matches two characters that are text. A backslash before a brace changes nothing.
var escape = regexp.MustCompile(`^(?:\{\{|\}\}|\\[^{}])`)
