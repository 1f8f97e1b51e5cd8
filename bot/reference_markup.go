package bot

import (
	"cmp"
	"slices"
	"sort"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// markup is where a text has code and quotes. Names are read from the raw source beside it: to Markdown, the two underscores
// of app/__init__.py are emphasis.
type markup struct {
	spans  ranges // what stands between the backticks of inline code
	code   ranges // blocks of code
	quotes ranges
}

func markupOf(source []byte) markup {
	var m markup
	root := commentParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			m.spans = append(m.spans, inlineRange(n))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			m.code = append(m.code, segmentsRange(n.Lines()))
		}
		if n.Type() == ast.TypeBlock && inQuote(n) {
			m.quotes = append(m.quotes, segmentsRange(n.Lines()))
		}
		return ast.WalkContinue, nil
	})
	for _, list := range []*ranges{&m.spans, &m.code, &m.quotes} {
		*list = mergeRanges(*list)
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

func sortRanges(r ranges) {
	slices.SortFunc(r, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

// has says whether ranges that mergeRanges made hold a place.
func (r ranges) has(at int) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i][1] > at })
	return i < len(r) && r[i][0] <= at
}

// within are the ranges, of those that mergeRanges made, that begin from from on and before to.
func (r ranges) within(from, to int) ranges {
	i := sort.Search(len(r), func(i int) bool { return r[i][0] >= from })
	j := sort.Search(len(r), func(j int) bool { return r[j][0] >= to })
	return r[i:j]
}
