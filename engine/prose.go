package engine

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// proseReader reads what stands between the blocks: it follows the fences, collects shell suggestions and keeps the text.
type proseReader struct {
	fence       string
	openFences  fences
	text        strings.Builder
	suggestions []Suggestion
	shellParser *syntax.Parser
	shellBytes  int // given to the parser so far
	// shellFrom and shellTo are the fences of the last shell commands, as line indices.
	shellFrom, shellTo int
}

// read goes through lines[from:to]. After an unclosed block nobody knows which fences are open, nor what is prose.
func (r *proseReader) read(lines []string, from, to int, cut bool) {
	if cut {
		r.openFences = r.openFences[:0]
	}
	for n := from; n < to; n++ {
		s := trimSpace(lines[n])
		f, ok := fenceOf(s, r.fence)
		switch {
		case ok:
			f.line = n
			if closed, ok := r.openFences.step(f); ok && !cut && closed.line >= from && closed.isShell() {
				r.shellFrom, r.shellTo = closed.line, n
				r.addScript(lines[closed.line+1:n], closed.line+2)
			}
		case s == "" || cut:
		case len(r.openFences) == 0 || r.openFences[len(r.openFences)-1].isText():
			r.scanLine(s, n+1)
		}
	}
}

// inside says that line n stands in a code block that is still open.
func (r *proseReader) insideFence(n int) bool {
	k := len(r.openFences)
	return k > 0 && r.openFences[k-1].line < n
}

// keep adds lines to the prose.
func (r *proseReader) keep(lines []string) {
	for _, line := range lines {
		r.text.WriteString(line)
		r.text.WriteByte('\n')
	}
}

// fence is a line that opens or closes a code block.
type fence struct {
	mark string // the run of backticks or tildes, or the configured fence
	info string
	line int
}

// fenceOf reads a trimmed line as a fence; extra is a configured fence, or empty.
func fenceOf(s, extra string) (fence, bool) {
	if extra != "" && strings.HasPrefix(s, extra) {
		return fence{mark: extra, info: trimSpace(s[len(extra):])}, true
	}
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	info := trimSpace(s[n:])
	if n < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return fence{}, false
	}
	return fence{mark: s[:n], info: info}, true
}

// closes says that f ends a code block that open began.
func (f fence) closes(open fence) bool {
	return f.info == "" && strings.HasPrefix(f.mark, open.mark)
}

// language is the info string's first word.
func (f fence) language() string {
	word, _, _ := strings.Cut(f.info, " ")
	return strings.ToLower(word)
}

// isShell says that the code block holds shell commands.
func (f fence) isShell() bool {
	switch f.language() {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "console", "terminal", "shell-session", "shellsession", "bash-session":
		return true
	}
	return false
}

// isText says that the code block holds text like that around it.
func (f fence) isText() bool {
	switch f.language() {
	case "", "markdown", "md", "text", "txt", "plaintext":
		return true
	}
	return false
}

// fences are the code blocks open at a line. A fence with an info string inside another opens one more, as in a whole reply
// wrapped in a fence.
type fences []fence

// maxFences bounds the depth; deeper ones are a reply that forgets to close them.
const maxFences = 16

// step takes the next fence and returns the one that it closes, if it does.
func (s *fences) step(f fence) (closed fence, ok bool) {
	if n := len(*s); n > 0 && f.closes((*s)[n-1]) {
		closed = (*s)[n-1]
		*s = (*s)[:n-1]
		return closed, true
	}
	if len(*s) == maxFences {
		*s = (*s)[:0]
	}
	*s = append(*s, f)
	return fence{}, false
}

// thinking is how far the reader is with the sections in which a model thinks aloud before it answers.
type thinking struct {
	answering bool
	closeTag  string // the tag that ends the section being skipped, or empty
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
