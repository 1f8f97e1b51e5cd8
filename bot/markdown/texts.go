package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A Text is what a paragraph, a heading or an item of a list says.
type Text struct {
	// Words are on one line, without markup but the backticks of code.
	Words string
	// Item reports whether it is the first paragraph of an item.
	Item bool
}

// Texts returns what Markdown says in words, in order: without blocks of code, tables, quotes, images and HTML. It
// reads at most room bytes, and nothing of what takes too much work to parse. The words are not safe to show anywhere:
// whoever shows them makes them so.
func Texts(md string, room int) []Text {
	md, _ = clipLines(strings.ToValidUTF8(md, "\uFFFD"), room)
	source := []byte(Shallow(CutBytes(strings.ReplaceAll(md, "\r\n", "\n"), room)))
	root, ok := parse(full, source)
	if !ok {
		return nil
	}
	return textReader{safeWriter{source: source}}.blocks(nil, root, false, 0)
}

// A textReader reads the words of a parsed text.
type textReader struct{ safeWriter }

func (r textReader) blocks(out []Text, parent ast.Node, item bool, depth int) []Text {
	for n := parent.FirstChild(); n != nil && depth <= maxNested; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
			if words := r.words(n); words != "" {
				out = append(out, Text{Words: words, Item: item})
				item = false
			}
		case *ast.List, *ast.ListItem:
			out = r.blocks(out, n, n.Kind() == ast.KindListItem, depth+1)
		}
	}
	return out
}

// manyBlanks are the blanks of a line, of any kind.
var manyBlanks = regexp.MustCompile(`[\s\p{Z}]+`)

// words returns what a paragraph says. That of a table is nothing.
func (r textReader) words(n ast.Node) string {
	if strings.HasPrefix(strings.TrimSpace(r.lines(n)), "|") {
		return ""
	}
	text := Printable(r.inlineWords(n), false)
	return strings.TrimSpace(manyBlanks.ReplaceAllString(text, " "))
}

func (r textReader) inlineWords(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(r.text(n))
		case *ast.CodeSpan:
			b.WriteString("`" + CodeText(r.raw(n)) + "`")
		case *ast.AutoLink:
			b.Write(n.URL(r.source))
		case *ast.Emphasis, *ast.Link:
			b.WriteString(r.inlineWords(n))
		}
	}
	return b.String()
}
