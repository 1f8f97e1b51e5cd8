package engine

import (
	"slices"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// brackets are the open brackets at a token, the innermost last.
type brackets []bracket

type bracket struct {
	text   byte
	commas int
	// mayBeSingle reports that a comma after the only element means nothing: an element of a list or an argument of a
	// call, not a tuple.
	mayBeSingle bool
}

func (b brackets) innermost() byte {
	if len(b) == 0 {
		return 0
	}
	return b[len(b)-1].text
}

// notCalled are words before a bracket that is not that of a call.
var notCalled = []string{
	"and", "as", "assert", "await", "del", "elif", "else", "for", "from", "if", "in", "is", "lambda", "let", "match",
	"mut", "not", "or", "print", "raise", "return", "while", "yield",
}

// push opens a bracket after tokens.
func (b *brackets) push(tokens []significant, opening significant) {
	follows := len(tokens) > 0 && opening.gap == tight &&
		(tokens[len(tokens)-1].kind == lexer.Word || tokens[len(tokens)-1].is(")", "]"))
	single := !follows
	if opening.text == "(" {
		single = follows && !slices.Contains(notCalled, tokens[len(tokens)-1].text)
	}
	*b = append(*b, bracket{text: opening.text[0], mayBeSingle: single})
}

// comma counts a comma.
func (b brackets) comma() {
	if len(b) > 0 {
		b[len(b)-1].commas++
	}
}

// pop closes the innermost bracket and reports whether a comma before the closing bracket means nothing. A closing
// bracket that none of the piece opens encloses all that came before, outside of other brackets.
func (b *brackets) pop(tokens []significant, closing byte) bool {
	opening := map[byte]byte{')': '(', ']': '[', '}': '{'}[closing]
	last := len(*b) - 1
	if last < 0 {
		for i := range tokens {
			if tokens[i].inside == 0 {
				tokens[i].inside = opening
			}
		}
		return false
	}
	top := (*b)[last]
	*b = (*b)[:last]
	return top.text == opening && len(tokens) > 1 && (top.commas > 1 || top.mayBeSingle)
}
