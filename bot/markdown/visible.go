package markdown

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// WithoutHidden returns a comment without the pieces that GitHub does not show.
func WithoutHidden(body string) string {
	var b strings.Builder
	at := 0
	for _, r := range hiddenRanges(body) {
		b.WriteString(body[at:r[0]])
		at = r[1]
	}
	return b.String() + body[at:]
}

// hiddenRanges returns the bytes of a comment that GitHub does not show, merged. Where nobody can tell, as a parser
// would take too long for it, that is all that looks so.
func hiddenRanges(body string) Ranges {
	source := []byte(body)
	root, ok := Parse(body)
	if !ok {
		return MergeRanges(append(hiddenHTML(source, [2]int{0, len(source)}), definitions(source)...))
	}
	covered := make([]bool, len(source)+1) // by a block that is shown
	cover := func(from, to int) {
		for i := from; i < to; i++ {
			covered[i] = true
		}
	}
	var out Ranges
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.LinkReferenceDefinition:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock:
			r := blockRange(n, len(source))
			cover(r[0], r[1])
			out = append(out, hiddenHTML(source, r)...)
		case *ast.RawHTML:
			out = append(out, hiddenHTML(source, SegmentsRange(n.Segments))...)
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				cover(n.Info.Segment.Start, n.Info.Segment.Stop)
			}
		}
		if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				cover(n.Lines().At(i).Start, n.Lines().At(i).Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	return MergeRanges(append(out, uncovered(source, covered)...))
}

// blockRange returns where an HTML block is in a text of end bytes, its last line included.
func blockRange(n *ast.HTMLBlock, end int) [2]int {
	r := SegmentsRange(n.Lines())
	if n.HasClosure() && n.ClosureLine.Stop <= end {
		r[0], r[1] = min(r[0], n.ClosureLine.Start), max(r[1], n.ClosureLine.Stop)
		if n.Lines().Len() == 0 {
			r[0] = n.ClosureLine.Start
		}
	}
	return r
}

// unshownHTML is the HTML that shows nothing, by how it begins and ends.
var unshownHTML = []struct{ begin, end string }{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}}

// hiddenHTML returns the pieces of HTML within a range that show nothing.
func hiddenHTML(source []byte, r [2]int) (out Ranges) {
	for at := r[0]; at < r[1]; {
		i := bytes.IndexByte(source[at:r[1]], '<')
		if i < 0 {
			return out
		}
		at += i
		n := unshownLen(source[at:r[1]])
		if n > 0 {
			out = append(out, [2]int{at, at + n})
		}
		at += max(n, 1)
	}
	return out
}

// unshownLen returns the length of the unshown piece that html begins with: 0 if there is none, and all of html if the
// piece does not end.
func unshownLen(html []byte) int {
	for _, p := range unshownHTML {
		if !bytes.HasPrefix(html, []byte(p.begin)) {
			continue
		}
		from := len(p.begin)
		if p.begin == "<!--" {
			from = len("<!") // "<!-->" and "<!--->" are whole comments
		}
		if i := bytes.Index(html[from:], []byte(p.end)); i >= 0 {
			return from + i + len(p.end)
		}
		return len(html)
	}
	return 0
}

// definition is the beginning of a line that may define a link or a footnote.
var definition = regexp.MustCompile(`(?m)^[ \t>]*\[[^\n]*\]:[^\n]*\n?`)

// definitions returns the lines that may be definitions of links.
func definitions(source []byte) (out Ranges) {
	for _, at := range definition.FindAllIndex(source, -1) {
		out = append(out, [2]int{at[0], at[1]})
	}
	return out
}

// uncovered returns the lines with words that belong to no block that is shown: definitions of links, which can contain
// a title of any length.
func uncovered(source []byte, covered []bool) (out Ranges) {
	at := 0
	for line := range bytes.Lines(source) {
		end := at + len(line)
		if hasLetter(line) && !slices.Contains(covered[at:end], true) {
			out = append(out, [2]int{at, end})
		}
		at = end
	}
	return out
}

func hasLetter(line []byte) bool { return bytes.ContainsFunc(line, unicode.IsLetter) }

// ProseLines returns the offsets at which lines of the comment's own text start: not of lines in quotes, lists, code of
// any kind or HTML, by the rules by which GitHub shows the comment (CommonMark). Of a comment that takes too much work
// to parse, only the first line is known to be prose.
func ProseLines(body string) []int {
	root, ok := Parse(body)
	if !ok {
		return firstLine(body)
	}
	var starts []int
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph && !underlined(n, body) {
			continue
		}
		code := codeRanges(n)
		for i := range n.Lines().Len() {
			if at := n.Lines().At(i).Start; !code.Has(at) {
				starts = append(starts, at)
			}
		}
	}
	return starts
}

// firstLine returns the offset of a text's first character, in a slice. If that is a mark of Markdown or indented, the
// slice is empty.
func firstLine(body string) []int {
	if len(body) > MaxCommentBytes || body == "" || body[0] != '/' && body[0] != '@' && !isLetter(body[0]) {
		return nil
	}
	return []int{0}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// underlined reports whether a block is a heading by the line below it: text above "=======" or "---" becomes one,
// which people who paste edits below a command do not mean.
func underlined(n ast.Node, body string) bool {
	if n.Kind() != ast.KindHeading || n.Lines().Len() == 0 {
		return false
	}
	at := n.Lines().At(0).Start
	return strings.TrimLeft(body[strings.LastIndexByte(body[:at], '\n')+1:at], " ") == ""
}

// codeRanges returns the inline code and HTML of a paragraph, which may run over several lines.
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
	return MergeRanges(out)
}

// Ranges are ranges of bytes of a text, each from its first value up to, and not including, its second.
type Ranges [][2]int

// MergeRanges sorts ranges and joins those that touch or overlap. Has and Within work on its result.
func MergeRanges(in Ranges) Ranges {
	slices.SortFunc(in, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out Ranges
	for _, r := range in {
		if n := len(out); n > 0 && r[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// SegmentsRange returns the range from the first to the last of a node's segments.
func SegmentsRange(s *text.Segments) [2]int {
	if s.Len() == 0 {
		return [2]int{}
	}
	return [2]int{s.At(0).Start, s.At(s.Len() - 1).Stop}
}

// Has reports whether the byte at an offset is in one of the ranges.
func (r Ranges) Has(at int) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i][1] > at })
	return i < len(r) && r[i][0] <= at
}

// Within returns the ranges that begin in the bytes from from up to, and not including, to.
func (r Ranges) Within(from, to int) Ranges {
	i := sort.Search(len(r), func(i int) bool { return r[i][0] >= from })
	j := sort.Search(len(r), func(j int) bool { return r[j][0] >= to })
	return r[i:j]
}
