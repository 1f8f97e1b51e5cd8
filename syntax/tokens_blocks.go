package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// word is a token that is code, with what is before it.
type word struct {
	lexer.Token
	// previous is the text of the code token before it, "" if there is none; adjacent if no space is between them.
	previous string
	adjacent bool
	// starts reports whether it is the first of its line.
	starts bool
	// next is the text that follows without space, or "".
	next string
}

// words calls f for each word of the tokens.
func words(tokens []lexer.Token, f func(word)) {
	previous, adjacent, line := "", false, 0
	for i, t := range tokens {
		if t.Kind == lexer.Space || t.Kind == lexer.Comment {
			adjacent = false
			continue
		}
		if t.Kind == lexer.Word {
			next := ""
			if i+1 < len(tokens) && tokens[i+1].Kind != lexer.Space {
				next = tokens[i+1].Text
			}
			f(word{t, previous, adjacent, t.Line != line, next})
		}
		previous, adjacent, line = t.Text, true, t.Line+strings.Count(t.Text, "\n")
	}
}

// unpairedWords pairs words that open a block with those that close it.
func unpairedWords(tokens []lexer.Token, opens func(word) bool, closes map[string][]string) *flaw {
	var open []word
	var found *flaw
	words(tokens, func(w word) {
		switch openers := closes[w.Text]; {
		case found != nil:
		case openers != nil && closesBlock(w):
			if len(open) == 0 {
				found = &flaw{w.Line, fmt.Sprintf("%q closes nothing", w.Text)}
				return
			}
			last := open[len(open)-1]
			if !slices.Contains(openers, last.Text) {
				found = &flaw{w.Line, fmt.Sprintf("%q does not close the %q of line %d", w.Text, last.Text, last.Line)}
				return
			}
			open = open[:len(open)-1]
		case opens(w):
			open = append(open, w)
		}
	})
	if found == nil && len(open) > 0 {
		last := open[len(open)-1]
		found = &flaw{last.Line, fmt.Sprintf("%q is not closed", last.Text)}
	}
	return found
}

// closesBlock reports whether a word such as end is neither a field, nor a method, nor a key.
func closesBlock(w word) bool {
	field := strings.HasSuffix(w.previous, ".") && !strings.HasSuffix(w.previous, "..")
	return !field && w.next != ":" && w.previous != "def" && w.previous != "&"
}

// luaBlocks pairs the words of Lua, in which none of them can be a name.
func luaBlocks(tokens []lexer.Token) *flaw {
	return unpairedWords(tokens,
		func(w word) bool { return slices.Contains([]string{"function", "do", "if", "repeat"}, w.Text) },
		map[string][]string{"end": {"function", "do", "if"}, "until": {"repeat"}})
}

// elixirBlocks pairs do and fn with end.
func elixirBlocks(tokens []lexer.Token) *flaw {
	return unpairedWords(tokens,
		func(w word) bool { return (w.Text == "do" || w.Text == "fn") && closesBlock(w) },
		map[string][]string{"end": {"do", "fn"}})
}
