package engine

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// proseReader reads what stands between the blocks: it follows the fences, collects shell suggestions and keeps the text.
type proseReader struct {
	fence       string
	openFences        fences
	text        strings.Builder
	suggestions []Suggestion
	shellParser       *syntax.Parser
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
