package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// isUnderOtherName reports whether a place is under another name than the block's: whether a line that encloses a
// change of the block, by indentation or as the header of a section, is not what encloses the place. A header may have
// drifted if it defines the same name, and the file has that name only once.
func isUnderOtherName(f File, p Pattern, at []int) bool {
	if f.Off.has(Headers) {
		return false
	}
	file, o := f.Lines(), outlineOf(f)
	for _, h := range p.changes {
		depth, n := changeAt(o, p, h, at)
		if n < 0 {
			continue
		}
		f.Work.Spend(n)
		there := o.enclosers(file, n, depth)
		for _, i := range o.enclosers(p.Find, h.From, depth) {
			if isOtherHeader(f, p, i, there) {
				return true
			}
		}
	}
	return false
}

// changeAt returns how deep a change is, and the line of the file that it is before; -1 if it is not known.
func changeAt(o outline, p Pattern, h text.Hunk, at []int) (depth, n int) {
	changed := p.Find[h.From:h.To]
	if h.From == h.To {
		changed = p.Replace[h.NewFrom:h.NewTo]
	}
	depth = -1
	for _, s := range changed {
		if d := o.depthOf(s); !text.IsBlank(s) && (depth < 0 || d < depth) {
			depth = d
		}
	}
	if depth < 0 {
		return 0, -1
	}
	for i := h.From; i < h.To; i++ {
		if at[i] >= 0 {
			return depth, at[i]
		}
	}
	before, after := text.NextNonBlank(p.Find, h.From, -1), text.NextNonBlank(p.Find, h.From-1, 1)
	switch {
	case before >= 0 && at[before] >= 0:
		return depth, at[before] + 1
	case after < len(at) && at[after] >= 0:
		return depth, at[after]
	}
	return depth, -1
}

// isOtherHeader reports whether line i to find, which encloses a change, is another than the lines that enclose its
// place. It may have drifted: the line of the same depth there may have more words, or fewer.
func isOtherHeader(f File, p Pattern, i int, there []int) bool {
	o, s := outlineOf(f), p.Find[i]
	return !slices.ContainsFunc(there, func(n int) bool {
		have := f.Lines()[n]
		return text.KeyOf(text.FoldTrimRight, have) == text.KeyOf(text.FoldTrimRight, s) || isSlip(f, s, have) ||
			o.depthOf(have) == o.depthOf(s) && haveOneName(s, have)
	})
}

// haveOneName reports whether one of two lines has all words of the other.
func haveOneName(a, b string) bool {
	inA, inB := wordsOf(a), wordsOf(b)
	if len(inA) > len(inB) {
		inA, inB = inB, inA
	}
	for w := range inA {
		if !inB[w] {
			return false
		}
	}
	return true
}
