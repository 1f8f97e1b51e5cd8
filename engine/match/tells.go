package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// tells reports whether the replacement of a pattern, if a file has it, tells that the block was applied: it is more
// than punctuation and, if it is a part of the lines to find, which the file may have without it, more than one short
// line.
func tells(p Pattern) bool {
	if !hasLetters(p.Replace) {
		return false
	}
	return len(text.TrimBlank(p.Replace)) > 1 || isSubstantial(p.Replace) || !isPartOfFind(p)
}

// isPartOfFind reports whether the replacement is a part of the lines to find, blank lines and whitespace at the end of
// lines aside, so that the block only removes lines at an edge.
func isPartOfFind(p Pattern) bool { return isPart(text.TrimRight, p) }

func isPart(kind text.KeyKind, p Pattern) bool {
	find, replace := text.NonBlankOf(kind, p.Find).Keys, text.NonBlankOf(kind, p.Replace).Keys
	return len(replace) <= len(find) && len(text.Search(nil, find, replace)) > 0
}

// maxTypoPairs is how many pairs of a removed and an added line are compared for whether one is the other with a typo.
const maxTypoPairs = 10_000

// mayBeTypos reports whether a line that a pattern removes may be a typo of one that it adds.
func mayBeTypos(p Pattern) bool {
	return slices.ContainsFunc(p.changes, func(h text.Hunk) bool {
		removed, added := p.Find[h.From:h.To], p.Replace[h.NewFrom:h.NewTo]
		return len(removed)*len(added) > maxTypoPairs || slices.ContainsFunc(removed, func(s string) bool {
			return slices.ContainsFunc(added, func(t string) bool { return !text.IsBlank(s) && isTypo(s, t) })
		})
	})
}
