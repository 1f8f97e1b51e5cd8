package gfm

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/terminal"
)

var update = flag.Bool("update", false, "write what is shown to the golden files")

func TestAnAnswerLooksAsGitHubShowsComments(t *testing.T) {
	t.Parallel()
	got, err := HTML("one\ntwo\n\n<details><summary>fold</summary>\n\n```diff\n-a <b>\n+b\n c\n@@ -1 +1 @@\n```\n\n"+
		"</details>\n\n- [ ] box <!-- tenon:block=1 -->\n\n```go\n-x\n```\n\n<sub>@maria, me@acme.example</sub>\n", "")
	require.NoError(t, err)
	require.Contains(t, got, "one<br/>\ntwo")
	require.Contains(t, got, "<details><summary>fold</summary>")
	require.Contains(t, got, "<pre><code><span class=\"pl-md\">-a &lt;b&gt;</span>\n"+
		"<span class=\"pl-mi1\">+b</span>\n c\n<span class=\"pl-mdr\">@@ -1 +1 @@</span>\n</code></pre>")
	require.Contains(t, got, `<input disabled="" type="checkbox"/>`)
	require.Contains(t, got, "<pre><code>-x\n</code></pre>", "only diffs have colours")
	require.Contains(t, got, `<sub><span class="user-mention">@maria</span>, `)
	require.NotContains(t, got, "tenon:block")
}

var hostile = []string{
	"<script>alert(1)</script><style>*{display:none}</style>",
	`<img src=x onerror="alert(1)"> ![a](https://evil.example/pixel.png)`,
	"[a](javascript:alert(1)) <a href=\"jav&#x09;ascript:alert(1)\" onclick=x>b</a> [c](data:text/html,x)",
	"<iframe src=//evil.example></iframe><object data=x></object><embed src=x><link rel=stylesheet href=//evil.example>",
	"<form action=//evil.example><input type=text name=a><button>b</button></form>",
	"<svg><style><a title=\"</style><img src=x onerror=alert(1)>\">",
	"<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=x onerror=alert(1)&gt;\">",
	"<div style=\"position:fixed\" id=x class=\"markdown\">a</div><base href=//evil.example><meta http-equiv=refresh>",
	"```\n</code></pre><script>alert(1)</script>\n```",
	"`a`</details></div></main><textarea><plaintext>",
}

var unsafeHTML = regexp.MustCompile(
	`(?i)<(script|style|img|iframe|object|embed|link|form|button|svg|math|base|meta|textarea|plaintext)|` +
		`<[^>]*\s(on\w+|style|id|src|data|action)\s*=|href="?\s*(javascript|data):`)

func TestNothingThatABrowserWouldObeyIsLeft(t *testing.T) {
	t.Parallel()
	for _, markdown := range hostile {
		got, err := HTML(markdown, "")
		require.NoError(t, err)
		require.NotRegexp(t, unsafeHTML, got, markdown)
	}
	got, err := HTML("<script>"+strings.Repeat("x", MaxBytes), "")
	require.NoError(t, err)
	require.NotRegexp(t, unsafeHTML, got, "too long to be parsed")
}

func TestALinkToAServerThatIsGoneHasNoTarget(t *testing.T) {
	t.Parallel()
	got, err := HTML("[a](http://127.0.0.1:9/x) http://127.0.0.1:9/y [b](https://acme.example/)", "http://127.0.0.1:9/")
	require.NoError(t, err)
	require.Contains(t, got, `<span class="gone">a</span>`)
	require.NotContains(t, got, `href="http://127`)
	require.Contains(t, got, `<a href="https://acme.example/" rel="nofollow noreferrer">b</a>`)
}

func TestAPageLoadsNothingAndShowsTheWholeThread(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, Page{
		Title: "<b>Speed</b>", Repo: "acme/lathe", Number: 7, Note: "A note.",
		Comments: []Comment{
			{Author: "maria", Markdown: "/tenon help"},
			{Author: "tenon", App: true, Markdown: hostile[0] + "\n\n**x**"},
		},
	}.Write(&b))
	page := b.String()
	require.Contains(t, page, "&lt;b&gt;Speed&lt;/b&gt;")
	require.Contains(t, page, `content="default-src 'none'; style-src 'unsafe-inline'"`)
	require.Contains(t, page, "<strong>x</strong>")
	require.Contains(t, page, `<span class="label">bot</span>`)
	require.NotRegexp(t, `(?i)<script|<link|<img|url\(|@import|src=`, page)
}

func TestACommentInATerminal(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		var got strings.Builder
		for _, open := range []bool{false, true} {
			lines, err := Terminal{Width: 60, Open: open, Gone: "https://github.com/"}.Lines(string(source))
			require.NoError(t, err)
			got.WriteString(strings.Join(lines, "\n") + "\n" + strings.Repeat("=", 60) + "\n")
		}
		golden := strings.TrimSuffix(file, ".md") + ".txt"
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), file)
	}
}

// Entities are decoded after what is raw was escaped, so that they could smuggle it in.
func TestNothingThatATerminalWouldObeyIsLeft(t *testing.T) {
	t.Parallel()
	for _, markdown := range append(hostile,
		"\x1b[2J\x1b]0;title\a **\x1b[8mhidden** \x9b31m", "&#27;[2J &#x1b;[8m &#x202e;evil `&#27;`",
		"&amp;#27;[2J &#2<!-- -->7;[2J", "```diff\n+\x1b[2J\n-a\rb\n```", "<pre>&#27;[2J&#8238;</pre>",
		"[a\x1b](https://x.example/\x1b&#27;)", "| \x1b | &#27; |\n|---|---|\n| \a | b |",
		"<details><summary>&#27;[2J</summary>\x1b[2J</details>", "1. &#27;\n\n   \x1b",
	) {
		requireText(t, markdown)
	}
}

func FuzzLines(f *testing.F) {
	for _, markdown := range hostile {
		f.Add(markdown)
	}
	f.Add("- [x] a\n  1. b\n\n> | c |\n> |---|\n> | &#27; |\n\n<details open><summary>d</summary>\n\n\x1b\n")
	f.Fuzz(func(t *testing.T, markdown string) { requireText(t, markdown) })
}

// requireText requires that lines have no control characters but those of the colours that Paint makes.
func requireText(t *testing.T, markdown string) {
	t.Helper()
	for _, on := range []bool{false, true} {
		lines, err := Terminal{Palette: terminal.Palette{On: on}, Width: 60, Open: true}.Lines(markdown)
		require.NoError(t, err)
		for _, line := range lines {
			if on {
				line = painted.ReplaceAllString(line, "$2")
			}
			for _, r := range line {
				require.True(t, unicode.IsPrint(r), "%q has %U", line, r)
			}
		}
	}
}

// painted is text in a style that is not hidden, and the end of the style.
var painted = regexp.MustCompile("\x1b\\[((?:1|2|3|9|31|32|36)(?:;(?:1|2|3|9|36))*)m([^\x1b]*)\x1b\\[0m")
