package engine

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// proseReader reads what stands between the blocks: it follows the fences, collects shell suggestions and keeps the text.
type proseReader struct {
	fence       string
	open        fences
	text        strings.Builder
	suggestions []Suggestion
	shell       *syntax.Parser
	shellBytes  int // given to the parser so far
	// shellFrom and shellTo are the fences of the last shell commands, as line indices.
	shellFrom, shellTo int
}

// read goes through lines[from:to]. After an unclosed block nobody knows which fences are open, nor what is prose.
func (r *proseReader) read(lines []string, from, to int, cut bool) {
	if cut {
		r.open = r.open[:0]
	}
	for n := from; n < to; n++ {
		s := trim(lines[n])
		f, ok := fenceOf(s, r.fence)
		switch {
		case ok:
			f.line = n
			if closed, ok := r.open.step(f); ok && !cut && closed.line >= from && closed.isShell() {
				r.shellFrom, r.shellTo = closed.line, n
				r.script(lines[closed.line+1:n], closed.line+2)
			}
		case s == "" || cut:
		case len(r.open) == 0 || r.open[len(r.open)-1].isText():
			r.line(s, n+1)
		}
	}
}

// inside says that line n stands in a code block that is still open.
func (r *proseReader) inside(n int) bool {
	k := len(r.open)
	return k > 0 && r.open[k-1].line < n
}

// keep adds lines to the prose.
func (r *proseReader) keep(lines []string) {
	for _, line := range lines {
		r.text.WriteString(line)
		r.text.WriteByte('\n')
	}
}
