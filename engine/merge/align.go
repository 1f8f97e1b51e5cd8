package merge

import "slices"

// way is a way to align a side with base.
type way struct {
	// backward compares the lines from the last to the first, so that of several shortest scripts another one is found.
	backward bool
	// all compares all lines that both have. Otherwise frequent ones are left out where they align by accident.
	all bool
	// up moves groups of changed lines up instead of down.
	up bool
}

// ways are the ways whose results must agree, git's first.
var ways = []way{{}, {backward: true, all: true}, {up: true}}

// align returns the hunks that lead from base to a side; ok is false if that is more than work.
func (w way) align(base, side lines, work *int) (hunks []hunk, ok bool) {
	p := pair{
		a: sequence{base.id, make([]bool, len(base.id))}, b: sequence{side.id, make([]bool, len(side.id))},
		ids: max(base.ids, side.ids), work: work,
	}
	if w.backward {
		p.a.id, p.b.id = reversed(base.id), reversed(side.id)
	}
	if !p.compare(w.all) {
		return nil, false
	}
	if w.backward {
		p.a.id, p.b.id = base.id, side.id
		slices.Reverse(p.a.changed)
		slices.Reverse(p.b.changed)
	}
	p.a.compact(p.b, w.up)
	p.b.compact(p.a, w.up)
	return p.hunks(), true
}

func reversed(id []int) []int {
	out := slices.Clone(id)
	slices.Reverse(out)
	return out
}

// sequence is a sequence of lines, by their numbers, and which of them have no partner in the other sequence.
type sequence struct {
	id      []int
	changed []bool
}

// pair is two sequences to compare.
type pair struct {
	a, b sequence
	ids  int
	work *int
}

// hunks returns where the sequences differ.
func (p *pair) hunks() []hunk {
	var out []hunk
	for i, j := 0, 0; i < len(p.a.id) || j < len(p.b.id); i, j = i+1, j+1 {
		h := hunk{from: i, to: p.a.endOf(i), sideFrom: j, sideTo: p.b.endOf(j)}
		if i, j = h.to, h.sideTo; i > h.from || j > h.sideFrom {
			out = append(out, h)
		}
	}
	return out
}

// endOf returns where the changed lines end that begin at a line.
func (s sequence) endOf(at int) int {
	for at < len(s.id) && s.changed[at] {
		at++
	}
	return at
}
