package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// correctTypos corrects typos in lines to find that the replacement does not have: if a line that the block removes is
// not in the file, but the file has a line of the replacement that differs from it by a typo, that line is context. A
// word that the file or the block has elsewhere is another name, and no typo.
func correctTypos(f File, p Pattern) Pattern {
	if f.Off.has(Typos) {
		return p
	}
	where := f.Index(text.FoldTrimRight, text.KeysOf(text.FoldTrimRight, slices.Concat(p.Find, p.Replace)), 0)
	has := func(s string) bool { return len(where[text.KeyOf(text.FoldTrimRight, s)]) > 0 }
	find := slices.Clone(p.Find)
	for _, h := range p.changes {
		j := h.NewFrom
		for i := h.From; i < h.To; i++ {
			if text.IsBlank(find[i]) || has(find[i]) {
				continue
			}
			for n := j; n < h.NewTo; n++ {
				if f.Work.SpendEachByte(len(find[i])); has(p.Replace[n]) && isTypoOf(f, p, i, n) {
					find[i], j = p.Replace[n], n+1
					break
				}
			}
		}
	}
	if slices.Equal(find, p.Find) {
		return p
	}
	return NewPattern(f.Work, find, p.Replace)
}

// isTypoOf reports whether line i to find is line n of the replacement with a typo.
func isTypoOf(f File, p Pattern, i, n int) bool {
	if !isTypo(p.Find[i], p.Replace[n]) || isOtherName(f, p.Find[i], p.Replace[n]) {
		return false
	}
	rest := File{Text: text.Of(f.Work, p.Find[:i], p.Find[i+1:], p.Replace), Off: f.Off}
	return !isOtherName(rest, p.Find[i], p.Replace[n])
}

// pairTypos pairs context lines that are not in the file with the line next to that of their neighbor, if they differ
// by a typo.
func pairTypos(at []int, file, find []string, required []bool) {
	try := func(i, n int) {
		if at[i] < 0 && !required[i] && n >= 0 && n < len(file) && !text.IsBlank(find[i]) && !text.IsBlank(file[n]) &&
			isTypo(find[i], file[n]) && !slices.Contains(at, n) {
			at[i] = n
		}
	}
	for i := 1; i < len(at); i++ {
		if at[i-1] >= 0 {
			try(i, at[i-1]+1)
		}
	}
	for i := len(at) - 2; i >= 0; i-- {
		if at[i+1] >= 0 {
			try(i, at[i+1]-1)
		}
	}
}
