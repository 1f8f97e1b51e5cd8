package match

import "github.com/tenon-bot/tenon/engine/text"

// blankLines also ignores blank lines around the lines to find, and the number of blank lines between them.
func blankLines(f File, p Pattern) []Match {
	var matches []Match
	for at := range alignNonBlank(f, p.Find, text.TrimRight) {
		if len(matches) < f.Hint.edited() {
			matches = append(matches, matchAt(f, p, at, text.TrimRight, asWritten))
		} else {
			matches = append(matches, p.onlyAt(at))
		}
	}
	return matches
}
