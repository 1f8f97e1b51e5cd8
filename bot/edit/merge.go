package edit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tenon-bot/tenon/engine"
)

// maxMerged is the size of the largest file that is merged, in bytes: as for edits of a reply.
const maxMerged = 2 << 20

// merge reverts the commit's changes of a file that was changed since, by comparing the three versions line by line as
// git does. Changes of the commit that later commits changed again, or that touch later changes, overlap. It returns
// the state that the file has to get, if the result is Applied.
func merge(res engine.Result, before, after, tip fileState) (engine.Result, fileState, error) {
	overlap := func(detail string) (engine.Result, fileState, error) {
		res.Reason, res.Detail = ReasonOverlap, detail
		return res, fileState{}, nil
	}
	switch {
	case !before.isFile():
		return overlap("The commit made this file, and later ones changed it")
	case !after.isFile():
		return overlap("The commit removed this file, and another one stands there now")
	case !tip.isFile():
		return overlap("A later commit removed or moved this file")
	}
	merged := fileState{kind: engine.File, data: tip.data, executable: tip.executable}
	if tip.executable == after.executable {
		merged.executable = before.executable
	}
	if !slices.Equal(before.data, after.data) {
		if !mergeable(before.data, after.data, tip.data) {
			return overlap("Later commits changed this file, and it is no text of less than 2 MiB whose lines can be compared")
		}
		m := newMerge(string(before.data), string(after.data), string(tip.data))
		text, ok := m.merge()
		if !ok {
			res.Line, res.ClosestMatch = m.line, m.excerpt
			return overlap("Later commits changed the same lines, or lines right beside them")
		}
		merged.data = []byte(text)
	}
	if merged.equal(tip) {
		res.Status, res.Reason = engine.Skipped, engine.AlreadyApplied
		res.Detail = "Later commits have taken it back already"
		return res, fileState{}, nil
	}
	res.Status = engine.Applied
	describe(&res, tip, merged)
	res.Detail = "Later changes of this file stay"
	return res, merged, nil
}

func mergeable(versions ...[]byte) bool {
	return !slices.ContainsFunc(versions, func(data []byte) bool {
		return len(data) > maxMerged || slices.Contains(data, 0) || !utf8.Valid(data)
	})
}

// threeWay is a three-way merge: base is the file as the commit left it. Edits are of base, in bytes, ordered by
// position.
type threeWay struct {
	base, tip string
	// ours lead from base to the file before the commit, theirs to the tip.
	ours, theirs []udiff.Edit
	// line and excerpt are where the first overlap is at the tip.
	line    int
	excerpt *engine.Excerpt
}

func newMerge(before, base, tip string) *threeWay {
	return &threeWay{base: base, tip: tip, ours: udiff.Lines(base, before), theirs: udiff.Lines(base, tip)}
}

// merge returns base with the edits of both sides; ok is false when edits of the two overlap.
func (m *threeWay) merge() (text string, ok bool) {
	all := slices.Clone(m.theirs)
	for _, e := range m.ours {
		if slices.Contains(m.theirs, e) {
			continue // later commits have reverted it already
		}
		touches := func(t udiff.Edit) bool { return e.Start <= t.End && t.Start <= e.End }
		if slices.ContainsFunc(m.theirs, touches) || !m.unambiguous(e) {
			m.locate(e)
			return "", false
		}
		all = append(all, e)
	}
	udiff.SortEdits(all)
	text, err := udiff.Apply(m.base, all)
	return text, err == nil
}

// contextLines is how many lines around an edit identify its place.
const contextLines = 3

// unambiguous reports whether the lines of an edit, with the unchanged lines around it, are at the tip as often as in
// base. Where they were copied, or one of two copies was removed, comparing lines does not tell which copy is the one
// to edit.
func (m *threeWay) unambiguous(e udiff.Edit) bool {
	from, to := 0, len(m.base)
	for _, t := range m.theirs {
		if t.End <= e.Start {
			from = max(from, t.End)
		} else {
			to = min(to, t.Start)
		}
	}
	from, to = contextStart(m.base, e.Start, from), contextEnd(m.base, e.End, to)
	lines := m.base[from:to]
	inBase, ok := countLines(m.base, lines)
	atTip, _ := countLines(m.tip, lines)
	return ok && inBase == atTip
}

// contextStart returns where the contextLines lines before at start, but not less than least.
func contextStart(s string, at, least int) int {
	for range contextLines {
		if at <= least {
			break
		}
		at = max(strings.LastIndexByte(s[:at-1], '\n')+1, least)
	}
	return at
}

// contextEnd returns where the contextLines lines from at on end, but not more than most.
func contextEnd(s string, at, most int) int {
	for range contextLines {
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

// countLines counts how often a text contains some whole lines in a row; ok is false when there are more than
// maxCopies.
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

// locate finds where an edit that overlaps with later changes is at the tip.
func (m *threeWay) locate(e udiff.Edit) {
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
	m.line = strings.Count(m.tip[:from], "\n") + 1
	m.excerpt = excerpt(m.tip, m.line, m.line+strings.Count(strings.TrimSuffix(m.tip[from:to], "\n"), "\n"))
}
