package engine

import (
	"fmt"
	"slices"
	"strings"
)

// thinking is how far the reader is with the sections in which a model thinks aloud before it answers.
type thinking struct {
	answering bool
	close     string // the tag that ends the section being skipped, or empty
	line      int    // of the section's start
}

// skipThinking drops leading <think> sections. What stands in one is neither block nor prose.
func (p *parser) skipThinking(end int) {
	for !p.thought.answering && p.pos < end {
		line, next := p.text[p.pos:end], end
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], p.pos+i+1
		}
		if p.thought.close == "" && !p.openThought(line) {
			continue
		}
		if i := strings.Index(line, p.thought.close); i >= 0 {
			p.pos += i + len(p.thought.close)
			p.thought.close = ""
			continue
		}
		p.pos = next
		p.lines = append(p.lines, "")
		p.settled = len(p.lines)
	}
}

// openThought looks at a line before the answer and reports whether it opens a section; if not, the answer begins here.
func (p *parser) openThought(line string) bool {
	s := strings.TrimLeft(line, blanks)
	for _, tag := range []string{"<think>", "<thinking>"} {
		if strings.HasPrefix(s, tag) {
			p.thought = thinking{close: "</" + tag[1:], line: len(p.lines) + 1}
			return true
		}
	}
	if s != "" {
		p.thought.answering = true
		return false
	}
	p.lines = append(p.lines, "")
	if i := strings.IndexByte(p.text[p.pos:], '\n'); i >= 0 {
		p.pos += i + 1
	} else {
		p.pos = len(p.text)
	}
	return false
}

func closesThought(line string) bool {
	s := trim(line)
	return s == "</think>" || s == "</thinking>"
}

// dropThought forgets what was read so far: a section was closed that never opened, because the model's template has the
// opening tag in the prompt.
func (p *parser) dropThought() {
	fresh := newParser(p.opts)
	fresh.text, fresh.pos, fresh.lines, fresh.settled = p.text, p.pos, p.lines, len(p.lines)
	fresh.thought.answering = true
	// One sentence covers what an earlier closing tag dropped as well.
	told := slices.ContainsFunc(p.reply.Problems, func(problem Problem) bool { return problem.Kind == ProblemThinking })
	if told || len(p.reply.Blocks) > 0 {
		n := len(p.lines)
		fresh.reply.Problems = []Problem{{Line: n, Severity: SeverityWarning, Kind: ProblemThinking,
			Text: fmt.Sprintf("What stands before the %s at line %d was dropped, blocks as well", trim(p.lines[n-1]), n)}}
	}
	*p = *fresh
}
