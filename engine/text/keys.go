package text

import "slices"

// plain returns a kind that compares the lines of the file in the same way, but has keys that are easier to get.
func (t *Text) plain(kind KeyKind) KeyKind {
	if kind.plain() == kind {
		return kind
	}
	if !t.known.asked {
		t.Work.SpendBytes(t.size)
		t.known.asked, t.known.isASCII = true, !slices.ContainsFunc(t.lines, func(s string) bool { return !IsASCII(s) })
	}
	if t.known.isASCII {
		return kind.plain()
	}
	return kind
}

// Keys returns the keys of the lines. They must not be modified.
func (t *Text) Keys(kind KeyKind) []string {
	if kind == Exact {
		return t.lines
	}
	kind = t.plain(kind)
	if keys, ok := t.known.keys[kind]; ok {
		return keys
	}
	t.Work.Spend(len(t.lines))
	t.Work.SpendEachByte(t.size)
	if kind.plain() != kind {
		t.Work.Spend(t.size)
	}
	keys := t.lines
	if kind != TrimRight || slices.ContainsFunc(t.lines, func(s string) bool { return len(TrimTrailing(s)) < len(s) }) {
		keys = KeysOf(kind, t.lines)
	}
	if t.known.keys == nil {
		t.known.keys = map[KeyKind][]string{}
	}
	t.known.keys[kind] = keys
	return keys
}

// NonBlank returns the keys of the lines that are not blank. They must not be modified.
func (t *Text) NonBlank(kind KeyKind) NonBlank {
	kind = t.plain(kind)
	if lines, ok := t.known.nonBlank[kind]; ok {
		return lines
	}
	t.Work.Spend(len(t.lines))
	lines := nonBlankOf(t.lines, t.Keys(kind))
	if t.known.nonBlank == nil {
		t.known.nonBlank = map[KeyKind]NonBlank{}
	}
	t.known.nonBlank[kind] = lines
	return lines
}

// Index returns where the file has each wanted line, except blank ones, by their keys. It has limit+1 places for a line
// that is more frequent than limit. Neither want nor the result may be modified. It returns nil if the work is used up.
func (t *Text) Index(kind KeyKind, want []string, limit int) map[string][]int {
	if t.Work.UsedUp() {
		return nil
	}
	file, last := t.Keys(kind), t.known.index
	kind = t.plain(kind)
	if last.where != nil && last.kind == kind && last.limit == limit && slices.Equal(last.want, want) {
		return last.where
	}
	t.Work.SpendBytes(t.size)
	if t.Work.Spend(len(file) + len(want)); t.Work.UsedUp() {
		return nil
	}
	where := make(map[string][]int, len(want))
	for _, s := range want {
		if !IsBlank(s) {
			where[s] = nil
		}
	}
	for n, s := range file {
		if lines, ok := where[s]; ok && len(lines) <= limit {
			where[s] = append(lines, n)
		}
	}
	t.known.index = index{kind, want, limit, where}
	return where
}

// HasWord reports whether the file has a word, as EachWord yields them.
func (t *Text) HasWord(word string) bool {
	if t.known.words == nil {
		t.Work.Spend(t.size / 4)
		t.known.words = make(map[string]bool)
		for _, s := range t.lines {
			EachWord(s, func(w string) { t.known.words[w] = true })
		}
	}
	return t.known.words[word]
}
