package engine

import "slices"

// keyKind names what a comparison of lines forgives.
type keyKind int

const (
	keyExact keyKind = iota
	keyTrailing
	keyBare
	keyFold
	keyFoldFull
)

// keyOf holds the function behind each kind.
func keyOf(kind keyKind, s string) string {
	switch kind {
	case keyTrailing:
		return trimTrailing(s)
	case keyBare:
		return trimIndent(trimTrailing(s))
	case keyFold:
		return trimIndent(trimTrailing(fold(s)))
	case keyFoldFull:
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

// reindent carries a line of put to the file's indentation; ok is false when it cannot.
type reindent func(i int, s string) (out string, ok bool)

func asWritten(_ int, s string) (string, bool) { return s, true }

// place turns find's lines, which stand in the file at the lines at, into edits. Lines of find and put with the same key of
// this kind are context and keep the file's bytes; unless the model saw the file's line rightly, so that the difference
// between find and put is what it asks for. Where find and put can be compared in two ways, as when one of two blank lines
// goes, both must come to the same bytes.
func (f fit) place(at []int, kind keyKind, in reindent) place {
	p := f.edits(at, f.hunks(at, kind, diffLines), in)
	if kind != keyExact && p.doubt == "" && !f.agrees(p, f.edits(at, f.hunks(at, kind, diffLinesUp), in)) {
		p.doubt = "the file differs from the block in blanks, and its changes can be read in two ways"
	}
	p.fit, p.at = f, at
	return p
}

// edits settles hunks on the file's lines.
func (f fit) edits(at []int, hunks []hunk, in reindent) (p place) {
	for _, h := range hunks {
		e, doubt := f.edit(at, h, in)
		if doubt == "" && len(p.edits) > 0 && e.from < p.edits[len(p.edits)-1].to {
			doubt = "its changes overlap"
		}
		if doubt != "" {
			return place{doubt: doubt}
		}
		if !f.idle(e) {
			p.edits = append(p.edits, e)
		}
	}
	return p
}

// agrees reports that two ways to edit the file give the same lines.
func (f fit) agrees(a, b place) bool {
	if a.doubt != "" || b.doubt != "" || len(a.edits) == 0 || len(b.edits) == 0 {
		return a.doubt == b.doubt && len(a.edits) == len(b.edits)
	}
	from := min(a.edits[0].from, b.edits[0].from)
	to := max(a.edits[len(a.edits)-1].to, b.edits[len(b.edits)-1].to)
	return slices.Equal(f.edited(a.edits, from, to), f.edited(b.edits, from, to))
}

// edited returns what edits make of the file's lines [from,to).
func (f fit) edited(edits []edit, from, to int) []string {
	var out []string
	keep := func(to int) {
		for _, l := range f.file.lines[from:to] {
			out = append(out, l.text)
		}
	}
	for _, e := range edits {
		keep(e.from)
		out = append(out, e.put...)
		from = e.to
	}
	keep(to)
	return out
}

// hunks are the changes of the block. Lines that are the very same in find and put pair first, then those with the same key.
func (f fit) hunks(at []int, kind keyKind, diff func(a, b []string) []hunk) []hunk {
	whole := diff(f.find, f.put)
	if kind == keyExact {
		return whole
	}
	var all []hunk
	for _, w := range whole {
		i, j := w.f0, w.p0
		kept := func(to int) {
			for ; i < to; i, j = i+1, j+1 {
				if f.find[i] != f.put[j] && at[i] >= 0 && f.file.lines[at[i]].text == f.find[i] {
					all = append(all, hunk{i, i + 1, j, j + 1})
				}
			}
		}
		for _, h := range diff(keysOf(kind, f.find[w.f0:w.f1]), keysOf(kind, f.put[w.p0:w.p1])) {
			kept(h.f0 + w.f0)
			all = append(all, hunk{h.f0 + w.f0, h.f1 + w.f0, h.p0 + w.p0, h.p1 + w.p0})
			i, j = h.f1+w.f0, h.p1+w.p0
		}
		kept(w.f1)
	}
	return all
}

// idle reports an edit that leaves the file's lines as they are.
func (f fit) idle(e edit) bool {
	return e.to-e.from == len(e.put) && slices.EqualFunc(f.file.lines[e.from:e.to], e.put, func(l line, s string) bool { return l.text == s })
}

// edit settles one hunk on the file's lines.
func (f fit) edit(at []int, h hunk, in reindent) (edit, string) {
	put := make([]string, 0, h.p1-h.p0)
	for j := h.p0; j < h.p1; j++ {
		s, ok := in(j, f.put[j])
		if !ok {
			return edit{}, "a new line is indented less than the block's own shift"
		}
		put = append(put, s)
	}
	from, to := -1, -1
	for _, n := range at[h.f0:h.f1] {
		if n < 0 {
			continue
		}
		if to >= 0 && !f.blankBetween(to, n) {
			return edit{}, "the file has other lines between those it removes"
		}
		if from < 0 {
			from = n
		}
		to = n + 1
	}
	if from < 0 {
		return f.insertion(at, h, put)
	}
	return f.replacement(at, h, edit{from, to, put}), ""
}

func (f fit) blankBetween(from, to int) bool {
	for _, l := range f.file.lines[from:to] {
		if !isBlank(l.text) {
			return false
		}
	}
	return true
}

// replacement leaves out blank lines of put that the file has at that place already, though find did not show them.
func (f fit) replacement(at []int, h hunk, e edit) edit {
	prev, next := neighbours(at, h, len(f.file.lines))
	for n := e.from - 1; n > prev && prev >= 0 && len(e.put) > 0 && isBlank(e.put[0]) && isBlank(f.file.lines[n].text); n-- {
		e.put = e.put[1:]
	}
	for n := e.to; n < next && next < len(f.file.lines) && len(e.put) > 0 && isBlank(e.put[len(e.put)-1]) && isBlank(f.file.lines[n].text); n++ {
		e.put = e.put[:len(e.put)-1]
	}
	return e
}

// neighbours are the file's lines of the nearest lines of find around a hunk, -1 or end where there are none.
func neighbours(at []int, h hunk, end int) (prev, next int) {
	prev, next = -1, end
	for _, n := range slices.Backward(at[:h.f0]) {
		if n >= 0 {
			prev = n
			break
		}
	}
	for _, n := range at[h.f1:] {
		if n >= 0 {
			next = n
			break
		}
	}
	return prev, next
}

// insertion puts lines between two lines of find. Where the file has more lines between them than find, blank lines at
// either end of what is put say on which side of those it belongs; without them there is no telling.
func (f fit) insertion(at []int, h hunk, put []string) (edit, string) {
	end := len(f.file.lines)
	prev, next := neighbours(at, h, end)
	switch {
	case prev < 0:
		edge := blanksOf(f.find[h.f1:], at[h.f1:])
		return edit{next, next, append(put, edge...)}, ""
	case next == end && !slices.Contains(at[h.f1:], end-1) && !anyMatched(at[h.f1:]):
		edge := blanksBefore(f.find[:h.f0], at[:h.f0])
		return edit{prev + 1, prev + 1, append(edge, put...)}, ""
	case next == prev+1:
		return edit{next, next, put}, ""
	}
	pos := prev + 1
	for pos < next && len(put) > 0 && isBlank(put[0]) && isBlank(f.file.lines[pos].text) {
		put, pos = put[1:], pos+1
	}
	if pos > prev+1 {
		return edit{pos, pos, put}, ""
	}
	pos = next
	for pos > prev+1 && len(put) > 0 && isBlank(put[len(put)-1]) && isBlank(f.file.lines[pos-1].text) {
		put, pos = put[:len(put)-1], pos-1
	}
	if pos < next || len(put) == 0 {
		return edit{pos, pos, put}, ""
	}
	return edit{}, "the file has lines between those that the new ones belong between"
}

func anyMatched(at []int) bool { return slices.ContainsFunc(at, func(n int) bool { return n >= 0 }) }

// blanksOf returns the blank lines that start find, up to the first that the file has.
func blanksOf(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// blanksBefore returns the blank lines that end find, down to the last that the file has.
func blanksBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}
