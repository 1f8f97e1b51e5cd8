package engine

import (
	"fmt"
	"slices"
	"strings"
)

// thinking is how far the reader is with the sections in which a model thinks aloud before it answers.
type thinking struct {
	answering bool
	closeTag     string // the tag that ends the section being skipped, or empty
	line      int    // of the section's start
}

// skipThinking drops leading <think> sections. What stands in one is neither block nor prose.
func (p *parser) skipThinking(end int) {
	for !p.thinking.answering && p.pos < end {
		line, next := p.text[p.pos:end], end
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], p.pos+i+1
		}
		if p.thinking.closeTag == "" && !p.openThinking(line) {
			continue
		}
		if i := strings.Index(line, p.thinking.closeTag); i >= 0 {
			p.pos += i + len(p.thinking.closeTag)
			p.thinking.closeTag = ""
			continue
		}
		p.pos = next
		p.lines = append(p.lines, "")
		p.consumed = len(p.lines)
	}
}

// openThought looks at a line before the answer and reports whether it opens a section; if not, the answer begins here.
func (p *parser) openThinking(line string) bool {
	s := strings.TrimLeft(line, whitespace)
	for _, tag := range []string{"<think>", "<thinking>"} {
		if strings.HasPrefix(s, tag) {
			p.thinking = thinking{closeTag: "</" + tag[1:], line: len(p.lines) + 1}
			return true
		}
	}
	if s != "" {
		p.thinking.answering = true
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

func isThinkingEnd(line string) bool {
	s := trimSpace(line)
	return s == "</think>" || s == "</thinking>"
}

// dropThought forgets what was read so far: a section was closed that never opened, because the model's template has the
// opening tag in the prompt.
func (p *parser) dropThinking() {
	fresh := newParser(p.opts)
	fresh.text, fresh.pos, fresh.lines, fresh.consumed = p.text, p.pos, p.lines, len(p.lines)
	fresh.thinking.answering = true
	// One sentence covers what an earlier closing tag dropped as well.
	reported := slices.ContainsFunc(p.reply.Problems, func(problem Problem) bool { return problem.Kind == ProblemThinking })
	if reported || len(p.reply.Blocks) > 0 {
		n := len(p.lines)
		fresh.reply.Problems = []Problem{{Line: n, Severity: SeverityWarning, Kind: ProblemThinking,
			Text: fmt.Sprintf("What stands before the %s at line %d was dropped, blocks as well", trimSpace(p.lines[n-1]), n)}}
	}
	*p = *fresh
}
