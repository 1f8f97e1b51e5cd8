package reply

import (
	"slices"
	"strings"
)

// proseReader reads the text between blocks: it tracks code fences, collects suggestions and keeps the text.
type proseReader struct {
	fence       string
	openFences  fences
	text, said  strings.Builder // said is text without the leftovers of blocks
	spoken      bool            // text has an explanation
	suggestions suggestions
	// shellFrom and shellTo are the indices of the fences around the last shell commands.
	shellFrom, shellTo int
}

// read reads lines[from:to]. After an unclosed block, it is unknown which fences are open and which lines are prose.
func (r *proseReader) read(lines []string, from, to int, cut bool) {
	if cut {
		r.openFences = r.openFences[:0]
	}
	for n := from; n < to; n++ {
		s := strings.TrimSpace(lines[n])
		f, ok := fenceOf(s, r.fence)
		switch {
		case ok:
			f.line = n
			if closed, ok := r.openFences.step(f); ok && !cut && closed.line >= from && closed.isShell() {
				r.shellFrom, r.shellTo = closed.line, n
				r.suggestions.addScript(lines[closed.line+1:n], closed.line+2)
			}
		case s == "" || cut:
		case !r.openFences.inCode():
			r.suggestions.scanLine(s, n+1)
		}
	}
}

// write adds a line to the text; leftover says that it is of a block that is not whole.
func (r *proseReader) write(line string, leftover bool) {
	r.text.WriteString(line)
	r.text.WriteByte('\n')
	if !leftover {
		r.said.WriteString(line)
		r.said.WriteByte('\n')
	}
}

// insert inserts lines of the reply into the prose: those of dropped files, where they were.
func (r *proseReader) insert(lines []string, dropped []wholeFile) {
	if len(dropped) == 0 {
		return
	}
	into := func(b *strings.Builder, at func(wholeFile) int) {
		all, done := b.String(), 0
		b.Reset()
		for _, w := range dropped {
			b.WriteString(all[done:at(w)])
			done = at(w)
			for _, s := range lines[w.from:w.to] {
				b.WriteString(s)
				b.WriteByte('\n')
			}
		}
		b.WriteString(all[done:])
	}
	into(&r.text, func(w wholeFile) int { return w.text })
	into(&r.said, func(w wholeFile) int { return w.said })
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
