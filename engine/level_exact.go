package engine

// exactPlaces forgives line endings and a byte order mark, which are no part of a line.
func exactPlaces(f fit) []place { return wholePlaces(f, keyExact) }

// wholePlaces finds where each line of find has the key of the file's line, without a gap.
func wholePlaces(f fit, kind keyKind) []place {
	var places []place
	for _, start := range occurrences(f.file.lineKeys(kind), keysOf(kind, f.find)) {
		places = append(places, f.place(run(start, len(f.find)), kind, asWritten))
	}
	return places
}
