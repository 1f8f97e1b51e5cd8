package patch

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// The lines that structure a patch.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File: "
	updateFile = "*** Update File: "
	deleteFile = "*** Delete File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
)

// StartsEnvelope reports whether a patch begins at a line: with *** Begin Patch, or without it with its first file.
func StartsEnvelope(line string) bool {
	if !strings.HasPrefix(line, "*** ") {
		return false
	}
	return strings.HasPrefix(line, beginPatch) || isFileLine(line)
}

func isFileLine(line string) bool {
	return strings.HasPrefix(line, addFile) || strings.HasPrefix(line, updateFile) || strings.HasPrefix(line, deleteFile)
}

// BeginsEnvelope reports whether lines begin with *** Begin Patch and the line of a file.
func BeginsEnvelope(lines []string) bool {
	return len(lines) > 1 && strings.HasPrefix(lines[0], beginPatch) && isFileLine(lines[1])
}

// EndsEnvelope reports whether a line is *** End Patch.
func EndsEnvelope(line string) bool { return strings.TrimRight(line, " \t") == endPatch }

// Envelope reads a patch, one block for each change, removal and renaming. end is the line after the last one that
// belongs to it; closed reports whether that is *** End Patch.
func Envelope(lines []string) (pieces []Piece, end int, closed bool) {
	r := &reader{lines: lines, fenced: true}
	if strings.HasPrefix(r.line(0), beginPatch) {
		r.n++
	}
	for r.more() {
		s := strings.TrimRight(r.line(0), " \t")
		switch {
		case EndsEnvelope(s):
			r.n++
			return r.pieces, r.n, true
		case isFileLine(r.line(0)):
			r.readPatched(r.line(0))
		case s == "":
			r.n++
		case strings.HasPrefix(s, beginPatch) && len(r.pieces) > 0:
			last := &r.pieces[len(r.pieces)-1]
			*last = Piece{From: last.From, To: last.To, Problem: "has another patch in it, so that its end is unknown"}
			return r.pieces, len(lines), false
		default:
			return r.pieces, r.n, false
		}
	}
	return r.pieces, r.n, false
}

// readPatched reads what the patch does with one file.
func (r *reader) readPatched(s string) {
	from := r.n
	r.n++
	b := block.Block{Format: block.FormatPatch}
	name := func(token string) bool {
		rest, ok := cutToken(s, token)
		if b.Path = strings.Trim(rest, "`\""); ok && b.Path != "" {
			b.Candidates = []string{b.Path}
		}
		return ok
	}
	switch {
	case name(deleteFile):
		b.Remove = true
		r.add(from, b)
	case name(addFile):
		b.Create = true
		block.SetHalves(&b, nil, r.readAdded())
		r.add(from, b)
	case name(updateFile):
		if to, ok := cutToken(r.line(0), moveTo); ok {
			b.MoveTo = strings.Trim(to, "`\"")
			r.n++
		}
		first := len(r.pieces)
		names := b.Candidates
		if b.MoveTo != "" && b.Path != "" {
			names = []string{b.Path, b.MoveTo} // if the file is renamed already
		}
		r.readChanges(names)
		if len(r.pieces) > first {
			r.pieces[first].From = from
		}
		switch {
		case b.MoveTo != "" && b.MoveTo != b.Path:
			r.addToFile(from, first, b)
		case len(r.pieces) == first:
			r.addProblem(from, false, "names "+b.Path+" and changes nothing")
		}
	}
}

// isToken reports whether the next line belongs to the structure of the patch, and not to a change.
func (r *reader) isToken() bool {
	s := r.line(0)
	return strings.HasPrefix(s, "*** ") && (isFileLine(s) ||
		slices.ContainsFunc([]string{beginPatch, endPatch, endOfFile, moveTo}, func(token string) bool {
			return strings.HasPrefix(s, token)
		}))
}

// readAdded reads the content of a new file, whose lines begin with a plus sign. Where all lack it, they are the
// content.
func (r *reader) readAdded() (lines []string) {
	plus := false
	for ; r.more() && !r.isToken(); r.n++ {
		lines = append(lines, r.line(0))
		plus = plus || strings.HasPrefix(r.line(0), "+")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i := range lines {
		if plus {
			lines[i] = strings.TrimPrefix(lines[i], "+")
		}
	}
	return lines
}

// readChanges reads the changes of one file.
func (r *reader) readChanges(names []string) {
	for r.more() && (!r.isToken() || strings.HasPrefix(r.line(0), endOfFile)) {
		h, start := hunk{old: -1, now: -1}, r.n
		for strings.HasPrefix(r.line(0), "@@") {
			h.readHeader(r.line(0))
			r.n++
		}
		r.readBody(&h, func() bool { return strings.HasPrefix(r.line(0), "@@") || r.isToken() })
		if strings.HasPrefix(r.line(0), endOfFile) {
			r.n++
		}
		if text.AllBlank(h.lines) {
			if r.n == start {
				r.n++
			}
			continue
		}
		if b, problem := hunkOf(h, block.FormatPatch, names, false); problem != "" {
			r.addProblem(start, false, problem)
		} else {
			r.add(start, b)
		}
	}
}
