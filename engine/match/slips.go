package match

import "github.com/tenon-bot/tenon/engine/text"

// maxSlips is how many lines to find are looked up, and maxLonger by how many bytes one may be longer than the line of
// the file, or shorter.
const (
	maxSlips  = 4
	maxLonger = 4
)

// correctSlips returns p with context lines that the file lacks as the file has them, where they differ in a letter
// from exactly one line of the file; ok is false if there are none, or too many to look up.
func correctSlips(f File, p Pattern) (corrected Pattern, ok bool) {
	if f.Off.has(Slips) {
		return p, false
	}
	find := text.KeysOf(text.FoldTrimRight, p.Find)
	where := f.Index(text.FoldTrimRight, find, maxAnchors)
	meant := map[int]string{}
	missing := 0
	for _, at := range p.pairs(f.Work, text.Exact) {
		if s := find[at.find]; len(where[s]) == 0 {
			if missing++; missing > maxSlips {
				return p, false
			}
			if line, ok := slipOf(f, s); ok {
				meant[at.find] = line
			}
		}
	}
	return p.corrected(f.Work, meant), len(meant) > 0
}

// slipOf returns the only line of the file from which s differs by a slip.
func slipOf(f File, s string) (line string, ok bool) {
	f.Work.Spend(len(f.Lines()))
	f.Work.SpendEachByte(f.Size())
	for n, have := range f.Keys(text.FoldTrimRight) {
		if len(s)-len(have) > maxLonger || len(have)-len(s) > maxLonger || !isSlip(f, s, have) || ok && f.Lines()[n] == line {
			continue
		}
		if ok {
			return "", false
		}
		line, ok = f.Lines()[n], true
	}
	return line, ok
}

// isSlip reports whether a line of the block is that of the file with a typo inside of a word. A letter at the end of a
// word makes another name: handlerA, handlerB.
func isSlip(f File, block, file string) bool {
	x, y, from := middle(block, file)
	return x+y != "" && allLetters(x+y) && isTypo(block, file) && isInside(block, from, from+len(x)) &&
		isInside(file, from, from+len(y)) && !isOtherName(f, block, file)
}
