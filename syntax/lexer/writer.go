package lexer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/chroma/v2"
)

// writer makes our tokens of Chroma's. Chroma's lexers cut the same kind of text in different ways, so that only what
// they tell about strings, comments, numbers and errors is taken from them; the rest is cut by characters.
type writer struct {
	text  []byte
	parts []part
	// invalidLineEnd reports that the line end that comes next has no place there.
	invalidLineEnd bool
}

// part is a stretch of text of one kind, which ends where the next one begins.
type part struct {
	kind    Kind
	keyword bool
	start   int
}

// kindOf returns the kind of a token of Chroma.
func kindOf(t chroma.TokenType) Kind {
	switch {
	case t == chroma.Error:
		return Invalid
	case t.InSubCategory(chroma.CommentPreproc):
		return Directive
	case t.InCategory(chroma.Comment):
		return Comment
	case t.InSubCategory(chroma.LiteralNumber):
		return Number
	case t.InSubCategory(chroma.LiteralString):
		return String
	}
	return Word // or space, or punctuation: cut by characters
}

// add appends text. Parts of one kind that touch are one, except for invalid characters.
func (w *writer) add(t chroma.TokenType, text []rune) {
	if len(text) == 0 {
		return
	}
	if w.invalidLineEnd && text[0] == '\n' {
		w.invalidLineEnd = false
		w.join(Invalid, "\n")
		w.add(t, text[1:])
		return
	}
	kind, s := kindOf(t), string(text)
	switch kind {
	case Word:
		before := len(w.parts)
		w.addCode(s)
		if len(w.parts) == before+1 && t.InCategory(chroma.Keyword) {
			last := &w.parts[before]
			last.keyword = last.kind == Word
		}
		return
	case Comment, Directive:
		body := strings.TrimRight(s, "\n")
		w.join(kind, body)
		if end := s[len(body):]; end != "" {
			w.join(Space, end)
		}
		return
	case String:
		if strings.TrimSpace(s) == "" && (len(w.parts) == 0 || w.parts[len(w.parts)-1].kind != String) {
			kind = Space
		}
	}
	w.join(kind, s)
}

// addCode cuts text that is neither string nor comment by its characters.
func (w *writer) addCode(s string) {
	start, kind := 0, Kind(0)
	for at, c := range s {
		k := Punctuation
		switch {
		case unicode.IsSpace(c):
			k = Space
		case isWord(c):
			k = Word
		}
		if at > 0 && (k != kind || k == Punctuation && isSingle(rune(s[at-1])) || k == Punctuation && isSingle(c)) {
			w.join(kind, s[start:at])
			start = at
		}
		kind = k
	}
	w.join(kind, s[start:])
}

func (w *writer) join(kind Kind, s string) {
	if s == "" {
		return
	}
	if n := len(w.parts); n > 0 && w.joins(w.parts[n-1], kind, s) {
		w.parts[n-1].keyword = false
	} else {
		w.parts = append(w.parts, part{kind: kind, start: len(w.text)})
	}
	w.text = append(w.text, s...)
}

// joins reports whether s goes on with the last part.
func (w *writer) joins(last part, kind Kind, s string) bool {
	switch {
	case last.kind == Word && kind == Number, last.kind == Number && kind == Word:
		return true
	case last.kind != kind || kind == Invalid:
		return false
	case kind == Punctuation:
		return !isSingle(rune(w.text[last.start])) && !isSingle(rune(s[0]))
	}
	return true
}

func isWord(c rune) bool {
	return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}

// isSingle reports whether c is always a token of its own.
func isSingle(c rune) bool { return strings.ContainsRune("()[]{},;", c) }

func (w *writer) tokens() []Token {
	text, tokens := string(w.text), make([]Token, len(w.parts))
	line, end := 1, len(text)
	for i, p := range slices.Backward(w.parts) {
		tokens[i] = Token{Kind: p.kind, Text: text[p.start:end], Keyword: p.keyword}
		end = p.start
	}
	for i := range tokens {
		tokens[i].Line = line
		line += strings.Count(tokens[i].Text, "\n")
	}
	return tokens
}
