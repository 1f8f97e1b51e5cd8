package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// drifted returns the only one of some places that has all required lines, if its context is evidence enough and no
// place without the required lines has as much.
func (c context) drifted(places []alignment) []Match {
	places = slices.DeleteFunc(slices.Clone(places), func(a alignment) bool { return !a.complete })
	if len(places) != 1 || c.Off.has(Drift) {
		return nil
	}
	e := c.evidence(places[0])
	if !e.isEnough(c.elsewhere(places[0])) || !e.isStrong() && c.hasRival(places[0]) ||
		isUnderOtherName(c.File, c.Pattern, places[0].at) {
		return nil
	}
	return []Match{matchAt(c.File, c.Pattern, places[0].at, text.FoldTrimRight, asWritten)}
}
