package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// commentParser reads CommonMark as far as it tells code and HTML from prose. Links and emphasis bind less than those, so they
// are left out: looking for their ends takes time by the square of a hostile comment's length.
func CommentParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// proseLines returns the offsets at which lines of the comment's own text start: not those in quotes, lists, code of any
// kind or HTML, by the rules with which GitHub shows the comment (CommonMark).
func ProseLines(body string) []int {
	if len(Shallow(body)) < len(body) {
		return nil // nobody writes like this but to keep a parser busy
	}
	source := []byte(body)
	root := CommentParser().Parse(text.NewReader(source))
	var starts []int
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph && !underlined(n, body) {
			continue
		}
		code := codeRanges(n)
		for i := range n.Lines().Len() {
			if at := n.Lines().At(i).Start; !code.holds(at) {
				starts = append(starts, at)
			}
		}
	}
	return starts
}

// underlined says that a block is a heading by the line below it: text above "=======" or "---" becomes one, which people who
// paste edits below a command do not mean.
func underlined(n ast.Node, body string) bool {
	if n.Kind() != ast.KindHeading || n.Lines().Len() == 0 {
		return false
	}
	at := n.Lines().At(0).Start
	return strings.TrimLeft(body[strings.LastIndexByte(body[:at], '\n')+1:at], " ") == ""
}

func (r Ranges) holds(at int) bool {
	for _, x := range r {
		if x[0] <= at && at < x[1] {
			return true
		}
	}
	return false
}

// codeRanges are the inline code and HTML of a paragraph, which may run over lines.
func codeRanges(paragraph ast.Node) Ranges {
	var out Ranges
	_ = ast.Walk(paragraph, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					out = append(out, [2]int{t.Segment.Start, t.Segment.Stop})
				}
			}
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				out = append(out, [2]int{n.Segments.At(i).Start, n.Segments.At(i).Stop})
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}
