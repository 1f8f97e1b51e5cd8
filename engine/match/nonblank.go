package match

import (
	"iter"

	"github.com/tenon-bot/tenon/engine/text"
)

// alignNonBlank yields the places where the lines to find match that are not blank, with only blank lines between them.
// It pairs the blank lines between them as far as both have them. It ends when the work is used up.
func alignNonBlank(f File, find []string, kind text.KeyKind) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		keys, file := text.NonBlankOf(kind, find).Keys, f.NonBlank(kind)
		for _, start := range text.Search(f.Work, file.Keys, keys) {
			f.Work.Spend(len(find))
			if f.Work.UsedUp() || !yield(pairBlanks(f.Lines(), find, file.Index[start:start+len(keys)])) {
				return
			}
		}
	}
}

// pairBlanks returns the line of the file for each line to find, given those of the lines that are not blank.
func pairBlanks(file, find []string, places []int) []int {
	at := make([]int, len(find))
	n := 0
	for i, s := range find {
		if at[i] = -1; !text.IsBlank(s) {
			at[i] = places[n]
			n++
		}
	}
	first := text.FirstNonBlank(find)
	for i := first - 1; i >= 0; i-- { // blank lines before the first one are paired backwards
		n := at[i+1] - 1
		if n < 0 || !text.IsBlank(file[n]) {
			break
		}
		at[i] = n
	}
	for i := first + 1; i < len(at); i++ {
		if n := at[i-1] + 1; at[i] < 0 && at[i-1] >= 0 && n < len(file) && text.IsBlank(file[n]) {
			at[i] = n
		}
	}
	return at
}
