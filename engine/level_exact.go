package engine

// exactPlaces forgives line endings and a byte order mark, which are no part of a line.
func exactMatches(m matcher) []match { return consecutiveMatches(m, keyExact) }

// wholePlaces finds where each line of find has the key of the file's line, without a gap.
func consecutiveMatches(m matcher, kind keyKind) []match {
	var matches []match
	for _, start := range occurrences(m.file.lineKeys(kind), keysOf(kind, m.find)) {
		matches = append(matches, m.matchAt(lineRange(start, len(m.find)), kind, asWritten))
	}
	return matches
}
