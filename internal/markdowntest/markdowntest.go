// Package markdowntest helps to test what writes Markdown: it renders Markdown as GitHub does, and has texts that try
// to break out of it.
package markdowntest

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// Hostile are texts that could end, hide or change what is around them.
var Hostile = []string{
	"plain", "`", "``", "a`b``c", "``` x", "`<img src=x>`", "</details>", "@maria closes #1",
	"https://evil.example/?q=secret",
	"![x](https://evil.example/x.png)", "a|b", `a\|b`, `\\|`, `\`, "`|`", "|`|", "a\u00a0\u2028b\u2029",
	"\x00", "\v\f", "\u3164\U000E0041", "[x](y)", "$$x$$", "&#96;", "line\nbreak", "\r\n```\n# heading",
	"\u202eabc", "\x1b[31m", "", " ", "<!-- tenon:run=x -->", "~~~", "\xff",
}

// Tag matches a tag of HTML.
var Tag = regexp.MustCompile(`<[^>]*>`)

// Render returns Markdown as HTML, without the HTML in it.
func Render(md string) string { return convert(md) }

// RenderHTML returns Markdown as HTML, with the HTML in it.
func RenderHTML(md string) string {
	return convert(md, goldmark.WithRendererOptions(html.WithUnsafe()))
}

func convert(md string, options ...goldmark.Option) string {
	var b bytes.Buffer
	converter := goldmark.New(append(options, goldmark.WithExtensions(extension.GFM))...)
	if err := converter.Convert([]byte(md), &b); err != nil {
		panic(err) // a buffer does not fail
	}
	return b.String()
}
