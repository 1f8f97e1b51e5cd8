package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// reindentFunc returns line j of the replacement with the indentation of the file; ok is false if that is impossible.
type reindentFunc func(j int, s string) (out string, ok bool)

// asWritten is the reindentFunc that leaves lines as the block has them.
func asWritten(_ int, s string) (string, bool) { return s, true }

// matchAt returns the match of a pattern at the given lines of a file. Lines of both halves with the same key are
// context and keep the bytes of the file, unless the line to find is exactly that of the file: then the difference
// between the halves is intended. If the halves can be compared in two ways, as when one of two blank lines is removed,
// both must have the same result.
func matchAt(f File, p Pattern, at []int, kind text.KeyKind, reindent reindentFunc) Match {
	found := editsFor(f, p, at, hunksOf(f, p, at, kind, text.Diff), reindent)
	if kind != text.Exact && found.Ambiguity == "" &&
		!sameResult(f, found, editsFor(f, p, at, hunksOf(f, p, at, kind, text.DiffUp), reindent)) {
		found.Ambiguity = "the file differs from the block in whitespace, and its changes can be read in two ways"
	}
	found.Pattern, found.At = p, at
	return found
}

// editsFor translates hunks to edits of the file.
func editsFor(f File, p Pattern, at []int, hunks []text.Hunk, reindent reindentFunc) (found Match) {
	for _, h := range hunks {
		e, ambiguity := editFor(f, p, at, h, reindent)
		if ambiguity == "" && len(found.Edits) > 0 && e.From < found.Edits[len(found.Edits)-1].To {
			ambiguity = "its changes overlap"
		}
		if ambiguity != "" {
			return Match{Ambiguity: ambiguity}
		}
		if !slices.Equal(f.Lines()[e.From:e.To], e.Lines) {
			found.Edits = append(found.Edits, e)
		}
	}
	return found
}

// sameResult reports whether the edits of two matches result in the same lines.
func sameResult(f File, a, b Match) bool {
	if a.Ambiguity != "" || b.Ambiguity != "" || len(a.Edits) == 0 || len(b.Edits) == 0 {
		return a.Ambiguity == b.Ambiguity && len(a.Edits) == len(b.Edits)
	}
	from := min(a.Edits[0].From, b.Edits[0].From)
	to := max(a.Edits[len(a.Edits)-1].To, b.Edits[len(b.Edits)-1].To)
	return slices.Equal(edited(f, a.Edits, from, to), edited(f, b.Edits, from, to))
}

// edited returns the lines [from,to) of the file after edits.
func edited(f File, edits []text.Edit, from, to int) []string {
	f.Work.Spend(to - from)
	var out []string
	for _, e := range edits {
		out = append(append(out, f.Lines()[from:e.From]...), e.Lines...)
		from = e.To
	}
	return append(out, f.Lines()[from:to]...)
}

// differ is text.Diff or text.DiffUp.
type differ func(w *meter.Work, old, now []string) []text.Hunk

// hunksOf returns the changes of a pattern. Identical lines of both halves are paired first, then those with the same
// key.
func hunksOf(f File, p Pattern, at []int, kind text.KeyKind, diff differ) []text.Hunk {
	if kind == text.Exact {
		return p.changes
	}
	var all []text.Hunk
	for _, w := range diff(f.Work, p.Find, p.Replace) {
		i, j := w.From, w.NewFrom
		kept := func(to int) {
			for ; i < to; i, j = i+1, j+1 {
				if p.Find[i] != p.Replace[j] && at[i] >= 0 && f.Lines()[at[i]] == p.Find[i] {
					all = append(all, text.Hunk{From: i, To: i + 1, NewFrom: j, NewTo: j + 1})
				}
			}
		}
		old, now := p.Find[w.From:w.To], p.Replace[w.NewFrom:w.NewTo]
		for _, h := range diff(f.Work, text.KeysOf(kind, old), text.KeysOf(kind, now)) {
			h = text.Hunk{From: h.From + w.From, To: h.To + w.From, NewFrom: h.NewFrom + w.NewFrom, NewTo: h.NewTo + w.NewFrom}
			kept(h.From)
			all = append(all, h)
			i, j = h.To, h.NewTo
		}
		kept(w.To)
	}
	return all
}

// editFor translates a hunk to an edit of the file, or says in a clause why that is ambiguous.
func editFor(f File, p Pattern, at []int, h text.Hunk, reindent reindentFunc) (e text.Edit, ambiguity string) {
	lines := make([]string, 0, h.NewTo-h.NewFrom)
	for j := h.NewFrom; j < h.NewTo; j++ {
		s, ok := reindent(j, p.Replace[j])
		if !ok {
			return text.Edit{}, "a new line is indented less than the block's own shift"
		}
		lines = append(lines, s)
	}
	from, to := -1, -1
	for _, n := range at[h.From:h.To] {
		if n < 0 {
			continue
		}
		if to >= 0 && !text.AllBlank(f.Lines()[to:n]) {
			return text.Edit{}, "the file has other lines between those it removes"
		}
		if from < 0 {
			from = n
		}
		to = n + 1
	}
	if from < 0 {
		return insertion(f, p, at, h, lines)
	}
	return replacement(f, at, h, text.Edit{From: from, To: to, Lines: lines}), ""
}

// replacement drops blank lines at the ends of an edit that the file already has there, but the lines to find did not.
func replacement(f File, at []int, h text.Hunk, e text.Edit) text.Edit {
	file := f.Lines()
	prev, next := neighbors(f, at, h)
	if prev >= 0 {
		for n := e.From - 1; n > prev && len(e.Lines) > 0 && text.IsBlank(e.Lines[0]) && text.IsBlank(file[n]); n-- {
			e.Lines = e.Lines[1:]
		}
	}
	if next < len(file) {
		last := len(e.Lines) - 1
		for n := e.To; n < next && last >= 0 && text.IsBlank(e.Lines[last]) && text.IsBlank(file[n]); n++ {
			e.Lines, last = e.Lines[:last], last-1
		}
	}
	return e
}
