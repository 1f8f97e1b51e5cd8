package gfm

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/net/html"

	"github.com/tenon-bot/tenon/internal/terminal"
)

// inlineStyles are those of the elements within a line.
var inlineStyles = map[string]terminal.Style{
	"b": terminal.Bold, "strong": terminal.Bold, "i": terminal.Italic, "em": terminal.Italic, "cite": terminal.Italic,
	"dfn": terminal.Italic, "var": terminal.Italic, "code": terminal.Cyan, "tt": terminal.Cyan, "kbd": terminal.Cyan,
	"samp": terminal.Cyan, "del": terminal.Struck, "s": terminal.Struck, "strike": terminal.Struck,
	"sub": terminal.Dim, "sup": terminal.Dim, "small": terminal.Dim,
}

// inlines collects the text in an element.
func (l *layout) inlines(spans *[]span, n *html.Node, style terminal.Style) {
	for child := range n.ChildNodes() {
		l.inline(spans, child, style)
	}
}

// inline collects the text of a node. A line's end in it is one of the comment; other white space is a blank.
func (l *layout) inline(spans *[]span, n *html.Node, style terminal.Style) {
	add := func(style terminal.Style, text string) { *spans = append(*spans, span{style, text}) }
	switch {
	case n.Type == html.TextNode:
		add(style, safe(n.Data))
		return
	case n.Type != html.ElementNode:
		return
	}
	if own := inlineStyles[n.Data]; own != "" && style != "" {
		style += ";" + own
	} else if own != "" {
		style = own
	}
	switch n.Data {
	case "br":
		add("", "\n")
	case "input":
		box := "[ ] "
		if hasAttr(n, "checked") {
			box = "[x] "
		}
		add(style, box)
	case "a":
		l.inlines(spans, n, style)
		if href := safe(attr(n, "href")); href != "" && href != safe(textOf(n)) {
			add(terminal.Dim, " ("+href+")")
		}
	case "code", "tt":
		quote := "`" // where no colour tells code from text
		if l.On {
			quote = ""
		}
		add(style, quote)
		l.inlines(spans, n, style)
		add(style, quote)
	default:
		l.inlines(spans, n, style)
	}
}

// safe returns text without line ends and with all that a terminal would obey escaped. A blank that does not break a
// line is shown as one that does.
func safe(text string) string {
	return terminal.Escape(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\t', '\u00a0':
			return ' '
		}
		return r
	}, text))
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for child := range n.ChildNodes() {
		b.WriteString(textOf(child))
	}
	return b.String()
}

func widthOf(spans []span) (width int) {
	for _, s := range spans {
		width += displaywidth.String(s.text)
	}
	return width
}

// paragraph shows text, broken where a line is full.
func (l *layout) paragraph(spans []span) {
	var line []span
	width, started := 0, false
	emit := func() {
		if !started && len(line) == 0 {
			return
		}
		var b strings.Builder
		for i := 0; i < len(line); {
			style, text := line[i].style, ""
			for ; i < len(line) && line[i].style == style; i++ {
				text += line[i].text
			}
			b.WriteString(l.Paint(style, text))
		}
		if !started {
			l.gap()
		}
		l.emit(b.String())
		line, width, started = nil, 0, true
	}
	for _, word := range words(spans) {
		switch {
		case word == nil:
			emit()
			continue
		case len(line) > 0 && width+1+widthOf(word) > l.room():
			emit()
		case len(line) > 0:
			blank := span{text: " "}
			if last := line[len(line)-1].style; last == word[0].style {
				blank.style = last
			}
			line = append(line, blank)
			width++
		}
		line = append(line, word...)
		width += widthOf(word)
	}
	if len(line) > 0 {
		emit()
	}
}

// words splits text at blanks. A nil word is the end of a line.
func words(spans []span) (all [][]span) {
	var word []span
	end := func() {
		if len(word) > 0 {
			all = append(all, word)
		}
		word = nil
	}
	for _, s := range spans {
		if s.text == "\n" {
			end()
			all = append(all, nil)
			continue
		}
		for i, part := range strings.Split(s.text, " ") {
			if i > 0 {
				end()
			}
			if part != "" {
				word = append(word, span{s.style, part})
			}
		}
	}
	end()
	return all
}
