package patch

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// StartsUnified reports whether lines begin with a unified diff that names its file.
func StartsUnified(lines []string) bool { return (&reader{lines: lines}).startsUnified() }

// maxBeforeOther is how many lines a context diff has before and with that of stars.
const maxBeforeOther = 4

// Unified reads unified diffs, one block for each hunk, removal and renaming. The numbers of the @@ lines may be wrong
// or missing. fenced is set if all lines belong to the diffs, as in a code fence: then the first may lack the lines
// that name its file. Otherwise end is the line after the last one that belongs to them.
func Unified(lines []string, fenced bool) (pieces []Piece, end int) {
	r := &reader{lines: lines, fenced: fenced}
	end = len(lines)
	for r.more() {
		switch {
		case r.startsUnified():
			from := r.n
			r.readFile(r.readUnifiedHeader(), from)
		case fenced && len(r.pieces) == 0 && slices.ContainsFunc(lines[r.n:min(r.n+maxBeforeOther, len(lines))], isOtherDiff):
			r.n = len(lines)
			r.addProblem(0, false, "is in a form that is not read: only unified diffs are")
		case fenced && len(r.pieces) == 0 && (strings.HasPrefix(r.line(0), "@@") || isChange(r.line(0))):
			r.readFile(header{}, r.n)
		case fenced || text.IsBlank(r.line(0)):
			r.n++
			continue
		default:
			end = r.n
			for end > 0 && text.IsBlank(lines[end-1]) {
				end--
			}
			for i := range r.pieces {
				r.pieces[i].To = min(r.pieces[i].To, end)
			}
			return r.pieces, end
		}
		end = r.n
	}
	if fenced {
		end = len(lines)
	}
	return r.pieces, end
}

// readFile reads the hunks of one file.
func (r *reader) readFile(head header, from int) {
	names, first := head.names(), len(r.pieces)
	var removed []string
	for r.more() && !r.startsUnified() && (r.fenced || strings.HasPrefix(r.line(0), "@@")) {
		h, start := hunk{old: -1, now: -1}, r.n
		for strings.HasPrefix(r.line(0), "@@") {
			h.readHeader(r.line(0))
			r.n++
		}
		r.readBody(&h, func() bool { return strings.HasPrefix(r.line(0), "@@") || r.startsUnified() })
		if h.isMerge {
			head.problem = "is the diff of a merge, which is not read"
		}
		if head.problem != "" || !slices.ContainsFunc(h.lines, func(s string) bool { return s != "" }) {
			continue
		}
		b, problem := hunkOf(h, block.FormatUnified, names, head.created || head.from == "" && h.old == 0)
		switch {
		case head.removed:
			removed = append(removed, b.Find...)
		case problem != "":
			r.addProblem(start, false, problem)
		default:
			r.add(start, b)
			r.pieces[len(r.pieces)-1].Short = h.isShort()
		}
	}
	if len(r.pieces) > first {
		r.pieces[first].From = from
	}
	r.finishFile(head, names, removed, from, first)
	if len(r.pieces) == first && len(names) > 0 {
		r.addProblem(from, false, "names "+names[0]+" and changes nothing")
	}
}

// finishFile adds what a diff does with a file as a whole.
func (r *reader) finishFile(head header, names, removed []string, from, first int) {
	b := block.Block{Format: block.FormatUnified, Candidates: names}
	if len(names) > 0 {
		b.Path = names[0]
	}
	if n := len(r.pieces); n > first {
		from = r.pieces[n-1].From
	}
	isBlock := func(c Piece) bool { return c.Problem == "" }
	acts := head.stated || len(removed) > 0 || slices.ContainsFunc(r.pieces[first:], isBlock) // the names alone do nothing
	switch {
	case head.problem != "":
		r.addProblem(from, false, head.problem)
		return
	case len(names) == 0:
		return
	case head.created && len(r.pieces) == first:
		b.Create = true
		r.add(from, b)
	case acts && head.removed:
		b.Remove = true
		block.SetHalves(&b, removed, nil)
		r.add(from, b)
	case acts && head.rename != "" && head.rename != b.Path:
		b.MoveTo, b.Candidates = head.rename, names[:1]
		r.addToFile(from, first, b)
	}
	if head.minor != "" {
		r.addProblem(from, true, head.minor)
	}
}
