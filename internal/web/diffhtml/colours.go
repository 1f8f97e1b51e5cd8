package diffhtml

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// span is a part of a line that has a colour, in bytes.
type span struct {
	start, end int
	class      string
}

// classes are those of the style for kinds of tokens; keywords have a class of their own.
var classes = map[lexer.Kind]string{lexer.Number: "nu", lexer.String: "st", lexer.Comment: "co", lexer.Directive: "di"}

// keyword is the class of a keyword.
const keyword = "k"

// colours returns the spans of each line of a hunk: none where the language is not known, or the bounds are used up.
// Each side is coloured as a whole, so that a string or comment of several lines is seen as one.
func (p *Painter) colours(path string, h view.Hunk) [][]span {
	colours := make([][]span, len(h.Lines))
	language := lexer.Detect(path, nil)
	if language == "" {
		return colours
	}
	hasRemoved := false
	for _, l := range h.Lines {
		hasRemoved = hasRemoved || l.Kind == view.Removed
	}
	p.side(language, h.Lines, view.Added, colours)
	if hasRemoved {
		p.side(language, h.Lines, view.Removed, colours)
	}
	return colours
}

// side colours the lines of one side: those of a kind, and the others between them, which get their colours too if they
// have none.
func (p *Painter) side(language lexer.Language, lines []view.Line, kind view.LineKind, colours [][]span) {
	var b strings.Builder
	var of []int
	for i, l := range lines {
		if l.Kind == kind || l.Kind == view.Context {
			b.WriteString(strings.TrimSuffix(l.Text, "\r"))
			b.WriteByte('\n')
			of = append(of, i)
		}
	}
	result := lexer.Lex(p.work, language, b.String())
	at, line := 0, 0
	for _, token := range result.Tokens {
		class := classes[token.Kind]
		if token.Keyword {
			class = keyword
		}
		for i, part := range strings.Split(token.Text, "\n") {
			if i > 0 {
				at, line = 0, line+1
			}
			if class != "" && part != "" && line < len(of) && (lines[of[line]].Kind == kind || kind == view.Added) {
				colours[of[line]] = append(colours[of[line]], span{at, at + len(part), class})
			}
			at += len(part)
		}
	}
}
