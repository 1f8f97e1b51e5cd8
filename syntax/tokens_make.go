package syntax

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// unclosedReference finds a $( or ${ of a makefile that is not closed on its line. A line goes on behind a backslash.
func unclosedReference(tokens []lexer.Token) *flaw {
	var text strings.Builder
	for _, t := range tokens {
		text.WriteString(t.Text)
	}
	number := 0
	lines := strings.Split(text.String(), "\n")
	for number < len(lines) {
		start := number
		for number++; strings.HasSuffix(lines[number-1], `\`) && number < len(lines); number++ {
		}
		line := strings.Join(lines[start:number], "\n")
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			continue
		}
		if opening := openReference(line); opening != "" {
			return &flaw{start + 1, fmt.Sprintf("%q is not closed", opening)}
		}
	}
	return nil
}

// openReference returns the "$(" or "${" that a line leaves open, or "". Brackets of the kind of the innermost
// reference count within it.
func openReference(line string) string {
	var open []byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '#' && len(open) == 0 && line[0] != '\t': // a comment
			return ""
		case c == '$' && i+1 < len(line):
			if next := line[i+1]; next == '(' || next == '{' {
				open = append(open, next)
			}
			i++
		case len(open) > 0 && c == open[len(open)-1]:
			open = append(open, c)
		case len(open) > 0 && string(c) == closing[string(open[len(open)-1])]:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return ""
	}
	return "$" + string(open[0])
}
