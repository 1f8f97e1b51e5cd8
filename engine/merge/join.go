package merge

import "slices"

// hunk says that the lines [from,to) of base became the lines [sideFrom,sideTo) of a side. Between two hunks there is
// at least one line that both have.
type hunk struct{ from, to, sideFrom, sideTo int }

// span is the lines [from,to) of a version.
type span struct{ from, to int }

// region is a range of lines of base that one side or both changed.
type region struct {
	span
	ours, theirs     span
	byOurs, byTheirs bool
}

// touch reports whether no unchanged line is between a hunk and the lines of base before it, as in git.
func touch(before span, h hunk) bool { return h.from <= before.to }

// overlap reports whether a hunk and the lines of base before it cannot be changed one after the other.
func overlap(before span, h hunk) bool {
	return h.from < before.to || h.from == before.from && h.to == before.to
}

// join joins hunks of both sides to regions, in order.
func join(ours, theirs []hunk, joined func(before span, h hunk) bool) []region {
	var out []region
	oursShift, theirsShift := 0, 0
	for len(ours) > 0 || len(theirs) > 0 {
		first := ours
		if len(ours) == 0 || len(theirs) > 0 && precedes(theirs[0], ours[0]) {
			first = theirs
		}
		r := region{span: span{first[0].from, first[0].to}}
		i, j := 0, 0
		take := func(hunks []hunk, n *int) bool {
			if *n == len(hunks) || !joined(r.span, hunks[*n]) {
				return false
			}
			r.to = max(r.to, hunks[*n].to)
			*n++
			return true
		}
		for take(ours, &i) || take(theirs, &j) {
		}
		r.byOurs, r.byTheirs = i > 0, j > 0
		r.ours, oursShift = r.in(ours[:i], oursShift)
		r.theirs, theirsShift = r.in(theirs[:j], theirsShift)
		out, ours, theirs = append(out, r), ours[i:], theirs[j:]
	}
	return out
}

func precedes(a, b hunk) bool { return a.from < b.from || a.from == b.from && a.to < b.to }

// in returns a region in the side whose hunks these are. shift is by how many lines the side is longer than base up to
// the region, and the second result up to its end.
func (r region) in(hunks []hunk, shift int) (span, int) {
	s := span{from: r.from + shift}
	for _, h := range hunks {
		shift += h.sideTo - h.sideFrom - (h.to - h.from)
	}
	s.to = r.to + shift
	return s, shift
}

// resolve makes the changes of regions, or returns the conflicts.
func (v *versions) resolve(regions []region) Result {
	var out Result
	text := make([]byte, 0, v.base.size)
	at := 0
	keep := func(l lines, s span) {
		for _, line := range l.text[s.from:s.to] {
			text = append(text, line...)
		}
	}
	for _, r := range regions {
		keep(v.base, span{at, r.from})
		at = r.to
		switch {
		case !r.byOurs:
			keep(v.theirs, r.theirs)
		case !r.byTheirs, slices.Equal(v.ours.id[r.ours.from:r.ours.to], v.theirs.id[r.theirs.from:r.theirs.to]):
			keep(v.ours, r.ours)
		default:
			out.Conflicts = append(out.Conflicts, v.conflict(r))
		}
	}
	if len(out.Conflicts) == 0 {
		keep(v.base, span{at, len(v.base.text)})
		out.Text = text
	}
	return out
}

func (v *versions) conflict(r region) Conflict {
	return Conflict{Base: v.base.region(r.span), Ours: v.ours.region(r.ours), Theirs: v.theirs.region(r.theirs)}
}

// elsewhere returns the regions that others do not have, or all of them if others have each.
func elsewhere(regions, others []region) []region {
	has := make(map[region]bool, len(others))
	for _, r := range others {
		has[r] = true
	}
	var out []region
	for _, r := range regions {
		if !has[r] {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return regions
	}
	return out
}
