package engine

import "slices"

// reindent carries a line of put to the file's indentation; ok is false when it cannot.
type reindentFunc func(i int, s string) (out string, ok bool)

func asWritten(_ int, s string) (string, bool) { return s, true }

// place turns find's lines, which stand in the file at the lines at, into edits. Lines of find and put with the same key of
// this kind are context and keep the file's bytes; unless the model saw the file's line rightly, so that the difference
// between find and put is what it asks for. Where find and put can be compared in two ways, as when one of two blank lines
// goes, both must come to the same bytes.
func (m matcher) matchAt(at []int, kind keyKind, reindent reindentFunc) match {
	p := m.editsFor(at, m.hunks(at, kind, diffLines), reindent)
	if kind != keyExact && p.ambiguity == "" && !m.sameResult(p, m.editsFor(at, m.hunks(at, kind, diffLinesBackward), reindent)) {
		p.ambiguity = "the file differs from the block in blanks, and its changes can be read in two ways"
	}
	p.matcher, p.at = m, at
	return p
}

// edits settles hunks on the file's lines.
func (m matcher) editsFor(at []int, hunks []hunk, reindent reindentFunc) (p match) {
	for _, h := range hunks {
		e, ambiguity := m.editFor(at, h, reindent)
		if ambiguity == "" && len(p.edits) > 0 && e.from < p.edits[len(p.edits)-1].to {
			ambiguity = "its changes overlap"
		}
		if ambiguity != "" {
			return match{ambiguity: ambiguity}
		}
		if !m.isNoop(e) {
			p.edits = append(p.edits, e)
		}
	}
	return p
}

// agrees reports that two ways to edit the file give the same lines.
func (m matcher) sameResult(a, b match) bool {
	if a.ambiguity != "" || b.ambiguity != "" || len(a.edits) == 0 || len(b.edits) == 0 {
		return a.ambiguity == b.ambiguity && len(a.edits) == len(b.edits)
	}
	from := min(a.edits[0].from, b.edits[0].from)
	to := max(a.edits[len(a.edits)-1].to, b.edits[len(b.edits)-1].to)
	return slices.Equal(m.edited(a.edits, from, to), m.edited(b.edits, from, to))
}

// edited returns what edits make of the file's lines [from,to).
func (m matcher) edited(edits []edit, from, to int) []string {
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

// hunks are the changes of the block. Lines that are the very same in find and put pair first, then those with the same key.
func (m matcher) hunks(at []int, kind keyKind, diff func(a, b []string) []hunk) []hunk {
	whole := diff(m.find, m.put)
	if kind == keyExact {
		return whole
	}
	var all []hunk
	for _, w := range whole {
		i, j := w.f0, w.r0
		kept := func(to int) {
			for ; i < to; i, j = i+1, j+1 {
				if m.find[i] != m.put[j] && at[i] >= 0 && m.file.lines[at[i]].text == m.find[i] {
					all = append(all, hunk{i, i + 1, j, j + 1})
				}
			}
		}
		for _, h := range diff(keysOf(kind, m.find[w.f0:w.f1]), keysOf(kind, m.put[w.r0:w.r1])) {
			kept(h.f0 + w.f0)
			all = append(all, hunk{h.f0 + w.f0, h.f1 + w.f0, h.r0 + w.r0, h.r1 + w.r0})
			i, j = h.f1+w.f0, h.r1+w.r0
		}
		kept(w.f1)
	}
	return all
}

// idle reports an edit that leaves the file's lines as they are.
func (m matcher) isNoop(e edit) bool {
	return e.to-e.from == len(e.repl) && slices.EqualFunc(m.file.lines[e.from:e.to], e.repl, func(l line, s string) bool { return l.text == s })
}

// edit settles one hunk on the file's lines.
func (m matcher) editFor(at []int, h hunk, reindent reindentFunc) (edit, string) {
	repl := make([]string, 0, h.r1-h.r0)
	for j := h.r0; j < h.r1; j++ {
		s, ok := reindent(j, m.put[j])
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
		if to >= 0 && !m.blankBetween(to, n) {
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

func (m matcher) blankBetween(from, to int) bool {
	for _, l := range m.file.lines[from:to] {
		if !isBlank(l.text) {
			return false
		}
	}
	return true
}

// replacement leaves out blank lines of put that the file has at that place already, though find did not show them.
func (m matcher) replacement(at []int, h hunk, e edit) edit {
	prev, next := neighbors(at, h, len(m.file.lines))
	for n := e.from - 1; n > prev && prev >= 0 && len(e.repl) > 0 && isBlank(e.repl[0]) && isBlank(m.file.lines[n].text); n-- {
		e.repl = e.repl[1:]
	}
	for n := e.to; n < next && next < len(m.file.lines) && len(e.repl) > 0 && isBlank(e.repl[len(e.repl)-1]) && isBlank(m.file.lines[n].text); n++ {
		e.repl = e.repl[:len(e.repl)-1]
	}
	return e
}

// neighbours are the file's lines of the nearest lines of find around a hunk, -1 or end where there are none.
func neighbors(at []int, h hunk, end int) (prev, next int) {
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
func (m matcher) insertion(at []int, h hunk, repl []string) (edit, string) {
	end := len(m.file.lines)
	prev, next := neighbors(at, h, end)
	switch {
	case (prev < 0 && m.nonBlankAt(next-1) || next == end && m.nonBlankAt(prev+1)) && besideMissingLine(at, h):
		return edit{}, "the blank line that the new ones belong next to is not there"
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
	return edit{}, "the file has lines between those that the new ones belong between"
}

// blanksOf returns the blank lines that start find, up to the first that the file has.
func missingBlanksAfter(find []string, at []int) []string {
	n := 0
	for n < len(find) && at[n] < 0 {
		n++
	}
	return find[:n:n]
}

// blanksBefore returns the blank lines that end find, down to the last that the file has.
func missingBlanksBefore(find []string, at []int) []string {
	n := len(find)
	for n > 0 && at[n-1] < 0 {
		n--
	}
	return slices.Clone(find[n:])
}

// lacksNeighbour reports an insertion next to a line of find, a blank one, that the file does not have.
func besideMissingLine(at []int, h hunk) bool {
	return h.f0 > 0 && at[h.f0-1] < 0 || h.f1 < len(at) && at[h.f1] < 0
}

// solidAt reports that the file has a line n, which is not blank.
func (m matcher) nonBlankAt(n int) bool {
	return n >= 0 && n < len(m.file.lines) && !isBlank(m.file.lines[n].text)
}
