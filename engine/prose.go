package engine

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// proseReader reads the text between blocks: it tracks code fences, collects suggestions and keeps the text.
type proseReader struct {
	fence      string
	openFences fences
	text       strings.Builder
	spoken     bool // text has an explanation
	// said is text without the leftovers of blocks, once there are any.
	said        strings.Builder
	isDifferent bool
	suggestions []Suggestion
	shellParser *syntax.Parser
	shellBytes  int // bytes passed to shellParser so far
	// shellFrom and shellTo are the indices of the fences around the last shell commands.
	shellFrom, shellTo int
}

// read reads lines[from:to]. After an unclosed block, it is unknown which fences are open and which lines are prose.
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

// write adds a line to the text; leftover says that it is of a block that is not whole.
func (r *proseReader) write(line string, leftover bool) {
	if leftover && !r.isDifferent {
		r.isDifferent = true
		r.said.WriteString(r.text.String())
	}
	r.text.WriteString(line)
	r.text.WriteByte('\n')
	if r.isDifferent && !leftover {
		r.said.WriteString(line)
		r.said.WriteByte('\n')
	}
}

// saidText returns the text without leftovers.
func (r *proseReader) saidText() string {
	if r.isDifferent {
		return r.said.String()
	}
	return r.text.String()
}

// lineRange are the lines [from, to), none if to is 0.
type lineRange struct{ from, to int }

func (r lineRange) contain(line int) bool { return r.from <= line && line < r.to }

// startOfRest returns where the rest of a block begins whose end marker is at end, and which has no head: at its path,
// at a fence, or after the line for the commit, and if there is none of these where nothing is consumed.
func (p *parser) startOfRest(end int) int {
	from := p.proseStart(end)
	for n := from; n < end; n++ {
		s := trimSpace(p.lines[n])
		switch {
		case isProtocol(s):
			from = n + 1
		case p.isFence(s), readPathLine(s, p.startsParagraph(n)).isUnmistakable():
			return n
		}
	}
	return from
}

// insideFence reports whether line n is inside a code fence that is still open.
func (r *proseReader) insideFence(n int) bool {
	k := len(r.openFences)
	return k > 0 && r.openFences[k-1].line < n
}

// insideCode reports whether line n is inside a code fence that is still open and has no text.
func (r *proseReader) insideCode(n int) bool {
	return slices.ContainsFunc(r.openFences, func(f fence) bool { return f.line < n && !f.isText() })
}

// fence is a line that opens or closes a code block.
type fence struct {
	mark    string // the run of backticks or tildes, or the configured fence
	tag     string // the name of the element, for a tag that is written instead of a run
	closing bool   // it is a closing tag
	info    string
	line    int
}

// fenceOf reads a trimmed line as a fence; extra is a configured fence or empty.
func fenceOf(s, extra string) (fence, bool) {
	if extra != "" && strings.HasPrefix(s, extra) {
		return fence{mark: extra, info: trimSpace(s[len(extra):])}, true
	}
	if s == "" || s[0] != '`' && s[0] != '~' && s[0] != '<' {
		return fence{}, false
	}
	if s[0] == '<' {
		return tagFenceOf(s)
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

// closes reports whether f closes a code block that was opened by open.
func (f fence) closes(open fence) bool {
	if f.tag != "" || open.tag != "" {
		return f.closing && f.tag == open.tag
	}
	return f.info == "" && strings.HasPrefix(f.mark, open.mark)
}

// language returns the first word of the info string.
func (f fence) language() string {
	word, _, _ := strings.Cut(f.info, " ")
	return strings.ToLower(word)
}

// isShell reports whether the code block has shell commands.
func (f fence) isShell() bool {
	switch f.language() {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "console", "terminal",
		"shell-session", "shellsession", "bash-session":
		return true
	}
	return false
}

// isText reports whether the code block has text, as outside of it.
func (f fence) isText() bool {
	switch f.language() {
	case "", "markdown", "md", "text", "txt", "plaintext":
		return true
	}
	return false
}

// fences are the open code blocks. A fence with an info string inside another opens one more, as in a reply that is
// wrapped in a fence as a whole.
type fences []fence

// maxFences bounds the depth. A reply with more does not close them.
const maxFences = 16

// step adds the next fence, and returns the one that it closes, if any. Tags may also be markup: those in code open
// nothing, those that are never closed end with the fence around them.
func (s *fences) step(f fence) (closed fence, ok bool) {
	n := len(*s)
	for n > 1 && (*s)[n-1].tag != "" && !f.closes((*s)[n-1]) {
		n--
	}
	if n > 0 && f.closes((*s)[n-1]) {
		closed = (*s)[n-1]
		*s = (*s)[:n-1]
		return closed, true
	}
	if f.closing || f.tag != "" && len(*s) > 0 && !(*s)[len(*s)-1].isText() {
		return fence{}, false
	}
	if len(*s) == maxFences {
		*s = (*s)[:0]
	}
	*s = append(*s, f)
	return fence{}, false
}

// thinking is the state of the <think> sections before the answer.
type thinking struct {
	// the answer has begun
	answering bool
	closeTag  string // the tag that closes the current section, or empty
	line      int    // the line at which the section begins
	// searched counts the bytes looked at for ends of lines. A test requires that it is linear.
	searched int
}

// skipThinking drops leading <think> sections, which are neither blocks nor prose.
func (p *parser) skipThinking(end int) {
	stop, next := p.pos, p.pos // the end of the line at p.pos, and the start of the one after it
	for !p.thinking.answering && p.pos < end {
		if p.pos >= next { // not for each of many sections on one line
			stop, next = end, end
			if i := strings.IndexByte(p.text[p.pos:end], '\n'); i >= 0 {
				stop = p.pos + i
				next = stop + 1
			}
			p.thinking.searched += next - p.pos
		}
		line := p.text[p.pos:stop]
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

// openThinking reads a line before the answer and reports whether it opens a section. If it does not, and is not
// blank, the answer begins with it.
func (p *parser) openThinking(line string) bool {
	s := strings.TrimLeft(line, whitespace)
	for _, tag := range []string{"<think>", "<thinking>"} {
		if strings.HasPrefix(s, tag) {
			p.thinking.closeTag, p.thinking.line = "</"+tag[1:], len(p.lines)+1
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

// dropThinking drops everything read so far: a section was closed that has not been opened, since the chat template
// of the model has the opening tag in the prompt.
func (p *parser) dropThinking() {
	fresh := newParser(p.opts)
	fresh.text, fresh.pos, fresh.lines, fresh.consumed = p.text, p.pos, p.lines, len(p.lines)
	fresh.thinking.answering = true
	// One problem also covers what an earlier closing tag dropped.
	isThinking := func(problem Problem) bool { return problem.Kind == ProblemThinking }
	if len(p.reply.Blocks) > 0 || slices.ContainsFunc(p.reply.Problems, isThinking) {
		n := len(p.lines)
		tag := trimSpace(p.lines[n-1])
		text := fmt.Sprintf("Everything before the %s at line %d was dropped, including blocks", tag, n)
		fresh.reply.Problems = []Problem{{Line: n, Severity: SeverityWarning, Kind: ProblemThinking, Text: text}}
	}
	*p = *fresh
}
