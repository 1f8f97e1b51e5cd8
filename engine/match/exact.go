package match

import "github.com/tenon-bot/tenon/engine/text"

// exact ignores line endings and a byte order mark, which are not part of a line.
func exact(f File, p Pattern) []Match { return consecutive(f, p, text.Exact) }

// consecutive returns the places where consecutive lines of the file have the same keys as the lines to find.
func consecutive(f File, p Pattern, kind text.KeyKind) []Match {
	var matches []Match
	for n, start := range text.Search(f.Work, f.Keys(kind), text.KeysOf(kind, p.Find)) {
		if n >= f.Hint.edited() {
			matches = append(matches, p.onlyAt([]int{start}))
			continue
		}
		at := make([]int, len(p.Find))
		for i := range at {
			at[i] = start + i
		}
		matches = append(matches, matchAt(f, p, at, kind, asWritten))
	}
	return matches
}

// onlyAt returns a match whose edits are not worked out.
func (p Pattern) onlyAt(at []int) Match {
	first := Match{At: at}.First()
	return Match{Pattern: p, At: []int{first}}
}
