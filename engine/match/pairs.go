package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// pair is a line to find and a line of the replacement.
type pair struct{ find, replace int }

// pairs pairs the lines, blank ones aside, that the two halves of a pattern have in common by their keys.
func (p Pattern) pairs(w *meter.Work, kind text.KeyKind) []pair {
	changes := p.changes
	if kind != text.Exact {
		changes = text.Diff(w, text.KeysOf(kind, p.Find), text.KeysOf(kind, p.Replace))
	}
	var pairs []pair
	i, j := 0, 0
	kept := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			if !text.IsBlank(p.Find[i]) {
				pairs = append(pairs, pair{i, j})
			}
		}
	}
	for _, h := range changes {
		kept(h.From)
		i, j = h.To, h.NewTo
	}
	kept(len(p.Find))
	return pairs
}

// corrected returns p with other lines to find, by their indices, and the same lines of the replacement that are
// context with them.
func (p Pattern) corrected(w *meter.Work, meant map[int]string) Pattern {
	find, replace := slices.Clone(p.Find), slices.Clone(p.Replace)
	for _, at := range p.pairs(w, text.Exact) {
		if s, ok := meant[at.find]; ok {
			replace[at.replace] = s
		}
	}
	for i, s := range meant {
		find[i] = s
	}
	return NewPattern(w, find, replace)
}
