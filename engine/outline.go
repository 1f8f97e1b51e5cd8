package engine

import (
	goscanner "go/scanner"
	gotoken "go/token"
	"path"
	"slices"
	"strings"
)

// definition is a definition of a file: a function, a type, a test or another named block.
type definition struct {
	// name is what the header defines, with its keyword: "func T.Name".
	name string
	span span
}

// definitionWords are words before the name of a definition, in many languages.
var definitionWords = []string{
	"func", "function", "def", "fn", "fun", "class", "struct", "interface", "trait", "impl", "enum", "module",
	"namespace", "object", "record", "type", "sub", "proc", "protocol", "extension", "resource", "message", "service",
}

// controlWords are words before a bracket that define nothing.
var controlWords = []string{
	"if", "for", "while", "switch", "catch", "return", "else", "elif", "with", "when", "match", "foreach", "until",
	"unless", "select", "case", "do", "try", "synchronized", "lock", "using", "assert", "new", "throw", "await", "yield",
}

// definitionName returns what a line defines, or "" if it is not the header of a definition.
func definitionName(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > maxWordBytes || line == "" || !isWordByte(line[0]) && line[0] != '"' && line[0] != '\'' {
		return ""
	}
	tokens := texts(tokensOf([]string{line}))
	for i, t := range tokens[:len(tokens)-1] {
		if !isWordByte(t[0]) {
			break
		}
		if slices.Contains(definitionWords, t) {
			return t + " " + nameAfter(tokens[i+1:])
		}
	}
	last := line[len(line)-1]
	if last != '{' && last != ':' && last != '(' {
		return ""
	}
	return calledName(line, tokens)
}

// nameAfter returns the name that follows the word of a definition: with the type of the receiver for a method of Go,
// and all words and dots for names like "impl Display for Point" or "resource aws_vpc main".
func nameAfter(tokens []string) string {
	if tokens[0] == "(" {
		end := slices.Index(tokens, ")")
		if end < 1 || end+1 >= len(tokens) {
			return ""
		}
		return tokens[end-1] + "." + tokens[end+1]
	}
	var name []string
	for _, t := range tokens {
		if !isWordByte(t[0]) && t != "." && t != ":" && t != `"` && t != "-" {
			break
		}
		name = append(name, t)
	}
	return strings.TrimRight(strings.Join(name, " "), " :")
}

// calledName returns the name before the first round bracket, as of "int size(void) {", or the text of a test, as of
// "it('works', () => {".
func calledName(line string, tokens []string) string {
	open := slices.Index(tokens, "(")
	if open < 1 || !isWordByte(tokens[open-1][0]) || slices.Contains(controlWords, tokens[open-1]) ||
		slices.Contains(controlWords, tokens[0]) {
		return ""
	}
	if name := tokens[open-1]; tokens[min(open+1, len(tokens)-1)] != `"` {
		return name
	}
	at := strings.IndexAny(line, `"'`)
	if end := strings.IndexByte(line[at+1:], line[at]); end > 0 {
		return line[:at+1+end]
	}
	return ""
}

// definitionsNamed returns the definitions of t with a name, at most two.
func (t *text) definitionsNamed(name string) []definition {
	var found []definition
	last := name[strings.LastIndexAny(name, " .")+1:]
	t.work.spend(len(t.lines))
	t.work.spendBytes(t.size())
	for n, l := range t.lines {
		if !strings.Contains(l.text, last) {
			continue
		}
		if t.work.spend(min(len(l.text), maxWordBytes) / bytesPerToken); definitionName(l.text) != name {
			continue
		}
		found = append(found, definition{name, t.extent(n)})
		if len(found) > 1 {
			break
		}
	}
	return found
}

// extent returns the lines of the definition whose header is line n: by the tokens of Go in a Go file, else
// those that are indented more, and the line that closes it.
func (t *text) extent(n int) span {
	if path.Ext(t.path) == ".go" {
		t.work.spend(t.size() / bytesPerToken)
		if end, ok := goExtent(t.bytes(), n+1); ok {
			return span{n, end}
		}
	}
	indent := len(indentOf(t.lines[n].text))
	end := n + 1
	for k := n + 1; k < len(t.lines) && !t.work.isUsedUp(); k++ {
		t.work.spend(1)
		t.work.spendBytes(len(t.lines[k].text))
		line := t.lines[k].text
		body := strings.TrimSpace(line)
		if body == "" {
			continue
		}
		if len(indentOf(line)) <= indent && !opensOrCloses(body) {
			break
		}
		end = k + 1
		if len(indentOf(line)) <= indent && (body[0] == '}' || strings.HasPrefix(body, "end")) {
			break
		}
	}
	return span{n, end}
}

// opensOrCloses reports whether a line belongs to the definition above although it is not indented more.
func opensOrCloses(body string) bool {
	return strings.IndexByte("{}()[]", body[0]) >= 0 || body == "end" || strings.HasPrefix(body, "end ")
}

// goExtent returns the line after the declaration of a Go file whose first token is on a line, counted from 1. Go's
// scanner ends each statement with a semicolon, so that no parser is needed, which would call itself for each level.
func goExtent(source []byte, line int) (end int, ok bool) {
	set := gotoken.NewFileSet()
	file := set.AddFile("", -1, len(source))
	var s goscanner.Scanner
	s.Init(file, source, nil, 0)
	depth, inside := 0, -1
	for {
		pos, tok, _ := s.Scan()
		at := file.Line(pos)
		if tok == gotoken.EOF || inside < 0 && at > line {
			return 0, false
		}
		if inside < 0 && at == line {
			inside = depth
		}
		switch tok {
		case gotoken.LPAREN, gotoken.LBRACK, gotoken.LBRACE:
			depth++
		case gotoken.RPAREN, gotoken.RBRACK, gotoken.RBRACE:
			depth--
		case gotoken.SEMICOLON:
			if inside >= 0 && depth == inside {
				return at, true
			}
		}
		if inside >= 0 && depth < inside {
			return 0, false
		}
	}
}
