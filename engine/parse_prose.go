package engine

import "strings"

// proseReader reads what stands between the blocks: it follows the fences and keeps the text.
type proseReader struct {
	fence string
	open  fences
	text  strings.Builder
	// shellEnd is the last line of the last shell fence that closed, or 0.
	shellEnd int
}

// read follows the fences through lines[from:to]. After an unclosed block nobody knows which fences are open.
func (r *proseReader) read(lines []string, from, to int, cut bool) {
	if cut {
		r.open = r.open[:0]
	}
	for n := from; n < to; n++ {
		s := strings.Trim(lines[n], blanks)
		f, ok := fenceOf(s, r.fence)
		if !ok {
			continue
		}
		f.line = n
		r.open.step(f)
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
