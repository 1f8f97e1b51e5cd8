package record

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/text"
)

// Bounds on the diffs that are recorded, in bytes and lines.
const (
	maxDiff      = 6000
	maxDiffs     = 150_000 // of all blocks of a reply
	maxDiffLines = 150
	maxDiffLine  = 300
	// maxDiffed is the longest run of lines that is compared; for longer ones, all old lines come before all new ones.
	maxDiffed = 2000
)

// lineDiff is a hunk of a unified diff.
type lineDiff struct {
	head           string
	lines          []string
	added, removed int
}

// diffOf returns what an applied block changed in the file, or what another block asks for. Results are masked before.
func diffOf(r engine.Result) lineDiff {
	e := cmp.Or(r.Quoted, r.Edit)
	switch hasBlock := len(r.Block.Find)+len(r.Block.Replace) > 0; {
	case e == nil && !hasBlock && r.Conflict != nil: // of an undo
		return newDiff(r.Conflict.Base.Lines, r.Conflict.Ours.Lines)
	case e == nil:
		return newDiff(r.Block.Find, r.Block.Replace)
	}
	d := newDiff(e.Removed, e.Added)
	from := e.Line - 1 - len(e.ContextBefore)
	to := e.Line - 1 + len(e.ContextAfter)
	d.head = text.Hunk{From: from, To: to + len(e.Removed), NewFrom: from, NewTo: to + len(e.Added)}.Header()
	d.lines = append(append(marked(" ", e.ContextBefore), d.lines...),
		marked(" ", e.ContextAfter)...)
	return d
}

func newDiff(out, in []string) lineDiff {
	lines := append(marked("-", out), marked("+", in)...)
	if len(out) > 0 && len(in) > 0 && len(out)+len(in) <= maxDiffed {
		lines = compared(out, in)
	}
	d := lineDiff{lines: lines}
	for _, line := range lines {
		switch line[0] {
		case '+':
			d.added++
		case '-':
			d.removed++
		}
	}
	return d
}

// compared returns the shortest way from one run of lines to another.
func compared(out, in []string) []string {
	var lines []string
	at := 0
	for _, h := range text.Diff(nil, out, in) {
		lines = append(lines, marked(" ", out[at:h.From])...)
		lines = append(lines, marked("-", out[h.From:h.To])...)
		lines = append(lines, marked("+", in[h.NewFrom:h.NewTo])...)
		at = h.To
	}
	return append(lines, marked(" ", out[at:])...)
}

func marked(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = mark + line
	}
	return out
}

// text returns the diff in at most room bytes: its first lines, and how many more there are; empty if there is no room
// for one.
func (d lineDiff) text(room int) string {
	if len(d.lines) == 0 { // of an empty file that is removed
		return ""
	}
	var b strings.Builder
	if d.head != "" {
		b.WriteString(d.head + "\n")
	}
	for i, line := range d.lines {
		line = markdown.Clip(line, maxDiffLine) + "\n"
		if i == maxDiffLines || b.Len()+len(line)+40 > room {
			if i == 0 {
				return ""
			}
			fmt.Fprintf(&b, "… and %s more %s\n", humanize.Comma(int64(len(d.lines)-i)),
				english.PluralWord(len(d.lines)-i, "line", ""))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
