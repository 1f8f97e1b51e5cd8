package edit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tenon-bot/tenon/engine"
)

// maxMerged is the largest file of which some lines are taken back, in bytes: as for edits of a reply.
const maxMerged = 2 << 20

// merge takes the commit's changes back from a file that was changed since. The three versions are compared line by line, as
// git does it. Changes of the commit that were changed again, or that stand right beside later ones, overlap.
func merge(res engine.Result, before, after, now stand) (engine.Result, stand, error) {
	overlap := func(detail string) (engine.Result, stand, error) {
		res.Reason, res.Detail = ReasonOverlap, detail
		return res, stand{}, nil
	}
	switch {
	case !before.file():
		return overlap("The commit made this file, and later ones changed it")
	case !after.file():
		return overlap("The commit removed this file, and another one stands there now")
	case !now.file():
		return overlap("A later commit removed or moved this file")
	}
	want := stand{kind: engine.File, data: now.data, program: now.program}
	if now.program == after.program {
		want.program = before.program
	}
	if !slices.Equal(before.data, after.data) {
		m := merging{base: string(after.data), now: string(now.data)}
		if !mergeable(before.data, after.data, now.data) {
			return overlap("Later commits changed this file, and it is no text of less than 2 MiB whose lines can be compared")
		}
		m.ours, m.theirs = udiff.Lines(m.base, string(before.data)), udiff.Lines(m.base, m.now)
		text, ok := m.merge()
		if !ok {
			res.Line, res.ClosestMatch = m.line, m.nearest
			return overlap("Later commits changed the same lines, or lines right beside them")
		}
		want.data = []byte(text)
	}
	if want.is(now) {
		res.Status, res.Reason, res.Detail = engine.Skipped, engine.AlreadyApplied, "Later commits have taken it back already"
		return res, stand{}, nil
	}
	res.Status = engine.Applied
	tell(&res, now, want)
	res.Detail = "Later changes of this file stay"
	return res, want, nil
}

func mergeable(versions ...[]byte) bool {
	return !slices.ContainsFunc(versions, func(data []byte) bool {
		return len(data) > maxMerged || slices.Contains(data, 0) || !utf8.Valid(data)
	})
}

// merging is a three-way merge. Edits are of base, in its bytes and order.
type merging struct {
	base, now string
	// ours lead back to before the commit, theirs to the tip.
	ours, theirs []udiff.Edit
	// line and nearest are where the first overlap is, at the tip.
	line    int
	nearest *engine.Excerpt
}

// merge makes all edits; ok is false when ours and theirs overlap.
func (m *merging) merge() (text string, ok bool) {
	all := slices.Clone(m.theirs)
	for _, e := range m.ours {
		if slices.Contains(m.theirs, e) {
			continue // taken back already
		}
		if slices.ContainsFunc(m.theirs, func(t udiff.Edit) bool { return e.Start <= t.End && t.Start <= e.End }) || !m.certain(e) {
			m.locate(e)
			return "", false
		}
		all = append(all, e)
	}
	udiff.SortEdits(all)
	text, err := udiff.Apply(m.base, all)
	return text, err == nil
}

// certainLines is how many lines around a change tell its place.
const certainLines = 3

// certain reports that the lines of a change, with those around it that stayed, are at the tip as often as they were: where a copy
// was made, or one of two was removed, comparing lines does not tell which is which.
func (m *merging) certain(e udiff.Edit) bool {
	from, to := 0, len(m.base)
	for _, t := range m.theirs {
		if t.End <= e.Start {
			from = max(from, t.End)
		} else {
			to = min(to, t.Start)
		}
	}
	from, to = linesBack(m.base, e.Start, from), linesOn(m.base, e.End, to)
	piece := m.base[from:to]
	was, few := countLines(m.base, piece)
	is, _ := countLines(m.now, piece)
	return few && was == is
}

// linesBack returns where the lines before at begin, certainLines of them, but not before least.
func linesBack(s string, at, least int) int {
	for range certainLines {
		if at <= least {
			break
		}
		at = max(strings.LastIndexByte(s[:at-1], '\n')+1, least)
	}
	return at
}

// linesOn returns where the lines from at on end, certainLines of them, but not after most.
func linesOn(s string, at, most int) int {
	for range certainLines {
		n := strings.IndexByte(s[at:most], '\n')
		if n < 0 {
			return most
		}
		at += n + 1
	}
	return at
}

// maxCopies is how many copies of some lines are counted.
const maxCopies = 1000

// countLines counts how often whole lines stand in a text, one after the other; ok is false when that is too often.
func countLines(text, lines string) (n int, ok bool) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if !strings.HasSuffix(lines, "\n") {
		lines += "\n"
	}
	text, lines = "\n"+text, "\n"+lines
	for n <= maxCopies {
		i := strings.Index(text, lines)
		if i < 0 {
			return n, true
		}
		n, text = n+1, text[i+1:]
	}
	return n, false
}

// locate finds the place of a change at the tip.
func (m *merging) locate(e udiff.Edit) {
	from, to, shift, grown := e.Start, e.End, 0, 0
	for _, t := range m.theirs {
		more := len(t.New) - (t.End - t.Start)
		switch {
		case t.End < e.Start:
			shift += more
		case t.Start <= e.End:
			from, to, grown = min(from, t.Start), max(to, t.End), grown+more
		}
	}
	from, to = from+shift, to+shift+grown
	m.line = strings.Count(m.now[:from], "\n") + 1
	m.nearest = excerpt(m.now, m.line, m.line+strings.Count(strings.TrimSuffix(m.now[from:to], "\n"), "\n"))
}
