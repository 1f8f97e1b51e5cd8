package merge

import "github.com/tenon-bot/tenon/engine/text"

// region is a range of lines of base that one side or both changed.
type region struct {
	text.Span
	ours, theirs     text.Span
	byOurs, byTheirs bool
}

// touch reports whether no unchanged line is between a hunk and the lines of base before it, as in git.
func touch(before text.Span, h text.Hunk) bool { return h.From <= before.To }

// overlap reports whether a hunk and the lines of base before it cannot be changed one after the other.
func overlap(before text.Span, h text.Hunk) bool {
	return h.From < before.To || h.From == before.From && h.To == before.To
}

// join joins hunks of both sides to regions, in order.
func join(ours, theirs []text.Hunk, joined func(before text.Span, h text.Hunk) bool) []region {
	var out []region
	oursShift, theirsShift := 0, 0
	for len(ours) > 0 || len(theirs) > 0 {
		first := ours
		if len(ours) == 0 || len(theirs) > 0 && precedes(theirs[0], ours[0]) {
			first = theirs
		}
		r := region{Span: text.Span{From: first[0].From, To: first[0].To}}
		i, j := 0, 0
		take := func(hunks []text.Hunk, n *int) bool {
			if *n == len(hunks) || !joined(r.Span, hunks[*n]) {
				return false
			}
			r.To = max(r.To, hunks[*n].To)
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

func precedes(a, b text.Hunk) bool { return a.From < b.From || a.From == b.From && a.To < b.To }

// in returns a region in the side whose hunks these are. shift is by how many lines the side is longer than base up to
// the region, and the second result up to its end.
func (r region) in(hunks []text.Hunk, shift int) (text.Span, int) {
	s := text.Span{From: r.From + shift}
	for _, h := range hunks {
		shift += h.NewTo - h.NewFrom - (h.To - h.From)
	}
	s.To = r.To + shift
	return s, shift
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
