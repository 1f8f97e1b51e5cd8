package engine

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// quotesAreEqual are the languages in which single and double quotes mean the same.
var quotesAreEqual = []lexer.Language{
	"JavaScript", "TypeScript", "TSX", "Python", "CSS", "SCSS", "Less", "Lua", "Dart", "HTML", "Vue", "Svelte",
}

// sameTokens reports whether the lexer of the language of the file splits two pieces of it into the same tokens, but
// for blanks, line breaks, trailing commas and, where they mean the same, the kind of quotes. It is false for a
// language that is not known, and once lexing has cost as much as one call of Apply may spend on it.
func (t *text) sameTokens(a, b []string) bool {
	language := lexer.Detect(t.path, nil)
	x := significantTokens(t.work, language, a)
	return len(x) > 0 && slices.Equal(x, significantTokens(t.work, language, b))
}

// significantTokens returns the tokens of lines without blanks and trailing commas, or nil if the lexer cannot tell.
func significantTokens(w *work, language lexer.Language, lines []string) []lexer.Token {
	result := w.lex(language, strings.Join(lines, "\n")+"\n")
	var tokens []lexer.Token
	for _, t := range result.Tokens {
		t.Line = 0
		switch {
		case t.Kind == lexer.Space:
			continue
		case t.Kind == lexer.Comment:
			t.Text = strings.Join(strings.Fields(t.Text), " ")
		case t.Kind == lexer.String && slices.Contains(quotesAreEqual, language):
			t.Text = doubleQuoted(t.Text)
		case t.Text == ")", t.Text == "]", t.Text == "}":
			if last := len(tokens) - 1; last >= 0 && tokens[last].Text == "," {
				tokens = tokens[:last]
			}
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// doubleQuoted returns a string literal with double quotes, if its content means the same in those.
func doubleQuoted(s string) string {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' || strings.ContainsAny(s[1:len(s)-1], "\\'\"") {
		return s
	}
	return `"` + s[1:len(s)-1] + `"`
}
