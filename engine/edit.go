package engine

import "slices"

// edit replaces the lines [from,to) of a file by repl.
type edit struct {
	from, to int
	repl     []string
}

// reindentFunc returns line j of the replacement with the indentation of the file; ok is false if that is impossible.
type reindentFunc func(j int, s string) (out string, ok bool)

// asWritten is the reindentFunc that leaves lines as the block has them.
func asWritten(_ int, s string) (string, bool) { return s, true }

// matchAt returns the match in which find is at the given lines of the file. Lines of find and the replacement with
// the same key are context and keep the bytes of the file, unless find has the exact line of the file: then the
// difference between find and the replacement is intended. If find and the replacement can be compared in two ways,
// as when one of two blank lines is removed, both must have the same result.
func (m matcher) matchAt(at []int, kind keyKind, reindent reindentFunc) match {
	found := m.editsFor(at, m.hunks(at, kind, diffLines), reindent)
	if kind != keyExact && found.ambiguity == "" &&
		!m.sameResult(found, m.editsFor(at, m.hunks(at, kind, diffLinesBackward), reindent)) {
		found.ambiguity = "the file differs from the block in whitespace, and its changes can be read in two ways"
	}
	found.matcher, found.at = m, at
	return found
}

// editsFor translates hunks to edits of the file.
func (m matcher) editsFor(at []int, hunks []hunk, reindent reindentFunc) (found match) {
	for _, h := range hunks {
		e, ambiguity := m.editFor(at, h, reindent)
		if ambiguity == "" && len(found.edits) > 0 && e.from < found.edits[len(found.edits)-1].to {
			ambiguity = "its changes overlap"
		}
		if ambiguity != "" {
			return match{ambiguity: ambiguity}
		}
		if !m.isNoop(e) {
			found.edits = append(found.edits, e)
		}
	}
	return found
}

// sameResult reports whether the edits of two matches result in the same lines.
func (m matcher) sameResult(a, b match) bool {
	if a.ambiguity != "" || b.ambiguity != "" || len(a.edits) == 0 || len(b.edits) == 0 {
		return a.ambiguity == b.ambiguity && len(a.edits) == len(b.edits)
	}
	from := min(a.edits[0].from, b.edits[0].from)
	to := max(a.edits[len(a.edits)-1].to, b.edits[len(b.edits)-1].to)
	return slices.Equal(m.edited(a.edits, from, to), m.edited(b.edits, from, to))
}

// edited returns the lines [from,to) of the file after edits.
func (m matcher) edited(edits []edit, from, to int) []string {
	m.file.work.spend(to - from)
	var out []string
	keep := func(to int) {
		for _, l := range m.file.lines[from:to] {
			out = append(out, l.text)
		}
	}
	for _, e := range edits {
		keep(e.from)
		out = append(out, e.repl...)
		from = e.to
	}
	keep(to)
	return out
}

// hunks returns the changes of the block. Identical lines of find and the replacement are paired first, then those
// with the same key.
func (m matcher) hunks(at []int, kind keyKind, diff func(w *work, a, b []string) []hunk) []hunk {
	whole := diff(m.file.work, m.find, m.repl)
	if kind == keyExact {
		return whole
	}
	var all []hunk
	for _, w := range whole {
		i, j := w.f0, w.r0
		kept := func(to int) {
			for ; i < to; i, j = i+1, j+1 {
				if m.find[i] != m.repl[j] && at[i] >= 0 && m.file.lines[at[i]].text == m.find[i] {
					all = append(all, hunk{i, i + 1, j, j + 1})
				}
			}
		}
		for _, h := range diff(m.file.work, keysOf(kind, m.find[w.f0:w.f1]), keysOf(kind, m.repl[w.r0:w.r1])) {
			kept(h.f0 + w.f0)
			all = append(all, hunk{h.f0 + w.f0, h.f1 + w.f0, h.r0 + w.r0, h.r1 + w.r0})
			i, j = h.f1+w.f0, h.r1+w.r0
		}
		kept(w.f1)
	}
	return all
}

// isNoop reports whether an edit changes nothing.
func (m matcher) isNoop(e edit) bool {
	return e.to-e.from == len(e.repl) &&
		slices.EqualFunc(m.file.lines[e.from:e.to], e.repl, func(l line, s string) bool { return l.text == s })
}

