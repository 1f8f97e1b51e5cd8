package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

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
