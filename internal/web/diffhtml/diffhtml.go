// Package diffhtml renders diffs as HTML: below each other or side by side, with the changed words marked and the
// colours of the language. What it renders is bounded and escaped, whatever people and models wrote.
package diffhtml

import (
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/meter"
)

const (
	// maxLines bounds the lines of a diff, maxLine the bytes that are shown of one.
	maxLines = 2000
	maxLine  = 2000
	// maxName bounds a path where it names a diff, in bytes.
	maxName = 300
	// before is how much is shown before the first change of a line that is too long, in bytes.
	before = 200
)

// Painter renders the diffs of a page, which share the work for their colours. Not safe for concurrent use.
type Painter struct{ work *meter.Work }

// New returns a Painter that takes the work for colours from w. What comes after w is used up has none.
func New(w *meter.Work) *Painter { return &Painter{w} }

// UsedUp reports whether the work is used up, so that what was rendered last may lack colours.
func (p *Painter) UsedUp() bool { return p.work.UsedUp() }

// Unified renders a diff with the lines of both sides below each other. path tells the language.
func (p *Painter) Unified(path string, d view.Diff) template.HTML {
	b := start("diff", path, d)
	room := maxLines
	for _, h := range d.Hunks {
		hunkHead(b, h)
		colours := p.colours(path, h)
		for i, line := range h.Lines[:min(len(h.Lines), room)] {
			fmt.Fprintf(b, "<tr%s><td class=l>%s<td class=l>%s<td class=s>%s<td class=c>", classOf(line.Kind),
				number(line.Old), number(line.New), sign(line.Kind))
			code(b, line, colours[i])
			b.WriteByte('\n')
		}
		if room -= len(h.Lines); room <= 0 {
			break
		}
	}
	return end(b, d.Cut || room < 0, 4)
}

// Split renders a diff with the old side on the left and the new one on the right.
func (p *Painter) Split(path string, d view.Diff) template.HTML {
	b := start("diff split", path, d)
	room := maxLines
	for _, h := range d.Hunks {
		hunkHead(b, h)
		colours := p.colours(path, h)
		rows := rows(h.Lines)
		for _, row := range rows[:min(len(rows), room)] {
			b.WriteString("<tr>")
			if row.left < 0 {
				b.WriteString(noLine)
			} else {
				side(b, h.Lines[row.left], h.Lines[row.left].Old, colours[row.left])
			}
			if row.right < 0 {
				b.WriteString(noLine)
			} else {
				side(b, h.Lines[row.right], h.Lines[row.right].New, colours[row.right])
			}
			b.WriteByte('\n')
		}
		if room -= len(rows); room <= 0 {
			break
		}
	}
	return end(b, d.Cut || room < 0, 4)
}

// noLine is a side of a row without a line.
const noLine = "<td class=l><td class=c>"

// side writes one side of a row.
func side(b *strings.Builder, line view.Line, n int, colours []span) {
	class := map[view.LineKind]string{view.Added: " a", view.Removed: " d"}[line.Kind]
	fmt.Fprintf(b, `<td class="l%s">%s<td class="c%s">`, class, number(n), class)
	code(b, line, colours)
}

// Searched renders the lines of a file with which a block was compared, and below the first line that differs what the
// block has there.
func (p *Painter) Searched(path string, s view.Searched) template.HTML {
	h := view.Hunk{Old: s.Line, New: s.Line}
	for i, text := range s.Lines[:min(len(s.Lines), maxLines)] {
		h.Lines = append(h.Lines, view.Line{Kind: view.Context, Old: s.Line + i, New: s.Line + i, Text: text})
	}
	colours := p.colours(path, h)
	b := &strings.Builder{}
	fmt.Fprintf(b, "<div class=diff><table aria-label=\"%s\">\n", escaped("The closest match in "+name(path)))
	for i, line := range h.Lines {
		class := ""
		if line.New == s.Differs {
			class = " class=d"
		}
		fmt.Fprintf(b, "<tr%s><td class=l>%d<td class=s><td class=c>", class, line.New)
		code(b, line, colours[i])
		b.WriteByte('\n')
		if line.New == s.Differs {
			b.WriteString("<tr class=a><td class=l><td class=s>≠<td class=c>")
			code(b, view.Line{Text: s.Want}, nil)
			b.WriteByte('\n')
		}
	}
	return end(b, len(s.Lines) > maxLines, 3)
}

