package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// shownText is a comment as GitHub shows it: without what a reader cannot see, and instructions could hide in. Those are
// HTML comments and declarations outside of code, link definitions, and characters that are invisible or turn the text around.
func Shown(body string) string {
	body = strings.ReplaceAll(strings.ToValidUTF8(body, "\uFFFD"), "\r\n", "\n")
	body = WithoutHidden(Shallow(body))
	return strings.TrimLeft(strings.TrimRight(strings.Map(ShownRune, body), " \t\n"), "\n")
}

// withoutHidden is a comment, of lines that are not too deep, without the pieces that GitHub does not show.
func WithoutHidden(body string) string {
	var b strings.Builder
	at := 0
	for _, r := range hiddenRanges([]byte(body)) {
		if r[1] <= at {
			continue
		}
		b.WriteString(body[at:max(at, r[0])])
		at = r[1]
	}
	return b.String() + body[at:]
}

// maxDepth bounds quotes and lists in each other, as a parser of Markdown takes time by its square.
const maxDepth = 100

// depth counts the marks of quotes and lists that a line begins with.
func depth(line string) (n int) {
	for i := 0; i < len(line); i++ {
		blank := i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')
		switch c := line[i]; {
		case c == '>', blank && strings.IndexByte("-*+.)", c) >= 0:
			n++
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}

// shallow is a text without the lines that are too deep.
func Shallow(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		if depth(line) <= maxDepth {
			b.WriteString(line)
		}
	}
	return b.String()
}

// shownRune drops control and format characters, those of emoji sequences among them; the words stay.
func ShownRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\u2028' || r == '\u2029':
		return '\n'
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0':
		return -1
	}
	return r
}

// hiddenRanges are the bytes of a comment that GitHub does not show, in order.
func hiddenRanges(source []byte) Ranges {
	root := CommentParser().Parse(text.NewReader(source))
	covered := make([]bool, len(source)+1)
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
			cover(covered, r[0], r[1])
			out = append(out, hiddenHTML(source, r)...)
		case *ast.RawHTML:
			out = append(out, hiddenHTML(source, SegmentsRange(n.Segments))...)
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				cover(covered, n.Info.Segment.Start, n.Info.Segment.Stop)
			}
		}
		if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				cover(covered, n.Lines().At(i).Start, n.Lines().At(i).Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	return MergeRanges(append(out, definitions(source, covered)...))
}

func cover(covered []bool, from, to int) {
	for i := from; i < to; i++ {
		covered[i] = true
	}
}

// blockRange is where an HTML block stands, its last line included.
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

func SegmentsRange(s *text.Segments) [2]int {
	if s.Len() == 0 {
		return [2]int{}
	}
	return [2]int{s.At(0).Start, s.At(s.Len() - 1).Stop}
}

// invisible are the pieces of HTML that show nothing, by how they begin and end.
var invisible = []struct{ from, to string }{{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}}

// hiddenHTML are the pieces within a range of HTML that show nothing. One that does not end hides the rest.
func hiddenHTML(source []byte, r [2]int) (out Ranges) {
	for at := r[0]; at < r[1]; {
		i := bytes.IndexByte(source[at:r[1]], '<')
		if i < 0 {
			return out
		}
		at += i
		n := invisibleLen(source[at:r[1]])
		if n > 0 {
			out = append(out, [2]int{at, at + n})
		}
		at += max(n, 1)
	}
	return out
}

func invisibleLen(html []byte) int {
	for _, p := range invisible {
		if !bytes.HasPrefix(html, []byte(p.from)) {
			continue
		}
		// "<!-->" is a whole comment: its end may overlap its begin.
		from := len(p.from)
		if p.from == "<!--" {
			from = 2
		}
		if i := bytes.Index(html[from:], []byte(p.to)); i >= 0 {
			return from + i + len(p.to)
		}
		return len(html)
	}
	return 0
}

// definitions are the lines that say something and belong to no block that is shown: definitions of links, which can hold
// a title of any length.
func definitions(source []byte, covered []bool) (out Ranges) {
	for at := 0; at < len(source); {
		end := at + len(source[at:])
		if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if says(source[at:end]) && !anyTrue(covered[at:end]) {
			out = append(out, [2]int{at, end})
		}
		at = end
	}
	return out
}

func says(line []byte) bool {
	return bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) && r != utf8.RuneError })
}

func anyTrue(list []bool) bool {
	for _, b := range list {
		if b {
			return true
		}
	}
	return false
}

// mergeRanges sorts ranges and joins those that overlap.
func MergeRanges(in Ranges) Ranges {
	sortRanges(in)
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
