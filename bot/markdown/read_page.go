package markdown

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
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

// An element is the start tag of one.
type element struct {
	name  string
	attrs map[string]string
}

func elementOf(z *html.Tokenizer) element {
	name, more := z.TagName()
	e := element{name: string(name)}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if e.attrs == nil {
			e.attrs = map[string]string{}
		}
		if _, ok := e.attrs[string(key)]; !ok { // the first of a name counts
			e.attrs[string(key)] = string(value)
		}
	}
	return e
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

// lines writes lines, each with the marks of the quotes and lists that it is in.
type lines struct {
	out strings.Builder
	// gap is how many line ends are due before the next line.
	gap   int
	boxes []box
	// common is how many boxes contain both the last line and the next.
	common int
	// deeper counts the quotes and lists that are open beyond maxBoxes.
	deeper int
}

// A box is a quote, a list or an item of one.
type box struct {
	name string
	// mark is before the first line in it, indent before the others.
	mark, indent string
	// next is the number of the next item of an ordered list.
	next int
}

// maxBoxes bounds the quotes and lists whose marks are before a line.
const maxBoxes = 24

// apart says how many line ends are due, at least, before the next line.
func (l *lines) apart(gap int) { l.gap = max(l.gap, gap) }

func (l *lines) open(e element) {
	if len(l.boxes) == maxBoxes {
		l.deeper++
		return
	}
	b := box{name: e.name, next: 1}
	switch e.name {
	case "blockquote":
		b.mark, b.indent = "> ", "> "
	case "ol":
		if n, err := strconv.Atoi(e.attrs["start"]); err == nil && n >= 0 && n <= 999_999_999 {
			b.next = n
		}
	case "li":
		b.mark = "- "
		if n := len(l.boxes); n > 0 && l.boxes[n-1].name == "ol" {
			b.mark = strconv.Itoa(l.boxes[n-1].next) + ". "
			l.boxes[n-1].next++
		}
		b.indent = strings.Repeat(" ", len(b.mark))
	}
	if n := len(l.boxes); n > 0 && l.boxes[n-1].name == "li" {
		l.gap = min(l.gap, 1)
	}
	l.boxes = append(l.boxes, b)
}

// close ends the innermost box of a name, and those in it.
func (l *lines) close(name string) {
	if l.deeper > 0 {
		l.deeper--
		return
	}
	for i := len(l.boxes) - 1; i >= 0; i-- {
		if l.boxes[i].name == name {
			l.boxes = l.boxes[:i]
			l.common = min(l.common, i)
			break
		}
	}
	if n := len(l.boxes); n > 0 && l.boxes[n-1].name == "li" {
		l.gap = min(l.gap, 1)
	}
}

func (l *lines) write(text string) {
	if l.out.Len() > 0 {
		l.out.WriteByte('\n')
		if l.gap > 1 {
			l.out.WriteString(l.blank() + "\n")
		}
	}
	for i := range l.boxes {
		l.out.WriteString(l.boxes[i].mark)
		l.boxes[i].mark = l.boxes[i].indent
	}
	l.out.WriteString(text)
	l.gap, l.common = 1, len(l.boxes)
}

// blank returns a line without text that belongs to all that the lines around it are in.
func (l *lines) blank() string {
	var b strings.Builder
	for _, box := range l.boxes[:l.common] {
		b.WriteString(box.indent)
	}
	return strings.TrimRight(b.String(), " ")
}
