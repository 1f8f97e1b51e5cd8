// Package lexer detects the language of a file and splits text into tokens, for many languages at once. It reads no
// disk and asks neither network nor clock.
//
// Languages are told apart by the data of go-enry, and split by the rules of Chroma's lexers. Chroma's rules are
// regular expressions that backtrack, and are made for colours: this package runs them within bounds, and says when
// it gave up instead of returning less.
package lexer

import "strconv"

// Kind is the kind of a Token.
type Kind uint8

// The kinds of tokens. The zero value is not a kind.
const (
	_ Kind = iota
	// Space is white space, line ends included, outside of strings and comments.
	Space
	// Word is a keyword, a name, or text in which the language sees neither.
	Word
	// Number is a number.
	Number
	// String is a string, character, symbol or regular expression with its delimiters, or the part of it between two
	// interpolations; a delimiter of an interpolation belongs to it.
	String
	// Comment is a comment with its delimiters, without the line end.
	Comment
	// Punctuation is one bracket, comma or semicolon, or a run of other punctuation.
	Punctuation
	// Directive is text for a preprocessor, or an attribute of Rust or C#: brackets in it mean nothing here.
	Directive
	// Invalid is a character that has no place in the language where it is: a quote that no other follows, or the line
	// end at which a string lacks its own end. A piece of a file may have some though the file has none.
	Invalid
)

// String returns the name of the kind, for tests and messages.
func (k Kind) String() string {
	names := [...]string{"", "space", "word", "number", "string", "comment", "punctuation", "directive", "invalid"}
	if int(k) < len(names) {
		return names[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Token is a part of a text.
type Token struct {
	Kind Kind
	// Text is the part as it is in the text, but CRLF is LF.
	Text string
	// Line is the line on which the token begins, counted from 1.
	Line int
	// Keyword reports whether a word is one of the language's own. Only colours depend on it: lexers differ in what they
	// take for one.
	Keyword bool
}

// Result is a text as tokens.
type Result struct {
	// Tokens has all of the text, in order and without gaps.
	Tokens []Token
	// Complete reports whether all was split. If not, Tokens is nil, and Why says why.
	Complete bool
	Why      Why
}

// Why is why a text was not split. The zero value says that it was.
type Why uint8

// The reasons.
const (
	_ Why = iota
	// NoRules: this package cannot split the language.
	NoRules
	// TooLarge: the text is longer than MaxText.
	TooLarge
	// NotText: the text is not UTF-8.
	NotText
	// Steps: the text takes more steps than real code does, or than are left of the work.
	Steps
)

// String returns the reason as a phrase that goes on from "because".
func (w Why) String() string {
	return [...]string{"", "its language has no rules", "it is too large", "it is not UTF-8",
		"it takes too many steps"}[min(w, Steps)]
}
