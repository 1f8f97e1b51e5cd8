package markdown

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

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
