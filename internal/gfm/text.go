package gfm

import (
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/net/html"

	"github.com/tenon-bot/tenon/internal/terminal"
)

// Terminal is how comments are shown in a terminal.
type Terminal struct {
	terminal.Palette
	// Width is that of a line in cells. Code is not broken.
	Width int
	// Open shows what is in folds; else closed ones are shown as their titles, as GitHub does.
	Open bool
	// Gone is the address of a server whose links lead nowhere. Of other links the target is shown too.
	Gone string
}

// Lines returns a comment as lines for a terminal, in which all that somebody else wrote is escaped.
func (t Terminal) Lines(markdown string) ([]string, error) {
	text, err := HTML(markdown, t.Gone)
	if err != nil {
		return nil, err
	}
	body, err := parseBody(text)
	if err != nil {
		return nil, err
	}
	l := &layout{Terminal: t}
	l.blocks(body)
	for len(l.lines) > 0 && l.lines[len(l.lines)-1] == "" {
		l.lines = l.lines[:len(l.lines)-1]
	}
	return l.lines, nil
}

// layout lays out the blocks of a comment.
type layout struct {
	Terminal
	lines []string
	// margin is before each line, and next before the next one: it may have a bullet.
	margin, next string
	// fresh says that nothing was laid out yet at this margin.
	fresh bool
}

// span is text of one style.
type span struct {
	style terminal.Style
	text  string
}

// blocks lays out what is in an element: blocks, and paragraphs of what is between them.
func (l *layout) blocks(n *html.Node) {
	var spans []span
	flush := func() {
		l.paragraph(spans)
		spans = nil
	}
	for child := range n.ChildNodes() {
		if isBlock(child) {
			flush()
			l.block(child)
			continue
		}
		l.inline(&spans, child, "")
	}
	flush()
}

func isBlock(n *html.Node) bool {
	switch n.Data {
	case "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "hr",
		"table", "details", "summary", "figure", "figcaption":
		return n.Type == html.ElementNode
	}
	return false
}

func (l *layout) block(n *html.Node) {
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		var spans []span
		l.inlines(&spans, n, terminal.Bold)
		l.paragraph(spans)
	case "pre":
		l.gap()
		l.within("  ", "  ", func() { l.code(n) })
	case "blockquote":
		l.gap()
		l.within("▎ ", "▎ ", func() { l.blocks(n) })
	case "ul", "ol":
		l.list(n)
	case "hr":
		l.gap()
		l.emit(l.Paint(terminal.Dim, strings.Repeat("─", max(3, l.room()))))
	case "table":
		l.table(n)
	case "details":
		l.fold(n)
	case "p", "div":
		l.gap()
		l.blocks(n)
	default:
		l.blocks(n)
	}
}

// fold shows the title of a fold and, if it is open, what is in it.
func (l *layout) fold(n *html.Node) {
	open := l.Open || hasAttr(n, "open")
	title := []span{{text: "Details"}}
	rest := &html.Node{Type: html.ElementNode, Data: "div"}
	for child := n.FirstChild; child != nil; child = n.FirstChild {
		n.RemoveChild(child)
		if child.Data == "summary" && child.Type == html.ElementNode {
			title = nil
			l.inlines(&title, child, terminal.Bold)
			continue
		}
		rest.AppendChild(child)
	}
	l.gap()
	mark := "▸ "
	if open {
		mark = "▾ "
	}
	l.within(mark, "  ", func() {
		l.paragraph(title)
		if open {
			l.blocks(rest)
		}
	})
}

func (l *layout) list(n *html.Node) {
	if !l.fresh && (n.Parent == nil || n.Parent.Data != "li") {
		l.gap()
	}
	number := 0
	if n.Data == "ol" {
		number = 1
		if start, err := strconv.Atoi(attr(n, "start")); err == nil {
			number = start
		}
	}
	loose, first := hasBlocks(n), true
	for item := range n.ChildNodes() {
		if item.Type != html.ElementNode {
			continue
		}
		if loose && !first {
			l.gap()
		}
		first = false
		bullet := "• "
		if n.Data == "ol" {
			bullet = strconv.Itoa(number) + ". "
			number++
		}
		l.within(bullet, strings.Repeat(" ", len([]rune(bullet))), func() { l.blocks(item) })
	}
}

