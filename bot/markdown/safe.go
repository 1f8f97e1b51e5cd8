package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

const (
	// maxNested is how deep nested lists and quotes are shown.
	maxNested = 8
	// maxURL is how much of a link's address is shown, in characters.
	maxURL = 200
	// maxPerRoom is how much of a text is parsed for a character of the result, in bytes.
	maxPerRoom = 4
)

// Safe rewrites a model's Markdown in at most room characters. Paragraphs, lists, quotes and code remain, headings
// become bold, and everything else, such as links, images and HTML, becomes text that GitHub does not interpret. code
// shows inline code. If not everything fits, whole paragraphs at the end are left out. What takes too much work to
// parse becomes code as it is.
func Safe(md string, room int, code func(string) string) string {
	md, cut := clipLines(md, maxPerRoom*room)
	md = strings.ReplaceAll(strings.ToValidUTF8(md, "\uFFFD"), "\r\n", "\n")
	source := []byte(Shallow(md))
	root, ok := parse(full, source)
	if !ok {
		return asCode(md, room)
	}
	w := safeWriter{source: source, code: code}
	var out []string
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		block := w.block(n)
		if room -= utf8.RuneCountInString(block) + len("\n\n"); room < len("…") {
			out = append(out, "…")
			break
		}
		out = append(out, block)
	}
	if n := len(out); cut && (n == 0 || out[n-1] != "…") {
		out = append(out, "…")
	}
	return JoinSections(out)
}

// clipLines cuts md to at most n bytes, at the end of a line if there is one. It reports whether something was cut off.
func clipLines(md string, n int) (string, bool) {
	if len(md) <= n {
		return md, false
	}
	if i := strings.LastIndexByte(md[:n], '\n'); i >= 0 {
		n = i + 1
	}
	return md[:n], true
}

// asCode shows as much of a text as code as has room.
func asCode(s string, room int) string {
	block := CodeBlock(Clip(s, max(1, room-len("```text\n\n```"))))
	if utf8.RuneCountInString(block) > room {
		return "…"
	}
	return block
}

// A safeWriter writes the nodes of a parsed text.
type safeWriter struct {
	source []byte
	code   func(string) string
	depth  int
}

// block writes a block without the line feed at its end, or returns "" for one without content.
func (w safeWriter) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return w.paragraph(n)
	case *ast.Heading:
		if line := w.inline(n); line != "" {
			return "**" + line + "**"
		}
		return ""
	case *ast.FencedCodeBlock:
		return Fenced(harmlessLanguage(string(n.Language(w.source))), w.lines(n))
	case *ast.CodeBlock:
		return Fenced("text", w.lines(n))
	case *ast.HTMLBlock:
		return w.html(n)
	case *ast.List, *ast.Blockquote:
		return w.container(n)
	}
	return ""
}

// paragraph writes a paragraph as one line. A table stays as it is, as code.
func (w safeWriter) paragraph(n ast.Node) string {
	raw := w.lines(n)
	rows := strings.Split(strings.TrimSpace(raw), "\n")
	inTable := func(row string) bool { return strings.HasPrefix(strings.TrimSpace(row), "|") }
	if len(rows) > 1 && !slices.ContainsFunc(rows, func(row string) bool { return !inTable(row) }) {
		return Fenced("text", raw)
	}
	return w.inline(n)
}

func (w safeWriter) html(n *ast.HTMLBlock) string {
	raw := w.lines(n)
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(w.source))
	}
	if strings.HasPrefix(strings.TrimSpace(raw), "<!--") {
		return ""
	}
	return Fenced("html", raw)
}

func (w safeWriter) container(n ast.Node) string {
	if w.depth++; w.depth > maxNested {
		return "…"
	}
	list, ok := n.(*ast.List)
	if !ok {
		if text := JoinSections(w.children(n)); text != "" {
			return Quoted(text)
		}
		return ""
	}
	var items []string
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if text := w.item(item, list.IsTight); text != "" {
			marker := "- "
			if list.IsOrdered() {
				marker = fmt.Sprintf("%d. ", min(list.Start, MaxListed*MaxListed)+len(items))
			}
			items = append(items, marker+Indented(text, len(marker)))
		}
	}
	if list.IsTight {
		return strings.Join(items, "\n")
	}
	return strings.Join(items, "\n\n")
}

// item writes the content of a list item. In a tight list, a nested list follows without a blank line.
func (w safeWriter) item(n ast.Node, tight bool) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		text := w.block(c)
		if out.Len() > 0 && text != "" {
			out.WriteString("\n")
			if _, list := c.(*ast.List); !list || !tight {
				out.WriteString("\n")
			}
		}
		out.WriteString(text)
	}
	return out.String()
}

