package lexical

import "bytes"

// eachGoName calls yield with the first 2,000 names that a Go file declares at package level, and the line of each, in
// the order of the lines. It finds what go/parser finds, several times faster and without recursion, so deep nesting
// takes no more memory than anything else; in a file with syntax errors it may find more or less.
func eachGoName(data []byte, yield func(name []byte, line int)) {
	d := goDeclarations{yield: yield, left: maxDefinitions, start: true}
	s := goScanner{data: data, line: 1}
	for d.left > 0 {
		kind, text := s.next()
		switch kind {
		case goEnd:
			return
		case goWord:
			d.word(text, s.line)
		case '(', '[', '{':
			d.open(kind)
		case ')', ']', '}':
			d.shut()
		case ',':
			d.want, d.named = d.named && d.list, false
		case ';':
			d.start, d.named = true, false
		default:
			d.start, d.named = false, false
		}
	}
}

// goDeclarations follows the declarations of a Go file, token by token.
type goDeclarations struct {
	yield    func(name []byte, line int)
	left     int  // how many names are still yielded
	depth    int  // of brackets
	start    bool // whether the next token begins a declaration, a specification or a statement
	want     bool // whether the next word is a name
	named    bool // whether the last token was one
	list     bool // whether several names may be declared together: var and const
	group    bool // whether specifications are in parentheses
	receiver bool // whether a receiver may come before the name, or is being read
}

func (d *goDeclarations) word(text []byte, line int) {
	start := d.start
	d.start, d.named = false, false
	switch {
	case d.want, start && d.group && d.depth == 1:
		d.want, d.receiver, d.named = false, false, true
		if string(text) != "_" {
			d.yield(text, line)
			d.left--
		}
	case start && d.depth == 0:
		switch string(text) {
		case "func":
			d.want, d.receiver = true, true
		case "var", "const":
			d.want, d.list = true, true
		case "type":
			d.want, d.list = true, false
		}
	}
}

func (d *goDeclarations) open(kind goToken) {
	d.start = false
	if d.want && d.depth == 0 && kind == '(' && !d.receiver {
		d.group, d.start = true, true
	}
	d.want, d.named = false, false
	d.depth++
}

func (d *goDeclarations) shut() {
	d.start, d.want, d.named = false, false, false
	if d.depth = max(0, d.depth-1); d.depth == 0 {
		d.want, d.receiver, d.group = d.receiver, false, false
	}
}

// goToken is a byte that is no part of a word, such as a punctuation mark, or one of the constants. A semicolon is also
// what the end of a line may stand for.
type goToken uint16

const (
	goEnd goToken = 256 + iota
	goWord
	goLiteral
)

// goScanner splits a Go file into tokens.
type goScanner struct {
	data []byte
	at   int
	line int // of the last token, from 1
	last goToken
}

// next returns the next token, and the text of a word, which may be a number. See "Semicolons" in the Go specification
// for the ends of lines.
func (s *goScanner) next() (kind goToken, text []byte) {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == '\n':
			if s.line++; s.endsStatement() {
				s.at++
				s.last = ';'
				return ';', nil
			}
			s.at++
		case c == ' ', c == '\t', c == '\r':
			s.at++
		case classes[c] != separator:
			start, number := s.at, classes[c] == digit
			for s.at < len(s.data) && (classes[s.data[s.at]] != separator || number && s.data[s.at] == '.') {
				s.at++
			}
			s.last = goWord
			return goWord, s.data[start:s.at]
		case c == '/' && s.has("//"):
			s.to("\n", 2)
		case c == '/' && s.has("/*"):
			from := s.at
			s.to("*/", 2)
			lines := bytes.Count(s.data[from:s.at], newline)
			s.at = min(len(s.data), s.at+2)
			if s.line += lines; lines > 0 && s.endsStatement() {
				s.last = ';'
				return ';', nil
			}
		case c == '`':
			from := s.at
			s.to("`", 1)
			s.line += bytes.Count(s.data[from:s.at], newline)
			s.at = min(len(s.data), s.at+1)
			s.last = goLiteral
			return goLiteral, nil
		case c == '"', c == '\'':
			s.quoted(c)
			s.last = goLiteral
			return goLiteral, nil
		default:
			s.at++
			s.last = goToken(c)
			return s.last, nil
		}
	}
	return goEnd, nil
}

// endsStatement reports whether a line feed after the last token ends a statement.
func (s *goScanner) endsStatement() bool {
	switch s.last {
	case goWord, goLiteral, ')', ']', '}':
		return true
	}
	return false
}

func (s *goScanner) has(text string) bool { return bytes.HasPrefix(s.data[s.at:], []byte(text)) }

// to moves on to the next place of text behind some bytes, or to the end.
func (s *goScanner) to(text string, behind int) {
	from := min(len(s.data), s.at+behind)
	if i := bytes.Index(s.data[from:], []byte(text)); i >= 0 {
		s.at = from + i
	} else {
		s.at = len(s.data)
	}
}

// quoted moves on behind the literal that begins here, or to the end of the line.
func (s *goScanner) quoted(quote byte) {
	for s.at++; s.at < len(s.data) && s.data[s.at] != '\n'; s.at++ {
		switch s.data[s.at] {
		case '\\':
			if s.at+1 < len(s.data) && s.data[s.at+1] != '\n' {
				s.at++
			}
		case quote:
			s.at++
			return
		}
	}
}
