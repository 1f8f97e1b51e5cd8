package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// pythonLine is a line of Python as its grammar sees it: what is between brackets and strings may be on several
// lines of text.
type pythonLine struct {
	line   int
	indent int
	// tabs reports whether tabs are in the indentation.
	tabs bool
	// first is the first word or punctuation, last the last one before a comment.
	first, last string
}

// wrongIndentation finds a block without a body, an indentation that belongs to no block, and a clause, such as
// else, without the statement that it belongs to. It says nothing of files that mix tabs and spaces.
func wrongIndentation(tokens []lexer.Token) *flaw {
	lines := pythonLines(tokens)
	if mixesTabs(lines) {
		return nil
	}
	blocks := []pythonBlock{{}}
	var previous pythonLine
	for i, l := range lines {
		opened := i > 0 && previous.last == ":"
		top := &blocks[len(blocks)-1]
		switch {
		case opened && l.indent <= top.indent:
			return &flaw{l.line, fmt.Sprintf("an indented block is missing after line %d", previous.line)}
		case opened:
			blocks = append(blocks, pythonBlock{indent: l.indent})
		case l.indent > top.indent && slices.Contains(blockHeads, previous.first):
			return &flaw{previous.line, "expected ':'"}
		case l.indent > top.indent:
			return &flaw{l.line, "unexpected indentation"}
		}
		for l.indent < blocks[len(blocks)-1].indent {
			if f := blocks[len(blocks)-1].unfinished(l); f != nil {
				return f
			}
			blocks = blocks[:len(blocks)-1]
		}
		top = &blocks[len(blocks)-1]
		if l.indent != top.indent {
			return &flaw{l.line, "the indentation is that of no outer block"}
		}
		if f := top.add(l); f != nil {
			return f
		}
		if l.first == "return" && !slices.ContainsFunc(blocks, pythonBlock.isFunction) {
			return &flaw{l.line, "return outside of a function"}
		}
		previous = l
	}
	end := pythonLine{line: previous.line}
	if previous.last == ":" {
		return &flaw{previous.line, "an indented block is missing after this line"}
	}
	for i := len(blocks) - 1; i >= 0; i-- {
		if f := blocks[i].unfinished(end); f != nil {
			return f
		}
	}
	return nil
}

// blockHeads begin the statements and clauses that have a block.
var blockHeads = strings.Fields("def class if elif else for while try except finally with async")

// pythonBlock is a block that is open.
type pythonBlock struct {
	indent int
	// head is the first word of the last statement, or of its last clause; it began on line.
	head string
	line int
}

func (b pythonBlock) isFunction() bool { return b.head == "def" || b.head == "async" }

// clauses has the heads behind which a clause may follow.
var clauses = map[string][]string{
	"elif":    {"if", "elif"},
	"else":    {"if", "elif", "for", "while", "try", "except", "async"},
	"except":  {"try", "except"},
	"finally": {"try", "except", "else"},
}

// add adds a statement or clause to the block.
func (b *pythonBlock) add(l pythonLine) *flaw {
	heads, isClause := clauses[l.first]
	if isClause && (l.last == ":" || l.first != "else") {
		for _, head := range heads {
			if b.head == head {
				b.head, b.line = l.first, l.line
				return nil
			}
		}
		return &flaw{l.line, fmt.Sprintf("%q belongs to no statement before it", l.first)}
	}
	if f := b.unfinished(l); f != nil {
		return f
	}
	b.head, b.line = l.first, l.line
	return nil
}

// unfinished finds a try that neither except nor finally follows, and a decorator that decorates nothing.
func (b *pythonBlock) unfinished(next pythonLine) *flaw {
	switch {
	case b.head == "try":
		return &flaw{next.line, fmt.Sprintf("the try of line %d has neither except nor finally", b.line)}
	case b.head == "@" && next.first != "@" && next.first != "def" && next.first != "class" && next.first != "async":
		return &flaw{b.line, "a decorator has nothing to decorate"}
	}
	return nil
}

// pythonLines cuts tokens into lines of Python that are not blank.
func pythonLines(tokens []lexer.Token) []pythonLine {
	var lines []pythonLine
	space, depth, begins := "", 0, true
	for i, t := range tokens {
		end := strings.LastIndexByte(t.Text, '\n')
		if t.Kind == lexer.Space || t.Text == "\n" {
			continued := i > 0 && tokens[i-1].Kind != lexer.Comment && strings.HasSuffix(tokens[i-1].Text, `\`)
			if end >= 0 && depth == 0 && !continued {
				begins, space = true, ""
			}
			if begins {
				space += t.Text[end+1:]
			}
			continue
		}
		if t.Kind == lexer.Comment {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth = max(0, depth-1)
		}
		if begins {
			space = space[strings.LastIndexByte(space, '\f')+1:]
			l := pythonLine{line: t.Line, indent: width(space), tabs: strings.Contains(space, "\t"), first: t.Text}
			lines = append(lines, l)
			begins = false
		}
		lines[len(lines)-1].last = lastChar(t)
	}
	return lines
}

// lastChar returns ":" if a token ends with it, and its text otherwise.
func lastChar(t lexer.Token) string {
	if t.Kind == lexer.Punctuation && strings.HasSuffix(t.Text, ":") {
		return ":"
	}
	return t.Text
}

// width returns the columns that an indentation takes; a tab goes on to the next multiple of eight, as in Python.
func width(space string) int {
	n := 0
	for _, c := range space {
		if c == '\t' {
			n = (n/8 + 1) * 8
		} else {
			n++
		}
	}
	return n
}

// mixesTabs reports whether some lines are indented with tabs and some with spaces only.
func mixesTabs(lines []pythonLine) bool {
	tabs, spaces := false, false
	for _, l := range lines {
		tabs = tabs || l.tabs
		spaces = spaces || l.indent > 0 && !l.tabs
	}
	return tabs && spaces
}
