package text

// Shortest marks the elements of two sequences that a shortest edit script removes or adds, in linear space: E. Myers,
// "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b. It takes a step for each element that it looks
// at. If that is more than steps, which may become negative, or if the middle of a script is not found in so many
// rounds, it returns false, and the marks mean nothing.
func Shortest[T comparable](old, now []T, marks Marks, rounds int, steps *int) bool {
	size := len(old) + len(now) + 3
	m := myers[T]{
		a: old, b: now, marks: marks, forward: make([]int, size), backward: make([]int, size), zero: len(now) + 1,
		steps: steps, rounds: rounds,
	}
	return m.compare(box{0, len(old), 0, len(now)})
}

// box is the elements [a0,a1) of one sequence and [b0,b1) of another.
type box struct{ a0, a1, b0, b1 int }

// myers compares two sequences.
type myers[T comparable] struct {
	a, b  []T
	marks Marks
	// forward and backward have the furthest point on each diagonal k, which is x-y, at zero+k.
	forward, backward []int
	zero              int
	steps             *int
	// rounds bounds the search for the middle of each path.
	rounds int
}

// compare compares a box; false if that takes more rounds or steps than there may be. It calls itself for the first
// half of a shortest script, so not deeper than the logarithm of its length.
func (m *myers[T]) compare(in box) bool {
	for {
		before := in.a1 - in.a0
		for in.a0 < in.a1 && in.b0 < in.b1 && m.a[in.a0] == m.b[in.b0] {
			in.a0, in.b0 = in.a0+1, in.b0+1
		}
		for in.a0 < in.a1 && in.b0 < in.b1 && m.a[in.a1-1] == m.b[in.b1-1] {
			in.a1, in.b1 = in.a1-1, in.b1-1
		}
		*m.steps -= before - (in.a1 - in.a0)
		if in.a0 == in.a1 || in.b0 == in.b1 {
			mark(m.marks.Old[in.a0:in.a1])
			mark(m.marks.New[in.b0:in.b1])
			return *m.steps > 0
		}
		x, y, ok := m.middle(in)
		if !ok || !m.compare(box{in.a0, x, in.b0, y}) {
			return false
		}
		in.a0, in.b0 = x, y
	}
}

func mark(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}

// middle returns a point in the middle of a shortest path through a box, neither side of which is empty.
func (m *myers[T]) middle(in box) (x, y int, ok bool) {
	start, end := in.a0-in.b0, in.a1-in.b1
	odd := (start-end)&1 != 0
	forward, backward := diagonals{start, start}, diagonals{end, end}
	m.forward[m.zero+start], m.backward[m.zero+end] = in.a0, in.a1
	for range m.rounds {
		if *m.steps <= 0 {
			break
		}
		forward.widen(m.forward[m.zero+in.a0-in.b1-1:], in, -1)
		for k := forward.high; k >= forward.low; k -= 2 {
			x := m.stepForward(in, k)
			if odd && backward.has(k) && m.backward[m.zero+k] <= x {
				return x, x - k, true
			}
		}
		backward.widen(m.backward[m.zero+in.a0-in.b1-1:], in, in.a1+1)
		for k := backward.high; k >= backward.low; k -= 2 {
			x := m.stepBackward(in, k)
			if !odd && forward.has(k) && x <= m.forward[m.zero+k] {
				return x, x - k, true
			}
		}
	}
	return 0, 0, false
}

// stepForward extends the furthest forward path to diagonal k, and returns its end.
func (m *myers[T]) stepForward(in box, k int) int {
	furthest := m.forward[m.zero+k-1:]
	x := max(furthest[0]+1, furthest[2])
	from := x
	for x < in.a1 && x-k < in.b1 && m.a[x] == m.b[x-k] {
		x++
	}
	furthest[1] = x
	*m.steps -= x - from + 1
	return x
}

// stepBackward extends the furthest backward path to diagonal k, and returns its start.
func (m *myers[T]) stepBackward(in box, k int) int {
	furthest := m.backward[m.zero+k-1:]
	x := min(furthest[0], furthest[2]-1)
	from := x
	for x > in.a0 && x-k > in.b0 && m.a[x-1] == m.b[x-k-1] {
		x--
	}
	furthest[1] = x
	*m.steps -= from - x + 1
	return x
}

// diagonals are every second one from low to high.
type diagonals struct{ low, high int }

func (d diagonals) has(k int) bool { return d.low <= k && k <= d.high }

// widen adds a diagonal at both ends or, where the box has no more, removes one. The furthest points begin at the
// diagonal below the box's lowest; none is a point that no path reaches.
func (d *diagonals) widen(furthest []int, in box, none int) {
	lowest, highest := in.a0-in.b1, in.a1-in.b0
	if d.low > lowest {
		d.low--
		furthest[d.low-lowest] = none
	} else {
		d.low++
	}
	if d.high < highest {
		d.high++
		furthest[d.high-lowest+2] = none
	} else {
		d.high--
	}
}
