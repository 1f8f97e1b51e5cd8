package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What a reader of a page on GitHub does not see is not read: a text for a model is made from the HTML that Markdown
// becomes, and only from what is text in it. What is not certain to be shown is left out; docs/adr/0036 says what that
// is. The text is Markdown again, as far as that helps to read it: with the marks of lists, quotes, headings and code.

// Unreadable replaces a text that is nested or made in a way that would keep a parser busy, as nobody writes
// one in earnest. It cannot be read as plain text, which would show what is hidden in it.
const Unreadable = "[A text that is too complex to be read]"

// Shown returns a comment, a description or a Markdown file as a reader sees it on GitHub. Of links, only their text
// remains, and the numbers of lines, issues and pull requests.
func Shown(body string) string { return read(body, false) }

// ShownWithTargets is Shown, but with the targets of links that have a text. A reader does not see those without
// looking for them, so what names files may use them, and no model gets to read them.
func ShownWithTargets(body string) string { return read(body, true) }

// HiddenFrom returns the name of an element, such as "template", that hides all that follows it in a text since it has
// no end there; empty if none does. People who write "Page<Template>" without backticks do not know that it does.
func HiddenFrom(body string) (element string) {
	if !strings.Contains(body, "<") {
		return ""
	}
	html, ok := asHTML([]byte(sourceOf.Replace(strings.ToValidUTF8(body, "\uFFFD"))))
	if !ok {
		return ""
	}
	p := newPage(html, false)
	p.read()
	for name, open := range p.visibility.open {
		if open > 0 && (element == "" || name < element) {
			element = name
		}
	}
	return element
}

// ShownTitle returns a title as a reader sees it, on one line: GitHub makes no Markdown of titles.
func ShownTitle(title string) string {
	return strings.Join(strings.Fields(seen(strings.ToValidUTF8(title, "\uFFFD"))), " ")
}

// seen returns a text without the characters that nobody sees.
func seen(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case Invisible(r):
			return -1
		}
		return r
	}, text)
}

func read(body string, targets bool) string {
	html, ok := asHTML([]byte(sourceOf.Replace(strings.ToValidUTF8(body, "\uFFFD"))))
	if !ok {
		return Unreadable
	}
	return newPage(html, targets).read()
}

// sourceOf ends lines as CommonMark does, and keeps the mark of filtered out of the source.
var sourceOf = strings.NewReplacer("\r\n", "\n", "\r", "\n", literal, "\uFFFD")

// asHTML returns Markdown as GitHub makes HTML of it, except that emphasis and bare addresses remain as they are
// written: they hide nothing, and names such as app/__init__.py are often written without backticks.
func asHTML(source []byte) (html []byte, ok bool) {
	root, ok := parse(shown, source)
	if !ok {
		return nil, false
	}
	var b bytes.Buffer
	if err := shownHTML.Render(&b, source, root); err != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// shown is the grammar of Shown.
var shown = func() parser.Parser {
	p := newParser(
		util.Prioritized(codeSpans{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(allLinks{newLinks()}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(rawHTML{parser.NewRawHTMLParser()}, 400),
	)
	p.AddOptions(
		parser.WithBlockParsers(util.Prioritized(block{notes{extension.NewFootnoteBlockParser()}}, 999)),
		parser.WithParagraphTransformers(util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(noteTransformer{}, 999),
		),
	)
	return p
}()

var shownHTML = renderer.NewRenderer(renderer.WithNodeRenderers(
	util.Prioritized(htmlWriter{}, 100),
	util.Prioritized(extension.NewTableHTMLRenderer(), 500),
	util.Prioritized(extension.NewFootnoteHTMLRenderer(extension.WithFootnoteBacklinkHTML("")), 500),
	util.Prioritized(html.NewRenderer(html.WithUnsafe()), 1000),
))

// htmlWriter writes the HTML in Markdown, with its filtered tags.
type htmlWriter struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (htmlWriter) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindRawHTML, writeHTML(func(n ast.Node, source []byte) []byte {
		return n.(*ast.RawHTML).Segments.Value(source)
	}))
	reg.Register(ast.KindHTMLBlock, writeHTML(func(n ast.Node, source []byte) []byte {
		block := n.(*ast.HTMLBlock)
		html := block.Lines().Value(source)
		if block.HasClosure() {
			html = append(bytes.Clone(html), block.ClosureLine.Value(source)...)
		}
		return html
	}))
}

// writeHTML writes the HTML that a node is.
func writeHTML(html func(n ast.Node, source []byte) []byte) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.Write(filtered(html(n, source)))
		}
		return ast.WalkSkipChildren, nil
	}
}

// GitHub shows the tags of some elements as text: their "<" is escaped wherever it is in HTML. What is between two such
// tags is not read here: elsewhere, nobody would see it. The byte literal stands for that "<": it comes from no source
// and no entity.
const literal = "\x00"

var filteredTag = regexp.MustCompile(
	`(?i)<(/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s>]|/>))`)

func filtered(html []byte) []byte { return filteredTag.ReplaceAll(html, []byte(literal+"$1")) }

// tables is the parser of tables. It makes cells for each row whether the row has them or not, and looks at each bar
// that is escaped in code as often as there are such.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(paragraph *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, columns, bars, heads := paragraph.Lines(), 0, 0, 0
	for i := range lines.Len() {
		at := lines.At(i)
		line := at.Value(reader.Source())
		columns = max(columns, bytes.Count(line, []byte("|"))+1)
		bars += bytes.Count(line, []byte(`\|`))
		if len(bytes.Trim(line, "|:- \t\n")) == 0 {
			heads++
		}
	}
	if heads > 0 {
		w := pc.Get(workKey).(*work)
		w.bars += bars
		w.spend(heads*lines.Len()*columns*cellWork + bars*w.bars)
	}
	t.ParagraphTransformer.Transform(paragraph, reader, pc)
}

// cellWork is the work for a cell of a table, which has nodes of its own.
const cellWork = 4 * blockWork

// allLinks is links whose addresses have any length, such as those of playgrounds with a program. What were not
// taken for a link would be shown.
type allLinks struct{ links }

func (l allLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	rest, ok := bytes.CutPrefix(line, []byte("]("))
	if !ok || addressLen(rest) <= maxAddress {
		return l.links.Parse(parent, block, pc)
	}
	w := workIn(pc, parent)
	w.spend(parent.ChildCount() + len(line))
	return w.add(l.InlineParser.Parse(parent, block, pc))
}
