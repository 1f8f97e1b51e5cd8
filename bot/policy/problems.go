package policy

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// parser reads a layer and collects what is wrong with it.
type parser struct {
	prefix   string
	values   map[string]given
	problems []Problem
	// closed reports that one of the problems closes.
	closed bool
}

// maxProblems bounds the problems of one file, but one of those that close is always among them.
const maxProblems = 100

func (p *parser) problem(node *yaml.Node, closes bool, format string, args ...any) {
	if len(p.problems) >= maxProblems && (p.closed || !closes) {
		return
	}
	p.closed = p.closed || closes
	p.problems = append(p.problems, Problem{Line: node.Line, Text: fmt.Sprintf(format, args...), Closes: closes})
}
