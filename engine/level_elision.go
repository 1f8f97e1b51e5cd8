package engine

// maxPieces bounds how often a block may leave something out.
const maxSegments = 20

// elisionPlaces forgives lines left out in the middle: "..." or a comment with it, alone on a line, as often in find as in
// put. Every piece between them must fit at one place only, and in order; what lies between the pieces stays as it is.
func ellipsisMatches(m matcher) []match {
	find, repl := segments(m.find), segments(m.put)
	if !m.substantial() || len(find) < 2 || len(find) > maxSegments || len(find) != len(repl) {
		return nil
	}
	combined := match{matcher: m}
	for i := range find {
		p, ok := matcher{file: m.file, find: find[i], put: repl[i]}.matchSegment()
		if !ok || len(p.at) > 0 && len(combined.at) > 0 && p.firstLine() <= combined.lastLine() {
			return nil
		}
		if p.ambiguity != "" {
			combined.ambiguity = p.ambiguity
		}
		combined.at = append(combined.at, p.at...)
		combined.edits = append(combined.edits, p.edits...)
	}
	if len(combined.at) == 0 {
		return nil
	}
	return []match{combined}
}

// piece fits one piece; ok is false unless exactly one place does. A piece of nothing but blank lines must stay as it is.
func (m matcher) matchSegment() (p match, ok bool) {
	if allBlank(m.find) {
		return match{}, allBlank(m.put)
	}
	for _, matches := range []func(matcher) []match{exactMatches, trailingSpaceMatches, blankLineMatches} {
		if found := matches(m); len(found) > 0 {
			return found[0], len(found) == 1
		}
	}
	return match{}, false
}

// pieces cuts lines at those that stand for something left out.
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

func isEllipsis(s string) bool {
	inner, _ := stripComment(s)
	return inner == "..." || inner == "…" || isPlaceholder(s)
}