func (w safeWriter) children(n ast.Node) (out []string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, w.block(c))
	}
	return out
}

// lines returns the source of a block.
func (w safeWriter) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		b.Write(at.Value(w.source))
	}
	return b.String()
}

var languageName = regexp.MustCompile(`^[A-Za-z0-9+#_-]{1,20}$`)

// drawn are the languages of fences that GitHub renders as more than code.
var drawn = []string{"suggestion", "mermaid", "math", "geojson", "topojson", "stl"}

// harmlessLanguage returns the language of a fence if it does no more than colour the code, and "text" otherwise.
func harmlessLanguage(name string) string {
	if !languageName.MatchString(name) || slices.Contains(drawn, strings.ToLower(name)) {
		return "text"
	}
	return name
}

// A piece is a run of text, or of inline code.
type piece struct {
	text string
	code bool
}

// inline writes the content of a paragraph on one line.
func (w safeWriter) inline(n ast.Node) string {
	var out []string
	var chunk []piece
	var text strings.Builder // the text behind the pieces of chunk
	endText := func() {
		if text.Len() > 0 {
			chunk = append(chunk, piece{text: text.String()})
			text.Reset()
		}
	}
	flush := func() {
		if endText(); len(chunk) > 0 {
			out = append(out, w.chunk(chunk, len(out) == 0))
		}
		chunk = nil
	}
	for _, p := range w.pieces(nil, n) {
		if p.code {
			endText()
			chunk = append(chunk, p)
			continue
		}
		for i, word := range strings.Split(Printable(p.text, false), " ") {
			if i > 0 {
				flush()
			}
			text.WriteString(word)
		}
	}
	flush()
	return strings.Join(out, " ")
}

// chunk writes what is between two blanks: a word, code with punctuation around it, or anything else as code.
func (w safeWriter) chunk(pieces []piece, first bool) string {
	open, end := "", ""
	if p := pieces[0]; !p.code && strings.Trim(p.text, opening) == "" {
		open, pieces = p.text, pieces[1:]
	}
	if n := len(pieces) - 1; n > 0 && !pieces[n].code && strings.Trim(pieces[n].text, closing) == "" {
		end, pieces = pieces[n].text, pieces[:n]
	}
	if len(pieces) == 1 && pieces[0].code {
		return open + w.code(pieces[0].text) + end
	}
	var text strings.Builder
	text.WriteString(open)
	code := false
	for _, p := range pieces {
		text.WriteString(p.text)
		code = code || p.code
	}
	if code {
		return Code(text.String()) + end
	}
	return word(text.String()+end, first)
}

// pieces appends the text and the code of a paragraph, in order.
func (w safeWriter) pieces(out []piece, n ast.Node) []piece {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out = append(out, piece{text: w.text(c)})
		case *ast.CodeSpan:
			if text := OneLine(w.raw(c)); text != "" {
				out = append(out, piece{text, true})
			}
		case *ast.AutoLink:
			out = append(out, piece{text: string(c.URL(w.source))})
		case *ast.RawHTML:
			out = append(out, w.tag(c)...)
		case *ast.Link:
			out = w.link(out, c)
		case *extast.TaskCheckBox:
			out = append(out, piece{text: map[bool]string{false: "☐ ", true: "☑ "}[c.IsChecked]})
		default: // emphasis, and the description of an image
			out = w.pieces(out, c)
		}
	}
	return out
}

func (w safeWriter) text(n *ast.Text) string {
	text := string(util.UnescapePunctuations(
		util.ResolveEntityNames(util.ResolveNumericReferences(n.Segment.Value(w.source)))))
	if n.SoftLineBreak() || n.HardLineBreak() {
		text += " "
	}
	return text
}

// raw returns the text of inline code.
func (w safeWriter) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.source))
		}
	}
	return b.String()
}

// tag shows HTML as code, and drops comments.
func (w safeWriter) tag(n *ast.RawHTML) []piece {
	var b strings.Builder
	for i := range n.Segments.Len() {
		at := n.Segments.At(i)
		b.Write(at.Value(w.source))
	}
	if strings.HasPrefix(b.String(), "<!--") {
		return nil
	}
	return []piece{{OneLine(b.String()), true}}
}

// link shows the text of a link, and its address behind it.
func (w safeWriter) link(out []piece, n *ast.Link) []piece {
	before := len(out)
	out = w.pieces(out, n)
	to := OneLine(Clip(ClipBytes(string(n.Destination), utf8.UTFMax*maxURL), maxURL))
	if to != "" && (len(out) != before+1 || out[before].text != to) {
		out = append(out, piece{text: " ("}, piece{to, true}, piece{text: ")"})
	}
	return out
}
