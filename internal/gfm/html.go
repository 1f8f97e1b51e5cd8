// Package gfm shows the Markdown of comments as GitHub shows it: as HTML, on a page, and in a terminal. What people and
// models write is hostile: the HTML is sanitised by GitHub's own list of elements, and nothing but text reaches a
// terminal.
package gfm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxBytes is how long a comment of GitHub's can be, in bytes of one-byte characters. Longer texts are shown as plain
// text, as the time of a Markdown parser grows faster than its text.
const MaxBytes = 65536

// HTML returns the HTML that GitHub makes of a comment, as far as it decides about the look: a line's end is one, lines
// of diffs have colours, people are mentioned in bold. It is safe to put into a page.
//
// Links to gone, the address of a server that will not be there for the reader, lose their targets. Empty for none.
func HTML(markdown, gone string) (string, error) {
	if len(markdown) > MaxBytes {
		return "<pre>" + html.EscapeString(markdown) + "</pre>", nil
	}
	var b strings.Builder
	if err := parser.Convert([]byte(markdown), &b); err != nil {
		return "", fmt.Errorf("rendering Markdown: %w", err)
	}
	body, err := parseBody(b.String())
	if err != nil {
		return "", err
	}
	b.Reset()
	finish(body, gone)
	for child := range body.ChildNodes() {
		if err := html.Render(&b, child); err != nil {
			return "", fmt.Errorf("rendering HTML: %w", err)
		}
	}
	return sanitizer.Sanitize(b.String()), nil
}

var parser = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(gmhtml.WithHardWraps(), gmhtml.WithUnsafe(),
		renderer.WithNodeRenderers(util.Prioritized(fences{}, 100))),
)

// sanitizer allows what GitHub's does, without pictures: these would ask other servers.
var sanitizer = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "br", "b", "i", "strong", "em", "pre", "code", "tt", "div", "ins",
		"del", "sup", "sub", "p", "ol", "ul", "table", "thead", "tbody", "tfoot", "blockquote", "dl", "dt", "dd", "kbd",
		"q", "samp", "var", "hr", "ruby", "rt", "rp", "li", "tr", "td", "th", "s", "strike", "summary", "details",
		"caption", "figure", "figcaption", "abbr", "bdo", "cite", "dfn", "mark", "small", "span", "time", "wbr")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(open)?$`)).OnElements("details")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").Matching(regexp.MustCompile(`^$`)).OnElements("input")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("td", "th")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(pl-mi1|pl-md|pl-mdr|user-mention|gone)$`)).OnElements("span")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}()

// parseBody parses HTML as a browser does the inside of a comment.
func parseBody(text string) (*html.Node, error) {
	body := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	if err != nil {
		return nil, fmt.Errorf("parsing HTML: %w", err)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body, nil
}

// finish does what GitHub does after Markdown is parsed, to a node and all below it.
func finish(n *html.Node, gone string) {
	if n.Type == html.ElementNode {
		switch n.Data {
		case "img":
			*n = html.Node{Type: html.TextNode, Data: attr(n, "alt"), Parent: n.Parent,
				PrevSibling: n.PrevSibling, NextSibling: n.NextSibling}
			return
		case "a":
			if gone != "" && strings.HasPrefix(attr(n, "href"), gone) {
				n.Data, n.DataAtom = "span", atom.Span
				n.Attr = []html.Attribute{{Key: "class", Val: "gone"}}
			}
			return
		case "code", "pre":
			return
		}
	}
	for _, child := range slices.Collect(n.ChildNodes()) {
		if child.Type == html.TextNode {
			mention(child)
			continue
		}
		finish(child, gone)
	}
}

var mentioned = regexp.MustCompile(`(^|[^\w/@.-])(@[A-Za-z0-9][A-Za-z0-9-]{0,38})`)

// mention marks the people that a text mentions.
func mention(n *html.Node) {
	at := mentioned.FindStringSubmatchIndex(n.Data)
	if at == nil {
		return
	}
	before, name, after := n.Data[:at[4]], n.Data[at[4]:at[5]], n.Data[at[5]:]
	person := &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span,
		Attr: []html.Attribute{{Key: "class", Val: "user-mention"}}}
	person.AppendChild(&html.Node{Type: html.TextNode, Data: name})
	rest := &html.Node{Type: html.TextNode, Data: after}
	n.Data = before
	n.Parent.InsertBefore(person, n.NextSibling)
	n.Parent.InsertBefore(rest, person.NextSibling)
	mention(rest)
}

// attr returns an attribute of an element, or nothing.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// hasAttr reports whether an element has an attribute, which may be empty.
func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// fences renders blocks of code, and gives lines of diffs the classes that GitHub gives them.
type fences struct{}

// RegisterFuncs registers the renderer of fenced blocks.
func (fences) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindFencedCodeBlock, renderFence)
}

func renderFence(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	fence := node.(*ast.FencedCodeBlock)
	isDiff := string(fence.Language(source)) == "diff"
	_, _ = w.WriteString("<pre><code>")
	for i := range fence.Lines().Len() {
		segment := fence.Lines().At(i)
		line := strings.TrimSuffix(html.EscapeString(string(segment.Value(source))), "\n")
		if class := diffClass(line); isDiff && class != "" {
			line = fmt.Sprintf(`<span class="%s">%s</span>`, class, line)
		}
		_, _ = w.WriteString(line + "\n")
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

func diffClass(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return "pl-mi1"
	case strings.HasPrefix(line, "-"):
		return "pl-md"
	case strings.HasPrefix(line, "@@"):
		return "pl-mdr"
	}
	return ""
}
