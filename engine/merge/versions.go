package merge

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// versions are the versions to merge, and the work that is left.
type versions struct {
	base, ours, theirs lines
	work               *int
}

// align returns the hunks of both sides; ok is false if that is too much work.
func (v *versions) align(w way) (ours, theirs []text.Hunk, ok bool) {
	if ours, ok = w.align(v.base, v.ours, v.work); !ok {
		return nil, nil, false
	}
	theirs, ok = w.align(v.base, v.theirs, v.work)
	return ours, theirs, ok
}

// resolve makes the changes of regions, or returns the conflicts.
func (v *versions) resolve(regions []region) Result {
	var out Result
	merged := make([]byte, 0, v.base.size)
	at := 0
	keep := func(l lines, s text.Span) {
		for _, line := range l.text[s.From:s.To] {
			merged = append(merged, line...)
		}
	}
	for _, r := range regions {
		keep(v.base, text.Span{From: at, To: r.From})
		at = r.To
		switch {
		case !r.byOurs:
			keep(v.theirs, r.theirs)
		case !r.byTheirs, slices.Equal(v.ours.id[r.ours.From:r.ours.To], v.theirs.id[r.theirs.From:r.theirs.To]):
			keep(v.ours, r.ours)
		default:
			out.Conflicts = append(out.Conflicts, v.conflict(r))
		}
	}
	if len(out.Conflicts) == 0 {
		keep(v.base, text.Span{From: at, To: len(v.base.text)})
		out.Text = merged
	}
	return out
}

func (v *versions) conflict(r region) Conflict {
	return Conflict{Base: v.base.region(r.Span), Ours: v.ours.region(r.ours), Theirs: v.theirs.region(r.theirs)}
}

// uncertainties returns conflicts for regions, each once, in order.
func (v *versions) uncertainties(regions []region) []Conflict {
	slices.SortFunc(regions, func(a, b region) int { return a.ours.From + a.theirs.From - b.ours.From - b.theirs.From })
	var out []Conflict
	for i, r := range regions {
		if i == 0 || r.From != regions[i-1].From || r.To != regions[i-1].To {
			c := v.conflict(r)
			c.Uncertain = true
			out = append(out, c)
		}
	}
	return out
}
