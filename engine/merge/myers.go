package merge

// selection is some lines of a sequence, by their places in it.
type selection struct {
	sequence
	at []int
}

func (s selection) line(i int) int { return s.id[s.at[i]] }

func (s selection) mark(from, to int) {
	for _, n := range s.at[from:to] {
		s.changed[n] = true
	}
}

// box is the lines [a0,a1) of one selection and [b0,b1) of another.
type box struct{ a0, a1, b0, b1 int }

// myers marks the lines of two selections that a shortest edit script removes or adds, in linear space: E. Myers, "An
// O(ND) Difference Algorithm and Its Variations", 1986, section 4b.
type myers struct {
	a, b selection
	// forward and backward have the furthest point on each diagonal k, which is x-y, at zero+k.
	forward, backward []int
	zero              int
	work              *int
	// rounds bounds the search for the middle of each path.
	rounds int
}

// maxRounds is how far git searches for the middle of a shortest script, at least. Beyond it, git takes a split that is
// good rather than best, so that the alignment is a guess.
const maxRounds = 256

func newMyers(a, b selection, rounds int, work *int) *myers {
	size := len(a.at) + len(b.at) + 3
	return &myers{
		a: a, b: b, forward: make([]int, size), backward: make([]int, size), zero: len(b.at) + 1, work: work, rounds: rounds,
	}
}

// compare compares a box; false if that takes more rounds or work than there may be. It calls itself for the first half
// of a shortest script, so not deeper than the logarithm of its length.
func (m *myers) compare(in box) bool {
	for {
		before := in.a1 - in.a0
		for in.a0 < in.a1 && in.b0 < in.b1 && m.a.line(in.a0) == m.b.line(in.b0) {
			in.a0, in.b0 = in.a0+1, in.b0+1
		}
		for in.a0 < in.a1 && in.b0 < in.b1 && m.a.line(in.a1-1) == m.b.line(in.b1-1) {
			in.a1, in.b1 = in.a1-1, in.b1-1
		}
		*m.work -= before - (in.a1 - in.a0)
		if in.a0 == in.a1 || in.b0 == in.b1 {
			m.a.mark(in.a0, in.a1)
			m.b.mark(in.b0, in.b1)
			return *m.work > 0
		}
		x, y, ok := m.middle(in)
		if !ok || !m.compare(box{in.a0, x, in.b0, y}) {
			return false
		}
		in.a0, in.b0 = x, y
	}
}

// middle returns a point in the middle of a shortest path through a box, neither side of which is empty.
func (m *myers) middle(in box) (x, y int, ok bool) {
	start, end := in.a0-in.b0, in.a1-in.b1
	odd := (start-end)&1 != 0
	forward, backward := diagonals{start, start}, diagonals{end, end}
	m.forward[m.zero+start], m.backward[m.zero+end] = in.a0, in.a1
	for range m.rounds {
		if *m.work <= 0 {
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
func (m *myers) stepForward(in box, k int) int {
	furthest := m.forward[m.zero+k-1:]
	x := max(furthest[0]+1, furthest[2])
	from := x
	for x < in.a1 && x-k < in.b1 && m.a.line(x) == m.b.line(x-k) {
		x++
	}
	furthest[1] = x
	*m.work -= x - from + 1
	return x
}

// stepBackward extends the furthest backward path to diagonal k, and returns its start.
func (m *myers) stepBackward(in box, k int) int {
	furthest := m.backward[m.zero+k-1:]
	x := min(furthest[0], furthest[2]-1)
	from := x
	for x > in.a0 && x-k > in.b0 && m.a.line(x-1) == m.b.line(x-k-1) {
		x--
	}
	furthest[1] = x
	*m.work -= from - x + 1
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
