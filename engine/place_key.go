package engine

// keyKind names what a comparison of lines forgives.
type keyKind int

const (
	keyExact keyKind = iota
	keyTrimRight
	keyTrimSpace
	keyFoldTrimSpace
	keyFoldTrimRight
)

// keyOf holds the function behind each kind.
func keyOf(kind keyKind, s string) string {
	switch kind {
	case keyTrimRight:
		return trimTrailing(s)
	case keyTrimSpace:
		return trimIndent(trimTrailing(s))
	case keyFoldTrimSpace:
		return trimIndent(trimTrailing(fold(s)))
	case keyFoldTrimRight:
		return trimTrailing(fold(s))
	default:
		return s
	}
}

func keysOf(kind keyKind, lines []string) []string {
	if kind == keyExact {
		return lines
	}
	keys := make([]string, len(lines))
	for i, s := range lines {
		keys[i] = keyOf(kind, s)
	}
	return keys
}

// lineKeys returns the keys of a file's lines, computed once between edits.
func (t *text) lineKeys(kind keyKind) []string {
	if keys, ok := t.keys[kind]; ok {
		return keys
	}
	keys := make([]string, len(t.lines))
	for i, l := range t.lines {
		keys[i] = keyOf(kind, l.text)
	}
	if t.keys == nil {
		t.keys = map[keyKind][]string{}
	}
	t.keys[kind] = keys
	return keys
}
