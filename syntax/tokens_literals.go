package syntax

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// unclosedLiteral finds a string or comment that has no end, by what the lexer could not place, and by strings that
// are longer than they may be.
func (r tokenRules) unclosedLiteral(tokens []lexer.Token) *flaw {
	for i, t := range tokens {
		switch t.Kind {
		case lexer.Invalid:
			if t.Text == "*/" {
				return &flaw{t.Line, "*/ ends no comment"}
			}
			if strings.Contains("\"'", t.Text) && (!r.primes || t.Text != "'") {
				return &flaw{t.Line, "a string is not closed: " + t.Text}
			}
			if t.Text == "\n" && i > 0 && tokens[i-1].Kind == lexer.String {
				return &flaw{t.Line, "a string is not closed at the end of its line"}
			}
		case lexer.String:
			if r.tooLong(t.Text) {
				return &flaw{t.Line, "a string is not closed at the end of its line"}
			}
		case lexer.Punctuation:
			if r.slashStar && strings.Contains(t.Text, "/*") {
				return &flaw{t.Line, "a comment is not closed"}
			}
			if r.slashStar && strings.Contains(t.Text, "*/") {
				return &flaw{t.Line, "*/ ends no comment"}
			}
		}
	}
	return unclosedAtEnd(tokens)
}

// tooLong reports whether a string has a line end that its quotes do not allow, or no end at all. It has none before
// an interpolation either.
func (r tokenRules) tooLong(s string) bool {
	s = strings.TrimPrefix(s, "$")
	if s == "" {
		return false
	}
	if !strings.Contains(r.lineQuotes, s[:1]) || strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''") ||
		touching.MatchString(s) {
		return false
	}
	line, _, more := strings.Cut(s, "\n")
	if more {
		return !strings.HasSuffix(line, `\`)
	}
	return strings.Count(s, s[:1]) == 1 && !strings.Contains("{(", s[len(s)-1:])
}

// touching matches where a string and one in an expression of it touch, so that they are one token: "${'a'}".
var touching = regexp.MustCompile(`\$\{'|(?:^|[^\\])["']\}`)

// unclosedAtEnd finds a string or comment that goes on to the end of the file.
func unclosedAtEnd(tokens []lexer.Token) *flaw {
	for len(tokens) > 0 && tokens[len(tokens)-1].Kind == lexer.Space {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return nil
	}
	last := tokens[len(tokens)-1]
	switch quote := last.Text[:1]; {
	case last.Kind == lexer.String && strings.Contains("\"'`", quote):
		if len(last.Text) == 1 || !strings.HasSuffix(last.Text, quote) {
			return &flaw{last.Line, fmt.Sprintf("a string is not closed: %s", quote)}
		}
	case last.Kind == lexer.Comment && strings.HasPrefix(last.Text, "/*") && !strings.HasSuffix(last.Text, "*/"):
		return &flaw{last.Line, "a comment is not closed"}
	}
	return nil
}
