package match

import "github.com/tenon-bot/tenon/engine/text"

// maxSegments bounds the number of segments of a block.
const maxSegments = 20

// ellipsis allows lines to be left out: "..." or a comment with it, alone on a line, as often in the lines to find as
// in the replacement. Each segment between them must match at one place only, and in order; the lines of the file
// between them are unchanged.
func ellipsis(f File, p Pattern) []Match {
	find, replace := segments(p.Find), segments(p.Replace)
	if !isSubstantial(p.Find) || len(find) < 2 || len(find) > maxSegments || len(find) != len(replace) {
		return nil
	}
	combined := Match{Pattern: p}
	for i := range find {
		found, ok := matchSegment(f, NewPattern(f.Work, find[i], replace[i]))
		if !ok || len(found.At) > 0 && len(combined.At) > 0 && found.First() <= combined.Last() {
			return nil
		}
		if found.Ambiguity != "" {
			combined.Ambiguity = found.Ambiguity
		}
		combined.At = append(combined.At, found.At...)
		combined.Edits = append(combined.Edits, found.Edits...)
		combined.parts = append(combined.parts, found)
	}
	if len(combined.At) == 0 {
		return nil
	}
	return []Match{combined}
}

// matchSegment returns the only match of one segment. A segment of blank lines matches nothing and must be the same in
// the replacement.
func matchSegment(f File, p Pattern) (found Match, ok bool) {
	if text.AllBlank(p.Find) {
		return Match{}, text.AllBlank(p.Replace)
	}
	matches := strict(f, p)
	if len(matches) != 1 {
		return Match{}, false
	}
	return matches[0], true
}

// segments splits lines at those that are an ellipsis.
func segments(lines []string) [][]string {
	var all [][]string
	start := 0
	for i, s := range lines {
		if isEllipsis(s) {
			all = append(all, lines[start:i])
			start = i + 1
		}
	}
	return append(all, lines[start:])
}
