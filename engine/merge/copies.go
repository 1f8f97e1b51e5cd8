package merge

import "github.com/tenon-bot/tenon/engine/text"

// besideCopies returns the regions of one side whose place in the other is uncertain, because the other side copied the
// lines there or removed one of several copies.
func (v *versions) besideCopies(regions []region, ours, theirs []text.Hunk) []region {
	inOurs, inTheirs := newAlignment(v.base, v.ours, ours), newAlignment(v.base, v.theirs, theirs)
	var out []region
	for _, r := range regions {
		other := inTheirs
		if r.byTheirs {
			other = inOurs
		}
		if r.byOurs != r.byTheirs && *v.work > 0 && other.hasCopies(r.Span, v.work) {
			out = append(out, r)
		}
	}
	return out
}

// alignment is base and a side, and which of their lines are partners.
type alignment struct {
	base, side lines
	// partner has the line of the side for each line of base, and origin that of base for each of the side, or -1.
	partner, origin []int
	// deleted says of each line of base that it was removed, and nothing put in its place.
	deleted []bool
	// above has for each line of base the nearest anchor above it, or -1; below the nearest at or below it, or the number
	// of lines.
	above, below []int
}

func newAlignment(base, side lines, hunks []text.Hunk) alignment {
	n := len(base.id)
	a := alignment{
		base: base, side: side, partner: make([]int, n), origin: make([]int, len(side.id)), deleted: make([]bool, n),
		above: make([]int, n+1), below: make([]int, n+1),
	}
	i, j := 0, 0
	for _, h := range append(hunks, text.Hunk{From: n, To: n, NewFrom: len(side.id), NewTo: len(side.id)}) {
		for ; i < h.From; i, j = i+1, j+1 {
			a.partner[i], a.origin[j] = j, i
		}
		for ; i < h.To; i++ {
			a.partner[i], a.deleted[i] = -1, h.NewFrom == h.NewTo
		}
		for ; j < h.NewTo; j++ {
			a.origin[j] = -1
		}
	}
	ids := max(base.ids, side.ids)
	inBase, inSide := counts(base.id, ids), counts(side.id, ids)
	anchor := func(i int) bool { return inBase[base.id[i]] == 1 && inSide[base.id[i]] == 1 && a.isFirm(i) }
	a.above[0] = -1
	for i := range n {
		if a.above[i+1] = a.above[i]; anchor(i) {
			a.above[i+1] = i
		}
	}
	a.below[n] = n
	for i := n - 1; i >= 0; i-- {
		if a.below[i] = a.below[i+1]; anchor(i) {
			a.below[i] = i
		}
	}
	return a
}

// isFirm reports whether a line of base and those beside it are unchanged. Beside changed lines, a line may have got
// its place by them.
func (a alignment) isFirm(i int) bool {
	from, to := max(0, i-1), min(len(a.base.id)-1, i+1)
	return a.partner[i] >= 0 && a.partner[from] >= 0 && a.partner[to] >= 0 && a.partner[to]-a.partner[from] == to-from
}

// hasCopies reports whether changed lines of base, with a line above or below, have copies in the side that base does
// not have, or had copies that the side lacks, that another alignment could take for them. Such ones are between the
// nearest anchors: lines that both have exactly once, at their place, which every alignment would keep.
func (a alignment) hasCopies(changed text.Span, work *int) bool {
	above, below := a.above[changed.From], a.below[changed.To]
	base, side := text.Span{To: len(a.base.id)}, text.Span{To: len(a.side.id)}
	if above >= 0 {
		base.From, side.From = above, a.partner[above]
	}
	if below < len(a.base.id) {
		base.To, side.To = below+1, a.partner[below]+1
	}
	for _, s := range contexts(changed, len(a.base.id)) {
		lines := a.base.id[s.From:s.To]
		last := len(lines) - 1
		for _, at := range occurrences(a.side.id, side, lines, work) {
			if a.origin[at] < 0 || a.origin[at+last]-a.origin[at] != last {
				return true
			}
		}
		for _, at := range occurrences(a.base.id, base, lines, work) {
			if a.deleted[at] && a.deleted[at+last] {
				return true
			}
		}
	}
	return false
}

// contexts returns the lines that identify a change of n lines: those that are changed and a line beside them or, of an
// insertion, the lines beside it.
func contexts(changed text.Span, n int) []text.Span {
	above, below := max(changed.From-1, 0), min(changed.To+1, n)
	if changed.From == changed.To {
		return []text.Span{{From: above, To: below}}
	}
	return []text.Span{{From: above, To: changed.To}, {From: changed.From, To: below}}
}

// occurrences returns where lines are in a span of others. It stops when no work is left.
func occurrences(id []int, in text.Span, lines []int, work *int) []int {
	var out []int
	for i := in.From; i+len(lines) <= in.To && *work > 0; i++ {
		n := 0
		for n < len(lines) && id[i+n] == lines[n] {
			n++
		}
		*work -= n + 1
		if n == len(lines) {
			out = append(out, i)
		}
	}
	return out
}
