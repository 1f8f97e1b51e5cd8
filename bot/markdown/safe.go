package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// maxNested is how deep lists and quotes are shown in each other.
const maxNested = 8

// maxAnswer is how much of a model's words is shown as its answer, in characters.
const MaxAnswer = 16_000

// safeMarkdown writes a model's Markdown anew, in at most room characters: its paragraphs, lists, quotes and code stay, headings
// become bold, and whatever else there is, such as links, images and HTML, is shown as text that GitHub makes nothing of.
// code shows inline code. Where not all fits, whole paragraphs are left out at the end.
func Safe(md string, room int, code func(string) string) string {
	source := []byte(Shallow(strings.ReplaceAll(strings.ToValidUTF8(md, "\uFFFD"), "\r\n", "\n")))
	root := goldmark.New(goldmark.WithExtensions(extension.TaskList)).Parser().Parse(text.NewReader(source))
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
	return JoinSections(out)
}

// safeWriter writes parts of a parsed text.
type safeWriter struct {
	source []byte
	code   func(string) string
	depth  int
}

// block writes a block, without an end of line at its end; nothing of a block that has nothing to say.
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

// paragraph is one line. What looks like a table is shown as it is.
func (w safeWriter) paragraph(n ast.Node) string {
	raw := w.lines(n)
	rows := strings.Split(strings.TrimSpace(raw), "\n")
	if len(rows) > 1 && !slices.ContainsFunc(rows, func(row string) bool { return !strings.HasPrefix(strings.TrimSpace(row), "|") }) {
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
			mark := "- "
			if list.IsOrdered() {
				mark = fmt.Sprintf("%d. ", min(list.Start, MaxListed*MaxListed)+len(items))
			}
			items = append(items, mark+Indented(text, len(mark)))
		}
	}
	if list.IsTight {
		return strings.Join(items, "\n")
	}
	return strings.Join(items, "\n\n")
}

// item writes what is in an item of a list: in a tight one, a list within follows at once.
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

// lines are a block's own, as they were written.
func (w safeWriter) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		b.Write(at.Value(w.source))
	}
	return b.String()
}

var languageName = regexp.MustCompile(`^[A-Za-z0-9+#_-]{1,20}$`)

// drawn are the languages of fences that GitHub makes more of than code.
var drawn = []string{"suggestion", "mermaid", "math", "geojson", "topojson", "stl"}

// harmlessLanguage is the language of a fence where it does no more than colour.
func harmlessLanguage(name string) string {
	if !languageName.MatchString(name) || slices.Contains(drawn, strings.ToLower(name)) {
		return "text"
	}
	return name
}
