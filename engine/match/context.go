package match

import "github.com/tenon-bot/tenon/engine/text"

// Bounds of the levels that ignore context: the lines of each half of a block, and the places that are compared.
const (
	maxFuzzyLines = 200
	maxAnchors    = 8
)

// context is a pattern to find in a file that may have other context.
type context struct {
	File
	Pattern
	// file and find are the keys of the lines of the file and of those to find.
	file, find []string
	// required marks the lines to find that must be in the file: those removed, and those next to an insertion.
	required []bool
}

func newContext(f File, p Pattern) context {
	return context{
		f, p, f.Keys(text.FoldTrimRight), text.KeysOf(text.FoldTrimRight, p.Find), requiredLines(p),
	}
}

func requiredLines(p Pattern) []bool {
	required := make([]bool, len(p.Find))
	for _, h := range p.changes {
		from, to := h.From, h.To
		if from == to { // an insertion
			before, after := besideInsertion(p, h)
			from, to = max(before, 0), min(after+1, len(p.Find))
		}
		for i := from; i < to; i++ {
			required[i] = !text.IsBlank(p.Find[i])
		}
	}
	return required
}

// besideInsertion returns the lines to find next to an insertion that are not blank, or -1 and their number if there
// are none.
func besideInsertion(p Pattern, h text.Hunk) (before, after int) {
	return text.NextNonBlank(p.Find, h.From, -1), text.NextNonBlank(p.Find, h.From-1, 1)
}

// rarest returns the line to find, of those that are wanted, that the file has least often, and where; no lines if even
// that one is frequent.
func (c context) rarest(wanted []bool) (anchor int, lines []int) {
	where := c.Index(text.FoldTrimRight, c.find, maxAnchors)
	for i, s := range c.find {
		if at := where[s]; wanted[i] && len(at) > 0 && (lines == nil || len(at) < len(lines)) {
			anchor, lines = i, at
		}
	}
	if len(lines) > maxAnchors {
		return 0, nil
	}
	return anchor, lines
}

// alignedAt returns the alignment in which a line to find is line n of the file.
func (c context) alignedAt(anchor, n int) alignment {
	return alignment{at: alignAround(c.Work, c.file, c.find, anchor, n)}
}

// alignment is a pairing of the lines to find with lines of the file.
type alignment struct {
	at []int
	// context counts the lines that are neither blank nor required, matched those of them that the file has.
	context, matched int
	// hasWord is set if one of the matched lines is more than punctuation.
	hasWord bool
	// complete is set if the file has every required line.
	complete bool
}

// counted returns a with its other fields, by the lines that it pairs.
func (c context) counted(a alignment) alignment {
	a.complete = true
	for i, n := range a.at {
		switch {
		case text.IsBlank(c.find[i]):
		case c.required[i]:
			a.complete = a.complete && n >= 0
		default:
			a.context++
			if n >= 0 {
				a.matched++
				a.hasWord = a.hasWord || text.HasWord(c.find[i])
			}
		}
	}
	return a
}
