// Package text has the lines of files: their bytes, which edits keep, and what searches and comparisons need of them.
// It is pure.
package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/meter"
)

// BOM is a byte order mark in UTF-8.
const BOM = "\ufeff"

// ending is what ends a line.
type ending string

const (
	none     ending = "" // at the end of a file
	lineFeed ending = "\n"
	crlf     ending = "\r\n"
)

// Text is the content of a file, split into lines without loss: joined again, unchanged lines have the same bytes. Not
// safe for concurrent use.
type Text struct {
	// Work is the budget of whatever reads the text; nil sets no bound.
	Work *meter.Work
	// ASCIIOnly is set if the file is text in an encoding other than UTF-8, so that only ASCII may be added.
	ASCIIOnly bool

	bom   string
	lines []string
	ends  []ending
	first ending // the first one that the file had, for lines that have none beside them
	size  int    // in bytes
	known known
}

// Edit replaces the lines [From,To) of a file by Lines.
type Edit struct {
	From, To int
	Lines    []string
}

// openPasses is how many fast passes over a file it takes to open it.
const openPasses = 4

// New returns the text of a file, whose bytes it does not keep.
func New(w *meter.Work, data []byte) *Text {
	w.SpendBytes(openPasses * len(data))
	t := &Text{Work: w, ASCIIOnly: !utf8.Valid(data), size: len(data)}
	s := string(data)
	if rest, ok := strings.CutPrefix(s, BOM); ok {
		t.bom, s = BOM, rest
	}
	n := strings.Count(s, "\n") + 1
	w.Spend(2 * n)
	t.lines, t.ends = make([]string, 0, n), make([]ending, 0, n)
	for s != "" {
		line, end := s, none
		if i := strings.IndexByte(s, '\n'); i > 0 && s[i-1] == '\r' {
			line, end = s[:i-1], crlf
		} else if i >= 0 {
			line, end = s[:i], lineFeed
		}
		s = s[len(line)+len(end):]
		t.lines, t.ends = append(t.lines, line), append(t.ends, end)
	}
	if t.first = lineFeed; len(t.ends) > 0 && t.ends[0] != none {
		t.first = t.ends[0]
	}
	return t
}

// Of returns a text of lines, without endings, for what is compared with a file.
func Of(w *meter.Work, lines ...[]string) *Text {
	t := &Text{Work: w, lines: slices.Concat(lines...)}
	t.ends = make([]ending, len(t.lines))
	for _, s := range t.lines {
		t.size += len(s)
	}
	return t
}

// Lines returns the lines without their endings. They must not be modified, and are valid until the next edit.
func (t *Text) Lines() []string { return t.lines }

// WholeLines returns the lines with their endings.
func (t *Text) WholeLines() []string {
	t.Work.Spend(3 * len(t.lines))
	out := make([]string, len(t.lines))
	for i, s := range t.lines {
		out[i] = s + string(t.ends[i])
	}
	return out
}

// HasBOM reports whether the file begins with a byte order mark.
func (t *Text) HasBOM() bool { return t.bom != "" }

// Size returns the size of the file in bytes.
func (t *Text) Size() int { return t.size }

// Bytes returns the content of the file.
func (t *Text) Bytes() []byte {
	out := append(make([]byte, 0, t.size), t.bom...)
	for i, s := range t.lines {
		out = append(append(out, s...), t.ends[i]...)
	}
	return out
}

// After returns the text after edits, in order.
func (t *Text) After(edits []Edit) *Text {
	after := &Text{
		Work: t.Work, ASCIIOnly: t.ASCIIOnly, bom: t.bom, first: t.first, size: t.size,
		lines: slices.Clone(t.lines), ends: slices.Clone(t.ends),
	}
	after.Splice(edits)
	return after
}

// Splice makes edits, in order. A line that replaces another keeps its line ending; an added one gets that of the line
// above it, else of the line below, else the first that the file had, else "\n". If the last line of the file is
// replaced, or lines are added after it, the file ends with a line ending.
func (t *Text) Splice(edits []Edit) {
	t.Work.Spend(len(t.lines))
	fresh := make([][]ending, len(edits))
	for i, e := range slices.Backward(edits) {
		fresh[i] = t.endings(e)
		for n := e.From; n < e.To; n++ {
			t.size -= len(t.lines[n]) + len(t.ends[n])
		}
		for k, s := range e.Lines {
			t.size += len(s) + len(fresh[i][k])
		}
	}
	if len(edits) == 1 { // which needs no copy of the lines before
		e := edits[0]
		t.lines, t.ends = slices.Replace(t.lines, e.From, e.To, e.Lines...), slices.Replace(t.ends, e.From, e.To, fresh[0]...)
	} else {
		var lines []string
		var ends []ending
		done := 0
		for i, e := range edits {
			lines, ends = append(append(lines, t.lines[done:e.From]...), e.Lines...),
				append(append(ends, t.ends[done:e.From]...), fresh[i]...)
			done = e.To
		}
		t.lines, t.ends = append(lines, t.lines[done:]...), append(ends, t.ends[done:]...)
	}
	t.known = known{}
}

// endings returns the line endings of the lines of an edit. It ends a last line that lines are added after.
func (t *Text) endings(e Edit) []ending {
	fresh := make([]ending, len(e.Lines))
	end := t.endingAbove(e.From)
	if e.From > 0 && len(e.Lines) > 0 && t.ends[e.From-1] == none {
		t.ends[e.From-1] = end
		t.size += len(end)
	}
	for i := range e.Lines {
		if e.From+i < e.To && t.ends[e.From+i] != none {
			end = t.ends[e.From+i]
		}
		fresh[i] = end
	}
	return fresh
}

// endingAbove returns the line ending for a line that is added before line n: that of the nearest line above that has
// one, else of line n, else the first that the file had.
func (t *Text) endingAbove(n int) ending {
	for i := n - 1; i >= 0; i-- {
		if t.ends[i] != none {
			return t.ends[i]
		}
	}
	if n < len(t.ends) && t.ends[n] != none {
		return t.ends[n]
	}
	return t.first
}

// IsEnded reports whether the last line has a line ending, or there is none.
func (t *Text) IsEnded() bool { return len(t.ends) == 0 || t.ends[len(t.ends)-1] != none }

// Unend removes the line ending of the last line.
func (t *Text) Unend() {
	if n := len(t.ends); n > 0 {
		t.size -= len(t.ends[n-1])
		t.ends[n-1] = none
	}
}

// UseLineFeeds ends every line with a line feed only.
func (t *Text) UseLineFeeds() {
	for i, end := range t.ends {
		if end != none {
			s := strings.TrimRight(t.lines[i], "\r")
			t.size += len(s) + len(lineFeed) - len(t.lines[i]) - len(end)
			t.lines[i], t.ends[i] = s, lineFeed
		}
	}
	t.known = known{}
}

// Around returns the lines [from,to) and at most n more on either side; start is the first of them.
func (t *Text) Around(from, to, n int) (start int, lines []string) {
	start = max(from-n, 0)
	return start, slices.Clone(t.lines[start:min(to+n, len(t.lines))])
}
