package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// places returns the alignments at the places of the rarest required line.
func (c context) places() []alignment {
	var all []alignment
	anchor, lines := c.rarest(c.required)
	for _, n := range lines {
		a := c.alignedAt(anchor, n)
		if !c.Off.has(Typos) {
			pairTypos(a.at, c.file, c.find, c.required)
		}
		dropOtherNames(c.File, c.Find, a.at)
		all = append(all, c.counted(a))
	}
	return all
}

// bestOf returns the two alignments that match most.
func bestOf(places []alignment) (best, second alignment) {
	for _, a := range places {
		switch {
		case a.matched > best.matched || a.matched == best.matched && a.complete && !best.complete:
			best, second = a, best
		case a.matched > second.matched:
			second = a
		}
	}
	return best, second
}

// elsewhere returns the most context lines that match at a place with a line to find that best lacks. The block may
// have been meant for that place, if a line that it removes is gone there.
func (c context) elsewhere(best alignment) int {
	if c.Off.has(Elsewhere) {
		return 0
	}
	missing := make([]bool, len(c.find))
	for i, n := range best.at {
		missing[i] = n < 0 && !c.required[i] && text.HasWord(c.find[i])
	}
	matched := 0
	anchor, lines := c.rarest(missing)
	for _, n := range lines {
		matched = max(matched, c.counted(c.alignedAt(anchor, n)).matched)
	}
	return matched
}

// hasRival reports whether another place has as many context lines as best. The block may be meant for it, if one of
// the required lines changed there.
func (c context) hasRival(best alignment) bool {
	if c.Off.has(Rivals) {
		return false
	}
	shared := make([]bool, len(c.find))
	for i, n := range best.at {
		shared[i] = n >= 0 && !c.required[i] && text.HasWord(c.find[i])
	}
	anchor, lines := c.rarest(shared)
	return slices.ContainsFunc(lines, func(n int) bool {
		return n != best.at[anchor] && c.counted(c.alignedAt(anchor, n)).matched >= best.matched
	})
}
