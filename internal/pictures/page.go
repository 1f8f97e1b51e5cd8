package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/tenon-bot/tenon/internal/gfm"
)

// device is what an answer is read on.
type device struct {
	name string
	// width is that of the window in CSS pixels, of which margin is empty at both sides of a comment.
	width, margin int
	// scale is how many pixels of the screen one of CSS is; 0 for one.
	scale float64
}

// On a desktop a comment of GitHub's is about 780 pixels wide; phones have windows of 390 pixels, and GitHub leaves 16
// at both sides.
var devices = []device{{name: "desktop", width: 780}, {name: "phone", width: 390, margin: 16}}

// commentStyle is what GitHub's stylesheet for comments leaves to its pages: the frame, the size of the letters in
// comments, and the classes of check boxes. The fonts are fixed, so that heights do not depend on what else is
// installed: Liberation Sans is as wide as Helvetica and Arial.
const commentStyle = `
html, body { background: #fff; }
@media (prefers-color-scheme: dark) { html, body { background: #0d1117; } }
body { margin: 0 %dpx; }
article.markdown-body { box-sizing: border-box; padding: 16px; margin: 0 0 16px; font-size: 14px;
  border: 1px solid var(--borderColor-default); border-radius: 6px;
  --fontStack-sansSerif: "Liberation Sans", "Noto Color Emoji"; --fontStack-monospace: "Liberation Mono"; }
.markdown-body li:has(> input, > p > input) { list-style-type: none; }
.markdown-body li input { margin: 0 .2em .25em -1.4em; vertical-align: middle; }
`

// htmlPage returns an HTML page with one comment for each answer.
func htmlPage(css string, d device, answers []golden) (string, error) {
	var b strings.Builder
	for _, g := range answers {
		body, err := gfm.HTML(g.text, "")
		if err != nil {
			return "", fmt.Errorf("rendering %s: %w", g.file, err)
		}
		fmt.Fprintf(&b, "<article class=markdown-body data-name=\"%s\">%s</article>\n", html.EscapeString(g.name), body)
	}
	return page(css+fmt.Sprintf(commentStyle, d.margin), b.String()), nil
}

func page(style, body string) string {
	return "<!DOCTYPE html><html><head><meta charset=utf-8><style>" + style + "</style></head><body>" + body +
		"</body></html>"
}
