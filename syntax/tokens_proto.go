package syntax

import (
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// unendedField finds a field of a message, or another statement with a number, that has no semicolon. In the values of
// options, numbers follow a colon.
func unendedField(tokens []lexer.Token) *flaw {
	var last, beforeLast string // code tokens
	for _, t := range tokens {
		if t.Kind == lexer.Space || t.Kind == lexer.Comment {
			continue
		}
		if beforeLast == "=" && strings.Trim(last, "0123456789") == "" && t.Kind == lexer.Word {
			return &flaw{t.Line, `";" is missing before ` + t.Text}
		}
		beforeLast, last = last, t.Text
	}
	return nil
}
