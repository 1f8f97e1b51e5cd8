package markdown

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// page reads the text of a page of HTML. It keeps no tree of elements, but for lists and quotes: browsers repair a tree
// that does not fit by rules that take more than linear time on a hostile page.
type page struct {
	tokens     *html.Tokenizer
	visibility visibility
	lines      lines
	line       line
	// heading is the level of the heading that is read, head reports whether the row is the head of a table.
	heading int
	head    bool
	// row is set within the row of a table, which has so many cells so far.
	row   bool
	cells int
	block codeBlock
}

// A codeBlock is a block of code that is read.
type codeBlock struct {
	open     bool
	language string
	text     strings.Builder
}

func newPage(source []byte, targets bool) *page {
	return &page{
		tokens: html.NewTokenizer(bytes.NewReader(source)), visibility: newVisibility(source), line: line{targets: targets},
	}
}

// read returns the text of the page.
func (p *page) read() string {
	for {
		switch p.tokens.Next() {
		case html.ErrorToken:
			if !errors.Is(p.tokens.Err(), io.EOF) {
				return Unreadable
			}
			p.flush()
			return p.lines.out.String()
		case html.TextToken:
			p.text(p.visibility.seen(string(p.tokens.Text())))
		case html.CommentToken, html.DoctypeToken:
			p.visibility.declaration(p.tokens.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			e := elementOf(p.tokens)
			if e.name == "noscript" {
				p.tokens.NextIsNotRawText()
			}
			p.start(e)
		case html.EndTagToken:
			name, _ := p.tokens.TagName()
			p.end(string(name))
		}
	}
}

func (p *page) text(s string) {
	s = seen(s)
	if p.block.open {
		p.block.text.WriteString(s)
		return
	}
	if p.row {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	p.line.text(s)
}

// gaps are the elements that begin and end a paragraph, by the number of line ends that set it apart.
var gaps = map[string]int{
	"p": 2, "pre": 2, "blockquote": 2, "ul": 2, "ol": 2, "table": 2, "dl": 2, "hr": 2, "details": 2, "section": 2,
	"h1": 2, "h2": 2, "h3": 2, "h4": 2, "h5": 2, "h6": 2, "h7": 2, "h8": 2, "figure": 2,
	"li": 1, "div": 1, "tr": 1, "dt": 1, "dd": 1, "summary": 1, "caption": 1, "figcaption": 1, "thead": 1, "tbody": 1,
	"tfoot": 1, "article": 1, "header": 1, "footer": 1, "main": 1, "nav": 1, "aside": 1, "address": 1, "center": 1,
	"form": 1, "fieldset": 1, "legend": 1,
}

// start reads a start tag.
func (p *page) start(e element) {
	if gap := gaps[e.name]; gap > 0 {
		p.flush()
		p.lines.apart(gap)
	}
	switch e.name {
	case "blockquote", "ul", "ol", "li":
		p.lines.open(e)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		p.heading = int(e.name[1] - '0')
	case "pre":
		p.block.open = true
	case "code":
		if p.block.open && p.block.text.Len() == 0 {
			p.block.language = strings.TrimPrefix(e.attrs["class"], "language-")
		} else if !p.block.open {
			p.line.openCode()
		}
	case "a":
		p.line.openLink(e.attrs["href"])
	case "thead":
		p.head = true
	case "tr":
		p.row = true
	}
	if p.visibility.hides() {
		p.visibility.start(e)
		return
	}
	switch e.name {
	case "br":
		p.text("\n")
	case "hr":
		p.lines.write("---")
		p.lines.apart(2)
	case "img":
		p.line.add(isRaw, "[image]")
	case "td", "th":
		if p.cells++; p.cells > 1 {
			p.line.add(isRaw, " | ")
		}
	}
	p.visibility.start(e)
}

// end reads an end tag.
func (p *page) end(name string) {
	switch name {
	case "code":
		p.line.closeCode()
	case "a":
		p.line.closeLink()
	case "pre":
		p.closeBlock()
	}
	columns := p.cells
	if gap := gaps[name]; gap > 0 {
		p.flush()
		p.lines.apart(gap)
	}
	switch name {
	case "blockquote", "ul", "ol", "li":
		p.lines.close(name)
	case "tr", "table":
		p.row = false
		if p.head && columns > 0 {
			p.lines.write(strings.Join(slices.Repeat([]string{"---"}, columns), " | "))
		}
	case "thead":
		p.head = false
	}
	p.visibility.end(name)
}

// flush writes the paragraph that was read.
func (p *page) flush() {
	p.closeBlock()
	text := p.line.close()
	if text != "" && p.heading > 0 {
		text = strings.Repeat("#", p.heading) + " " + text
	}
	p.heading, p.cells = 0, 0
	if text == "" {
		return
	}
	for part := range strings.SplitSeq(text, "\n") {
		p.lines.write(part)
	}
}

// closeBlock writes the block of code that was read.
func (p *page) closeBlock() {
	if !p.block.open {
		return
	}
	language, text := p.block.language, strings.Trim(p.block.text.String(), "\n")
	p.block = codeBlock{}
	if strings.TrimSpace(text) == "" {
		return
	}
	if drawn := drawnFor(language, text); drawn != "" {
		p.lines.write(drawn)
		return
	}
	fence := strings.Repeat("`", max(3, LongestRun(text, '`')+1))
	if !languages[strings.ToLower(language)] {
		language = ""
	}
	p.lines.write(fence + language)
	for part := range strings.SplitSeq(text, "\n") {
		p.lines.write(beforeGap(part))
	}
	p.lines.write(fence)
}

// Unreadable replaces a text that is nested or made in a way that would keep a parser busy, as nobody writes
// one in earnest. It cannot be read as plain text, which would show what is hidden in it.
const Unreadable = "[A text that is too complex to be read]"
