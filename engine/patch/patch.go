// Package patch reads unified diffs, and patches between *** Begin Patch and *** End Patch, as edit blocks. It is pure,
// and takes time linear in the length of its input.
package patch

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Piece is a part of a patch: a block, or what is wrong with the lines that would be one.
type Piece struct {
	// From and To are its lines: [From,To) of those read.
	From, To int
	// Block has no path if the diff names no file; Raw, Line and EndLine are not set.
	Block block.Block
	// Problem is what is wrong, in a clause such as "has no line to find"; empty if there is a block. Minor is set if
	// nothing of the content of a file is lost by it.
	Problem string
	Minor   bool
	// Short is set if the block is a hunk that has fewer lines than its header states.
	Short bool
}

// reader reads the lines of a patch.
type reader struct {
	lines []string
	n     int // the next line
	// fenced is set if all lines belong to the patch, as in a code fence.
	fenced bool
	pieces []Piece
}

func (r *reader) more() bool { return r.n < len(r.lines) }

// line returns the line i after the next one, or "" behind the last.
func (r *reader) line(i int) string {
	if r.n+i < len(r.lines) {
		return r.lines[r.n+i]
	}
	return ""
}

func (r *reader) add(from int, b block.Block) {
	r.pieces = append(r.pieces, Piece{From: from, To: r.n, Block: b})
}

// addToFile adds a block about a file as a whole, of which the pieces from first on are. It shares the lines of the
// last one.
func (r *reader) addToFile(from, first int, b block.Block) {
	r.add(from, b)
	if n := len(r.pieces); n-1 > first {
		r.pieces[n-1].From, r.pieces[n-1].To = r.pieces[n-2].From, r.pieces[n-2].To
	}
}

func (r *reader) addProblem(from int, minor bool, text string) {
	r.pieces = append(r.pieces, Piece{From: from, To: r.n, Problem: text, Minor: minor})
}

// hunkOf returns the block of a hunk, or says why it is none. fresh is set for the hunk of a new file.
func hunkOf(h hunk, format block.Format, names []string, fresh bool) (b block.Block, problem string) {
	b = block.Block{Format: format, Candidates: names, At: h.at, Scope: h.scope}
	if len(names) > 0 {
		b.Path = names[0]
	}
	find, replace := Halves(h.lines, func(string) bool { return true })
	block.SetHalves(&b, find, replace)
	b.Ending, b.Hunk = h.ending, h.lines
	if !text.AllBlank(b.Find) {
		return b, ""
	}
	if !fresh {
		return b, "has neither a removed line nor a line of context, so that its place is unknown"
	}
	block.SetHalves(&b, nil, replace)
	b.Create, b.Hunk = true, nil
	return b, ""
}

// cutToken returns what is after a token at the start of a line.
func cutToken(line, token string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(line, token)
	return strings.TrimSpace(rest), ok
}