// hasBlocks reports whether an item of a list has more than a line of text, or is one of several paragraphs.
func hasBlocks(list *html.Node) bool {
	for item := range list.ChildNodes() {
		for child := range item.ChildNodes() {
			if child.Type == html.ElementNode && (child.Data == "p" || child.Data == "pre") {
				return true
			}
		}
	}
	return false
}

// within lays out blocks with more margin, which is another in the first line.
func (l *layout) within(first, rest string, do func()) {
	margin := l.margin
	l.next, l.margin, l.fresh = l.next+first, l.margin+rest, true
	do()
	if l.fresh { // a bullet without text
		l.emit("")
	}
	l.margin, l.next = margin, margin
}

// gap leaves a blank line before a block, unless there is one or it is the first at its margin.
func (l *layout) gap() {
	if n := len(l.lines); n > 0 && !l.fresh && strings.TrimSpace(l.lines[n-1]) != strings.TrimSpace(l.margin) {
		l.emit("")
	}
}

func (l *layout) emit(line string) {
	l.lines = append(l.lines, strings.TrimRight(l.next+line, " "))
	l.next, l.fresh = l.margin, false
}

// room is how many cells are left of a line.
func (l *layout) room() int { return max(20, l.Width-displaywidth.String(l.margin)) }

// code shows the lines of a block of code as they are, but for what a terminal would obey.
func (l *layout) code(n *html.Node) {
	var line strings.Builder
	var walk func(n *html.Node, style terminal.Style)
	walk = func(n *html.Node, style terminal.Style) {
		switch n.Type {
		case html.TextNode:
			for part := range strings.Lines(n.Data) {
				text := terminal.Escape(strings.ReplaceAll(strings.TrimRight(part, "\n"), "\t", "    "))
				line.WriteString(l.Paint(style, text))
				if strings.HasSuffix(part, "\n") {
					l.emit(line.String())
					line.Reset()
				}
			}
		case html.ElementNode:
			switch attr(n, "class") {
			case "pl-mi1":
				style = terminal.Green
			case "pl-md":
				style = terminal.Red
			case "pl-mdr":
				style = terminal.Cyan
			}
			for child := range n.ChildNodes() {
				walk(child, style)
			}
		}
	}
	walk(n, "")
	if line.Len() > 0 {
		l.emit(line.String())
	}
}

// table shows a table in columns if it is narrow enough, and else each row as a paragraph.
func (l *layout) table(n *html.Node) {
	var rows [][][]span
	var widths []int
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Data != "tr" {
			for child := range n.ChildNodes() {
				walk(child)
			}
			return
		}
		var row [][]span
		for cell := range n.ChildNodes() {
			if cell.Data != "td" && cell.Data != "th" {
				continue
			}
			var spans []span
			var style terminal.Style
			if cell.Data == "th" {
				style = terminal.Bold
			}
			l.inlines(&spans, cell, style)
			if len(row) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(row)] = max(widths[len(row)], widthOf(spans))
			row = append(row, spans)
		}
		rows = append(rows, row)
	}
	walk(n)
	total := 0
	for _, width := range widths {
		total += width + 3
	}
	l.gap()
	for _, row := range rows {
		if total > l.room() {
			l.within("• ", "  ", func() { l.paragraph(join(row, span{text: " · "})) })
			continue
		}
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString(" │ ")
			}
			for _, s := range cell {
				b.WriteString(l.Paint(s.style, s.text))
			}
			b.WriteString(strings.Repeat(" ", widths[i]-widthOf(cell)))
		}
		l.emit(b.String())
	}
}

func join(row [][]span, between span) (all []span) {
	for i, cell := range row {
		if i > 0 {
			all = append(all, between)
		}
		all = append(all, cell...)
	}
	return all
}