// editFor translates a hunk to an edit of the file, or says why that is ambiguous.
func (m matcher) editFor(at []int, h hunk, reindent reindentFunc) (edit, string) {
	repl := make([]string, 0, h.r1-h.r0)
	for j := h.r0; j < h.r1; j++ {
		s, ok := reindent(j, m.repl[j])
		if !ok {
			return edit{}, "a new line is indented less than the block's own shift"
		}
		repl = append(repl, s)
	}
	from, to := -1, -1
	for _, n := range at[h.f0:h.f1] {
		if n < 0 {
			continue
		}
		if to >= 0 && slices.ContainsFunc(m.file.lines[to:n], func(l line) bool { return !isBlank(l.text) }) {
			return edit{}, "the file has other lines between those it removes"
		}
		if from < 0 {
			from = n
		}
		to = n + 1
	}
	if from < 0 {
		return m.insertion(at, h, repl)
	}
	return m.replacement(at, h, edit{from, to, repl}), ""
}

// replacement drops blank lines at the ends of e.repl that the file already has there, but find did not.
func (m matcher) replacement(at []int, h hunk, e edit) edit {
	lines := m.file.lines
	prev, next := m.neighbors(at, h)
	if prev >= 0 {
		for n := e.from - 1; n > prev && len(e.repl) > 0 && isBlank(e.repl[0]) && isBlank(lines[n].text); n-- {
			e.repl = e.repl[1:]
		}
	}
	if next < len(lines) {
		for n := e.to; n < next && len(e.repl) > 0 && isBlank(e.repl[len(e.repl)-1]) && isBlank(lines[n].text); n++ {
			e.repl = e.repl[:len(e.repl)-1]
		}
	}
	return e
}

// neighbors returns the lines of the file for the lines of find next to a hunk, or -1 and the number of its lines if
// there are none.
func (m matcher) neighbors(at []int, h hunk) (prev, next int) {
	prev, next = -1, len(m.file.lines)
	for _, n := range slices.Backward(at[:h.f0]) {
		m.file.work.spend(1)
		if n >= 0 {
			prev = n
			break
		}
	}
	for _, n := range at[h.f1:] {
		m.file.work.spend(1)
		if n >= 0 {
			next = n
			break
		}
	}
	return prev, next
}

// insertion inserts lines between two lines of find. If the file has more lines between those than find, blank lines
// at either end of the inserted ones say on which side they belong; without those it is ambiguous.
func (m matcher) insertion(at []int, h hunk, repl []string) (edit, string) {
	end := len(m.file.lines)
	prev, next := m.neighbors(at, h)
	besideMissing := h.f0 > 0 && at[h.f0-1] < 0 || h.f1 < len(at) && at[h.f1] < 0
	switch {
	case besideMissing && (prev < 0 && m.nonBlankAt(next-1) || next == end && m.nonBlankAt(prev+1)):
		return edit{}, "the blank line next to the new ones is missing"
	case prev < 0:
		edge := missingBlanksAfter(m.find[h.f1:], at[h.f1:])
		return edit{next, next, append(repl, edge...)}, ""
	case next == end:
		edge := missingBlanksBefore(m.find[:h.f0], at[:h.f0])
		return edit{prev + 1, prev + 1, append(edge, repl...)}, ""
	case next == prev+1:
		return edit{next, next, repl}, ""
	}
	pos := prev + 1
	for pos < next && len(repl) > 0 && isBlank(repl[0]) && isBlank(m.file.lines[pos].text) {
		repl, pos = repl[1:], pos+1
	}
	if pos > prev+1 {
		return edit{pos, pos, repl}, ""
	}
	pos = next
	for pos > prev+1 && len(repl) > 0 && isBlank(repl[len(repl)-1]) && isBlank(m.file.lines[pos-1].text) {
		repl, pos = repl[:len(repl)-1], pos-1
	}
	if pos < next || len(repl) == 0 {
		return edit{pos, pos, repl}, ""
	}
	return edit{}, "the file has lines between those that surround the new ones"
}

// missingBlanksAfter returns the blank lines at the start of find, up to the first that the file has.
func missingBlanksAfter(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// missingBlanksBefore returns the blank lines at the end of find, down to the last that the file has.
func missingBlanksBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}

// nonBlankAt reports whether the file has a line n that is not blank.
func (m matcher) nonBlankAt(n int) bool {
	return n >= 0 && n < len(m.file.lines) && !isBlank(m.file.lines[n].text)
}
