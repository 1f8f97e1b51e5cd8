package text

// known is what searches found out about the lines of a text. They ask for much of it again, and each edit makes it
// void.
type known struct {
	keys     map[KeyKind][]string
	nonBlank map[KeyKind]NonBlank
	words    map[string]bool
	// isASCII is valid if asked is set.
	isASCII, asked bool
	// index is the last result of Index.
	index index
}

// index is where a file has each of the wanted lines.
type index struct {
	kind  KeyKind
	want  []string
	limit int
	where map[string][]int
}
