package retrieve

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// markup is where a text has code and quotes. Names are read from the raw source beside it: to Markdown, the two underscores
// of app/__init__.py are emphasis.
type markup struct {
	spans  markdown.Ranges // what stands between the backticks of inline code
	code   markdown.Ranges // blocks of code
	quotes markdown.Ranges
}

func markupOf(source []byte) markup {
	var m markup
	root := markdown.CommentParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			m.spans = append(m.spans, inlineRange(n))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			m.code = append(m.code, markdown.SegmentsRange(n.Lines()))
		}
		if n.Type() == ast.TypeBlock && inQuote(n) {
			m.quotes = append(m.quotes, markdown.SegmentsRange(n.Lines()))
		}
		return ast.WalkContinue, nil
	})
	for _, list := range []*markdown.Ranges{&m.spans, &m.code, &m.quotes} {
		*list = markdown.MergeRanges(*list)
	}
	return m
}

func inlineRange(n *ast.CodeSpan) (r [2]int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			if r == [2]int{} {
				r[0] = t.Segment.Start
			}
			r[1] = t.Segment.Stop
		}
	}
	return r
}

// maxQuoteDepth bounds how far up a quote is looked for.
const maxQuoteDepth = 50

func inQuote(n ast.Node) bool {
	for range maxQuoteDepth {
		if n = n.Parent(); n == nil {
			return false
		}
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return true
}