func start(class, path string, d view.Diff) *strings.Builder {
	b := &strings.Builder{}
	attributes := ""
	label := escaped(fmt.Sprintf("Changes of %s: %d added, %d removed", name(path), d.Added, d.Removed))
	if class != "diff" { // it may be wider than the page
		attributes = fmt.Sprintf(` tabindex="0" role="group" aria-label="%s"`, label)
	}
	fmt.Fprintf(b, "<div class=\"%s\"%s><table aria-label=\"%s\">\n", class, attributes, label)
	if class != "diff" {
		b.WriteString("<colgroup><col class=n><col><col class=n><col></colgroup>\n")
	}
	return b
}

// hunkHead writes where a hunk is, if that is known.
func hunkHead(b *strings.Builder, h view.Hunk) {
	if h.Old == 0 && h.New == 0 {
		return
	}
	fmt.Fprintf(b, "<tr class=h><td colspan=4>@@ -%d +%d @@\n", h.Old, h.New)
}

func end(b *strings.Builder, cut bool, columns int) template.HTML {
	if cut {
		fmt.Fprintf(b, "<tr class=h><td colspan=%d>The rest of this diff is not shown here.\n", columns)
	}
	b.WriteString("</table></div>\n")
	return template.HTML(b.String()) //nolint:gosec // all of it is written or escaped by this package
}

// code writes a line with its colours and marks. One with characters that are not seen as what they are has neither,
// but spells these out.
func code(b *strings.Builder, line view.Line, colours []span) {
	text := strings.TrimSuffix(line.Text, "\r")
	marks := line.Marks
	from := 0
	if len(text) > maxLine && len(marks) > 0 && marks[0][0] > maxLine/2 {
		from = boundary(text, min(marks[0][0], len(text))-before)
		b.WriteString("…")
	}
	to := len(text)
	if to > from+maxLine {
		to = boundary(text, from+maxLine)
	}
	if shown := text[from:to]; unusual.IsHidden(shown) || !utf8.ValidString(shown) {
		b.WriteString(escaped(shown))
	} else {
		paint(b, text, from, to, colours, marks)
	}
	if to < len(text) {
		fmt.Fprintf(b, "… <i class=soft>(%d more bytes)</i>", len(text)-to)
	}
}

// paint writes text[from:to] in spans of the colours, within marks.
func paint(b *strings.Builder, text string, from, to int, colours []span, marks [][2]int) {
	for at := from; at < to; {
		next, class, marked := to, "", false
		for len(colours) > 0 && colours[0].end <= at {
			colours = colours[1:]
		}
		if len(colours) > 0 {
			if s := colours[0]; s.start <= at {
				class, next = s.class, min(next, s.end)
			} else {
				next = min(next, s.start)
			}
		}
		for len(marks) > 0 && marks[0][1] <= at {
			marks = marks[1:]
		}
		if len(marks) > 0 {
			if m := marks[0]; m[0] <= at {
				marked, next = true, min(next, m[1])
			} else {
				next = min(next, m[0])
			}
		}
		for next < to && !utf8.RuneStart(text[next]) {
			next++
		}
		piece := html.EscapeString(text[at:next])
		if class != "" {
			piece = "<span class=" + class + ">" + piece + "</span>"
		}
		if marked {
			piece = "<mark>" + piece + "</mark>"
		}
		b.WriteString(piece)
		at = next
	}
}

// boundary returns the offset of the character at or before an offset.
func boundary(text string, at int) int {
	at = max(0, min(at, len(text)))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// escaped returns text for HTML, with characters spelled out that are not seen as what they are.
func escaped(text string) string {
	return html.EscapeString(unusual.Spelled(strings.ToValidUTF8(text, "�")))
}

// name returns a path as it names a diff.
func name(path string) string {
	if len(path) > maxName {
		return path[:boundary(path, maxName)] + "…"
	}
	return path
}

func classOf(k view.LineKind) string {
	return map[view.LineKind]string{view.Added: " class=a", view.Removed: " class=d"}[k]
}

func sign(k view.LineKind) string {
	return map[view.LineKind]string{view.Added: "+", view.Removed: "−"}[k]
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
