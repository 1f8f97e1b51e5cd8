package markdown

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gohtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// A page is GitHub's as far as libraries make one: a renderer with all extensions, the tags that are filtered, and a
// browser's parser, which repairs what does not fit. Of its tree, the text nodes are shown.
func textOfPage(t *testing.T, body string) string {
	t.Helper()
	var b bytes.Buffer
	renderer := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify, extension.Footnote),
		goldmark.WithRendererOptions(gohtml.WithUnsafe()))
	require.NoError(t, renderer.Convert([]byte(sourceOf.Replace(body)), &b))
	page := strings.ReplaceAll(string(filtered(b.Bytes())), literal, "&lt;")
	root, err := html.ParseWithOptions(strings.NewReader("<!DOCTYPE html><body>"+page),
		html.ParseOptionEnableScripting(false))
	require.NoError(t, err)
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "rp" && n.Parent.Data != "template" {
			text.WriteString(n.Data)
		}
	}
	return seen(text.String())
}

var aWord = regexp.MustCompile(`[\p{L}\p{N}]+`)

// ours are the words that Shown writes for what it leaves out, and the numbers of items.
var ours = regexp.MustCompile(
	`\[(image|formula|diagram|\^\d+)\]|\((lines? \d+( to \d+)?|#\d+)\)|(?m)^([> -]|\d+\. )*`)

var noteLabel = regexp.MustCompile(`\[\^([\p{L}\p{N}]+)\]`)

// Whatever is shown is text of the page: nothing that a browser has in an attribute, a comment or nowhere.
func TestWhatIsShownIsTextOfThePage(t *testing.T) {
	t.Parallel()
	shapes := markdowntest.Hidden()
	maps.Copy(shapes, markdowntest.Visible())
	bodies := slices.Sorted(maps.Values(shapes))
	check := func(body string) {
		page := strings.Join(aWord.FindAllString(textOfPage(t, body), -1), "")
		for _, m := range noteLabel.FindAllStringSubmatch(body, -1) {
			page += " " + m[1] // the renderer takes what is the text of a link for a footnote
		}
		shown := Shown(body)
		for _, word := range aWord.FindAllString(ours.ReplaceAllString(shown, " "), -1) {
			require.True(t, strings.Contains(page, word) || languages[word], "%q is not on the page\n%s\n---\n%s", word,
				body, shown)
		}
	}
	for i, one := range bodies {
		check(one)
		check("> " + strings.ReplaceAll(one, "\n", "\n> "))
		check("1. " + strings.ReplaceAll(one, "\n", "\n   "))
		for _, by := range []int{1, 7, 31, 101} {
			other := bodies[(i+by)%len(bodies)]
			check(one + "\n\n" + other)
			check(one + other)
			check("<div title='\n\n" + one + "\n\n'>" + other)
		}
	}
}

// openEnds are pieces of Markdown and HTML whose order makes one an attribute, a comment or text of another.
var openEnds = []string{
	"<b title=\"", "\"", "'", ">", "<div title='", "</div>", "<template>", "</template>", "<style>", "</style>",
	"<script ",
	"<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "\n\n", "\n", "\n\n", "[", "](", ")", "![", "`", "```", "\n```\n", "> ",
	"- ", "    ", "<svg>", "</svg>", "<a href=\"", "</a>", "<pre>", "</pre>", "<code>", "</code>", "$", "\\phantom{", "}",
	"|a|b|\n|-|-|\n", "|", "[^1]", "[^1]: ", "[a]: ", "<rp>", "<ruby>", "</ruby>", "&lt;", "&#34;", "<title", "<x y=",
	"<noscript>", "</noscript>", "<textarea>", "<table><tr><td>", "<select>", "\\", "<plaintext>", "<!doctype ", "<sub>",
	"<details>", "<summary>", "<br>", "\t", "</style", "<p>", "</p>", "<li>", "\x00", "<\x00",
}

func TestNoOrderOfOpenEndsShowsWhatIsHidden(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`W[0-9]+x`)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 36))
		var b strings.Builder
		for i := range 3 + r.IntN(24) {
			b.WriteString(openEnds[r.IntN(len(openEnds))])
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "W%dx", i)
			}
			b.WriteString(strings.Repeat(" ", r.IntN(3)/2))
		}
		page := strings.Join(aWord.FindAllString(textOfPage(t, b.String()), -1), "")
		for _, w := range word.FindAllString(Shown(b.String()), -1) {
			require.True(t, strings.Contains(page, w), "%s is not on the page of %q", w, b.String())
		}
	}
}
