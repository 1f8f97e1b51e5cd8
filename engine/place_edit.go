package engine

import "slices"

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
