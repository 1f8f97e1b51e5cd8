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

// sameTokens reports whether two pieces of the file mean the same by the rules of its language: its lexer splits them
// into the same tokens, but for trailing commas and, where they mean the same, the kind of quotes; and blanks and line
// breaks differ only where they mean nothing. It is false for a language of which that is not known, and once lexing
// has cost as much as one call of Apply may spend on it.
func (t *text) sameTokens(a, b []string) bool {
	language := lexer.Detect(t.path, nil)
	rules, ok := layouts[language]
	if !ok {
		return false
	}
	x, y := significantTokens(t.work, language, a), significantTokens(t.work, language, b)
	if len(x) == 0 || len(x) != len(y) {
		return false
	}
	fixed := rules.isFixed(a) || rules.isFixed(b)
	for i := range x {
		if x[i].kind != y[i].kind || x[i].text != y[i].text {
			return false
		}
		if i > 0 && x[i].gap != y[i].gap && (fixed || !rules.mayDiffer(x, y, i)) {
			return false
		}
	}
	return true
}

// gap is what is between two tokens.
type gap uint8

const (
	tight gap = iota
	blank
	lineBreak
)

// significant is a token that is not white space.
type significant struct {
	kind lexer.Kind
	text string
	// gap is what is before the token.
	gap gap
	// inside is the innermost bracket that is open before the token, 0 if the piece does not have it.
	inside byte
	// directive reports that the token is on a line that begins with #.
	directive bool
}

// is reports whether a token is one of some punctuation.
func (t significant) is(punctuation ...string) bool {
	return t.kind == lexer.Punctuation && slices.Contains(punctuation, t.text)
}

// significantTokens returns the tokens of lines without blanks and trailing commas, or nil if the lexer cannot tell.
func significantTokens(w *work, language lexer.Language, lines []string) []significant {
	result := w.lex(language, strings.Join(lines, "\n")+"\n")
	var tokens []significant
	var open brackets
	before := tight
	for _, t := range result.Tokens {
		if t.Kind == lexer.Space {
			if before = max(before, blank); strings.Contains(t.Text, "\n") {
				before = lineBreak
			}
			continue
		}
		next := significant{kind: t.Kind, text: t.Text, gap: before, inside: open.innermost()}
		next.directive = strings.HasPrefix(strings.TrimLeft(lines[t.Line-1], " \t"), "#")
		before = tight
		switch {
		case t.Kind == lexer.Comment:
			next.text = trimmedLines(t.Text)
		case t.Kind == lexer.String && slices.Contains(quotesAreEqual, language):
			next.text = doubleQuoted(t.Text)
		case next.is("(", "[", "{"):
			open.push(tokens, next)
		case next.is(","):
			open.comma()
		case next.is(")", "]", "}"):
			last := len(tokens) - 1
			if open.pop(tokens, t.Text[0]) && tokens[last].is(",") && !tokens[last-1].is("(", "[", "{", ",") {
				next.gap = max(next.gap, tokens[last].gap)
				tokens = tokens[:last]
			}
		}
		tokens = append(tokens, next)
	}
	return tokens
}

// trimmedLines returns the text of a comment with single blanks; its lines are kept.
func trimmedLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// doubleQuoted returns a string literal with double quotes, if its content means the same in those.
func doubleQuoted(s string) string {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' || strings.ContainsAny(s[1:len(s)-1], "\\'\"") {
		return s
	}
	return `"` + s[1:len(s)-1] + `"`
}
