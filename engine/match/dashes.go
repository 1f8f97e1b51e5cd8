package match

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tenon-bot/tenon/engine/text"
)

// maxDashed is how many different lines of a file are candidates for a line with a long dash.
const maxDashed = 8

// correctDashes returns p with lines to find as the file has them, where they differ in a long dash that typography
// puts in place of two or three hyphens; ok is false if there are none.
func correctDashes(f File, p Pattern) (corrected Pattern, ok bool) {
	wanted := map[string]bool{}
	for _, s := range p.Find {
		if strings.ContainsFunc(s, isLongDash) {
			wanted[dashKey(s)] = true
		}
	}
	if len(wanted) == 0 || f.Off.has(Dashes) {
		return p, false
	}
	f.Work.Spend(len(f.Lines()))
	have := map[string][]string{}
	for _, s := range f.Lines() {
		if !strings.ContainsRune(s, '-') {
			continue
		}
		key, body := dashKey(s), text.KeyOf(text.TrimSpace, s)
		if wanted[key] && len(have[key]) < maxDashed && !slices.Contains(have[key], body) {
			have[key] = append(have[key], body)
		}
	}
	meant := map[int]string{}
	for i, s := range p.Find {
		if !strings.ContainsFunc(s, isLongDash) {
			continue
		}
		var fits []string
		for _, body := range have[dashKey(s)] {
			if sameDashes(text.KeyOf(text.TrimSpace, s), body) {
				fits = append(fits, body)
			}
		}
		if len(fits) == 1 {
			meant[i] = text.IndentOf(s) + fits[0]
		}
	}
	return p.corrected(f.Work, meant), len(meant) > 0
}

// isLongDash reports whether typographic programs write r for two or three hyphens: an en dash, an em dash or a
// horizontal bar.
func isLongDash(r rune) bool { return r == '–' || r == '—' || r == '―' }

// dashKey returns the key of a line that ignores how long its dashes are.
func dashKey(s string) string {
	s = text.KeyOf(text.FoldTrimSpace, s)
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '-' || i == 0 || s[i-1] != '-' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// sameDashes reports whether the dashes of two lines with the same dashKey can be the same: a long dash to find is one
// to three hyphens of the file.
func sameDashes(find, file string) bool {
	least, most := dashRuns(find)
	have, _ := dashRuns(file)
	for i, n := range have {
		if i >= len(least) || n < least[i] || n > most[i] {
			return false
		}
	}
	return len(have) == len(least)
}

// dashRuns returns how many hyphens each run of dashes is at least and at most.
func dashRuns(s string) (least, most []int) {
	prev := rune(utf8.RuneError)
	for _, r := range norm.NFC.String(s) {
		folded := text.FoldRune(r)
		if folded == '-' {
			if prev != '-' {
				least, most = append(least, 0), append(most, 0)
			}
			least[len(least)-1]++
			most[len(most)-1]++
			if isLongDash(r) {
				most[len(most)-1] += 2
			}
		}
		if folded >= 0 {
			prev = folded
		}
	}
	return least, most
}
