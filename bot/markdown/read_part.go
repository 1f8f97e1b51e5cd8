package markdown

import "strings"

// line is the text of a paragraph, heading or row that is read.
type line struct {
	// targets reports whether the targets of links are written.
	targets bool
	pieces  []part
	// code collects inline code while that is open.
	code   strings.Builder
	inCode bool
	// link is where the link that is open begins, and href its target.
	inLink bool
	link   int
	href   string
}

func (l *line) add(k partKind, s string) {
	if l.inCode && k != isText {
		s = " "
	}
	if l.inCode {
		l.code.WriteString(s)
		return
	}
	l.pieces = append(l.pieces, part{k, s})
}

func (l *line) text(s string) { l.add(isText, s) }

func (l *line) openCode() { l.inCode = true }

func (l *line) closeCode() {
	s := strings.ReplaceAll(l.code.String(), "\n", " ")
	l.code.Reset()
	l.inCode = false
	if strings.TrimSpace(s) != "" {
		l.add(isCode, s)
	}
}

// A part of a line is text, inline code, or what is written as it is.
type part struct {
	kind partKind
	text string
}

type partKind int

const (
	isText partKind = iota
	isCode
	isRaw
)

// GitHub shows the tags of some elements as text: their "<" is escaped wherever it is in HTML. What is between two such
// tags is not read here: elsewhere, nobody would see it. The byte literal stands for that "<": it comes from no source
// and no entity.
const literal = "\x00"

// seen returns a text without the characters that nobody sees.
func seen(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case Invisible(r):
			return -1
		}
		return r
	}, text)
}
