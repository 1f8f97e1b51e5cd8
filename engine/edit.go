package engine

// editContext is how many lines around a change its Edit shows.
const editContext = 3

// change tells what edits, in order and not made yet, will do.
func (t *text) describeEdits(edits []edit) *Edit {
	from, to := edits[0].from, edits[len(edits)-1].to
	above, below := max(from-editContext, 0), min(to+editContext, len(t.lines))
	lines := make([]string, below-above)
	for i := range lines {
		lines[i] = t.lines[above+i].text
	}
	in := edits[0].repl
	if len(edits) > 1 {
		in = matcher{file: t}.edited(edits, from, to)
	}
	from, to = from-above, to-above
	return &Edit{Line: above + from + 1, Removed: lines[from:to:to], Added: in, ContextBefore: lines[:from:from], ContextAfter: lines[to:]}
}
