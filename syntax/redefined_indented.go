package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// headWords begin the lines that define something, by language.
var headWords = map[lexer.Language][]string{
	"Elixir": {"defmodule"},
	"Lua":    {"function", "local function"},
	"Python": {"def", "class", "async def"},
	"Ruby":   {"def"},
}

// headLine is a line that is code, or several that brackets join.
type headLine struct {
	line, indent int
	words        []string
}

// indentedDefinitions lists what a file defines in a language whose lines are indented by block. A scope is a run of
// lines none of which is indented less.
func indentedDefinitions(file splitFile) ([]definition, bool) {
	language, result := file.language, file.tokens()
	var list []definition
	// open has the indentations of the lines around, and for each the number of the line at which its scope began.
	var open []headLine
	var decorators []string // of the definition that comes next
	for _, l := range headLines(result.Tokens) {
		for len(open) > 0 && open[len(open)-1].indent > l.indent {
			open = open[:len(open)-1]
		}
		if len(open) == 0 || open[len(open)-1].indent < l.indent {
			open = append(open, headLine{line: l.line, indent: l.indent})
		}
		text := strings.Join(l.words, " ")
		if l.words[0] == "@" && language == "Python" {
			decorators = append(decorators, text+"\n")
			continue
		}
		if slices.ContainsFunc(headWords[language], func(w string) bool { return strings.HasPrefix(text, w+" ") }) {
			name := nameOf(l.words)
			if name != "_" {
				scope := strconv.Itoa(open[len(open)-1].line)
				head := strconv.Itoa(l.indent) + " " + strings.Join(decorators, "") + text
				list = append(list, definition{scope, head, name, l.line})
			}
		}
		decorators = nil
	}
	return list, result.Complete
}

// headLines cuts tokens into lines; a line goes on while a bracket is open.
func headLines(tokens []lexer.Token) []headLine {
	var lines []headLine
	space, depth, begins := "", 0, true
	for _, t := range tokens {
		switch t.Kind {
		case lexer.Comment:
			continue
		case lexer.Space:
			if end := strings.LastIndexByte(t.Text, '\n'); end >= 0 && depth == 0 {
				begins, space = true, t.Text[end+1:]
			} else if begins {
				space += t.Text
			}
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth = max(0, depth-1)
		}
		if begins {
			lines = append(lines, headLine{line: t.Line, indent: width(space)})
			begins = false
		}
		l := &lines[len(lines)-1]
		l.words = append(l.words, t.Text)
	}
	return lines
}
