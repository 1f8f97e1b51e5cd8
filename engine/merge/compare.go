package merge

// compare marks the lines that have no partner in the other sequence; false if they differ too much. Lines that the
// other sequence does not have are not compared. Nor, unless all is set, are frequent lines among such ones, which are
// aligned by accident rather than because they are the same.
func (p *pair) compare(all bool) bool {
	head, tail := common(p.a.id, p.b.id)
	limit := func(s sequence) int {
		if all {
			return len(p.a.id) + len(p.b.id) + 1
		}
		return frequency(len(s.id))
	}
	inA, inB := counts(p.a.id, p.ids), counts(p.b.id, p.ids)
	a := p.a.relevant(head, tail, inB, limit(p.a))
	b := p.b.relevant(head, tail, inA, limit(p.b))
	*p.work -= len(p.a.id) + len(p.b.id)
	rounds := maxRounds
	if all {
		rounds = len(a) + len(b) + 1
	}
	return newMyers(selection{p.a, a}, selection{p.b, b}, rounds, p.work).compare(box{0, len(a), 0, len(b)})
}

// common returns how many lines two sequences have in common at their starts and, behind those, at their ends.
func common(a, b []int) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// counts returns how often each number below ids is in a sequence.
func counts(id []int, ids int) []int {
	out := make([]int, ids)
	for _, n := range id {
		out[n]++
	}
	return out
}

// maxFrequency and accidentWindow are git's.
const (
	// maxFrequency is how often the other sequence has a line that is frequent in any case.
	maxFrequency = 1024
	// accidentWindow is how many lines on each side decide whether a frequent line is aligned by accident.
	accidentWindow = 100
)

// frequency returns how often the other sequence has a line that is frequent in one of n lines: about the square root.
func frequency(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return min(root, maxFrequency)
}

// presence is how often a line of a sequence is in the other one.
type presence byte

const (
	absent presence = iota
	present
	frequent
)

// relevant returns the lines to compare, between a common head and a common tail, and marks the others there.
func (s sequence) relevant(head, tail int, inOther []int, limit int) []int {
	middle := s.id[head : len(s.id)-tail]
	presences := make([]presence, len(middle))
	for i, id := range middle {
		switch n := inOther[id]; {
		case n >= limit:
			presences[i] = frequent
		case n > 0:
			presences[i] = present
		}
	}
	out := make([]int, 0, len(middle))
	for i, is := range presences {
		if is == present || is == frequent && !accidental(presences, i) {
			out = append(out, head+i)
		} else {
			s.changed[head+i] = true
		}
	}
	return out
}

// accidental reports whether a frequent line is among absent ones, above and below, and these are more than three in
// four of the lines around it.
func accidental(presences []presence, i int) bool {
	absentAbove, frequentAbove := around(presences, i, -1)
	absentBelow, frequentBelow := around(presences, i, 1)
	itself := 2 // as git counts it: once for each direction
	some := frequentAbove + frequentBelow + itself
	return absentAbove > 0 && absentBelow > 0 && some*4 < some+absentAbove+absentBelow
}

// around counts the absent and the frequent lines in one direction, up to the first line that is neither.
func around(presences []presence, i, step int) (missing, often int) {
	for n := 1; n <= accidentWindow; n++ {
		at := i + n*step
		if at < 0 || at >= len(presences) || presences[at] == present {
			break
		}
		if presences[at] == absent {
			missing++
		} else {
			often++
		}
	}
	return missing, often
}
