package reply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
)

// skipThinking drops leading <think> sections, which are neither blocks nor prose, from text[p.pos:end].
func (p *parser) skipThinking(end int) {
	for !p.thinking.answering && p.pos < end {
		rest := p.text[p.pos:end]
		if p.thinking.closeTag != "" {
			n := len(rest)
			if i := strings.Index(rest, p.thinking.closeTag); i >= 0 {
				n = i + len(p.thinking.closeTag)
				p.thinking.closeTag = ""
			}
			p.skip(n)
			continue
		}
		s := strings.TrimLeft(rest, " \t\r\n")
		switch {
		case strings.HasPrefix(s, "<think>"):
			p.thinking.closeTag = "</think>"
		case strings.HasPrefix(s, "<thinking>"):
			p.thinking.closeTag = "</thinking>"
		default:
			p.thinking.answering = s != ""
			return
		}
		p.skip(len(rest) - len(s))
		p.thinking.line = len(p.lines) + 1
	}
}

// skip drops the next n bytes. Their lines are counted.
func (p *parser) skip(n int) {
	for range strings.Count(p.text[p.pos:p.pos+n], "\n") {
		p.lines = append(p.lines, "")
	}
	p.pos += n
	p.consumed = len(p.lines)
}

// dropThinking drops everything read so far: a section was closed that has not been opened, since the chat template
// of the model has the opening tag in the prompt.
func (p *parser) dropThinking(tag string) {
	fresh := newParser(p.opts)
	fresh.text, fresh.pos, fresh.lines, fresh.consumed = p.text, p.pos, p.lines, len(p.lines)
	fresh.thinking.answering = true
	// One problem also covers what an earlier closing tag dropped.
	isThinking := func(problem block.Problem) bool { return problem.Kind == block.ProblemThinking }
	if len(p.reply.Blocks) > 0 || slices.ContainsFunc(p.reply.Problems, isThinking) {
		n := len(p.lines)
		text := fmt.Sprintf("Everything before the %s at line %d was dropped, including blocks", tag, n)
		fresh.reply.Problems = []block.Problem{
			{Line: n, Severity: block.SeverityWarning, Kind: block.ProblemThinking, Text: text},
		}
	}
	*p = *fresh
}
