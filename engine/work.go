package engine

// work is the budget of one call of Apply. Its unit is about the comparison of two short lines.
type work struct{ left int }

// spend takes n units from the budget.
func (w *work) spend(n int) {
	if w != nil {
		w.left -= n
	}
}

// spendBytes takes the units of one pass over n bytes.
func (w *work) spendBytes(n int) { w.spend(n/bytesPerUnit + 1) }

// bytesPerUnit is how many bytes a pass over a file looks at in the time of one unit.
const bytesPerUnit = 64
