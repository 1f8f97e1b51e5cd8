package secret

// match is a secret in a text.
type match struct {
	from, to int
	kind     string
	// rank orders the matches of the same bytes: the lowest names the kind.
	rank int
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// window is a part of a text.
type window struct{ from, to int }
