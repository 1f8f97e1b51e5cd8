package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// What fuzzy context must have in common with the file.
const (
	minFuzzyLines = 2   // context lines that match
	minFuzzyShare = 0.6 // share of the context lines that match
)

// fuzzy allows context lines to differ from the file: a typo, or a line that was changed, added or removed since. Every
// line that the block removes must be in the file, and both lines next to each insertion. Of the other context lines,
// most must be there, in order, and no other place may have more than half as many.
func fuzzy(f File, p Pattern) []Match {
	if !isSubstantial(p.Find) || max(len(p.Find), len(p.Replace)) > maxFuzzyLines ||
		slices.ContainsFunc(p.Find, isEllipsis) {
		return nil
	}
	p = correctTypos(f, p)
	if matches := strict(f, p); len(matches) > 0 {
		return matches
	}
	if corrected, ok := correctSlips(f, p); ok {
		if matches := strict(f, corrected); len(matches) > 0 {
			return matches
		}
		if len(strict(f, corrected.inverse(f.Work))) > 0 {
			p = corrected // the replacement is there already
		}
	}
	c := newContext(f, p)
	places := c.places()
	best, second := bestOf(places)
	switch {
	case !best.complete, !best.hasWord, best.matched < minFuzzyLines,
		float64(best.matched) < minFuzzyShare*float64(best.context),
		float64(second.matched) > maxRunnerUp*float64(best.matched),
		c.elsewhere(best) > best.matched,
		!c.evidence(best).isStrong() && c.hasRival(best),
		isUnderOtherName(f, p, best.at):
		return c.drifted(places)
	}
	return []Match{matchAt(f, p, best.at, text.FoldTrimRight, asWritten)}
}
