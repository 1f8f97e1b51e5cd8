package markdowntest

import (
	"bytes"
	"fmt"
	"html"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Living are texts that GitHub would make something of, or that would break out of what is around them.
var Living = slices.Concat(Hostile, []string{
	"[x](https://evil.example/a)", "[x](<https://evil.example/a b>)", "[x]: https://evil.example/a\n\n[x]",
	"[x][y]\n\n[y]: //evil.example", "![](//evil.example/x.png)", "![x][y]\n\n[y]: /x.png",
	"<https://evil.example>", "<mona@evil.example>", "www.evil.example", "http://evil.example",
	"ftp://evil.example/x", "mona@evil.example", "mailto:mona@evil.example", "xmpp:mona@evil.example/x",
	"https://github.com/acme/lathe/issues/777", "//evil.example/x", "@mona", "@acme/team", "(@mona)", "*@mona*",
	"\\@mona", "&#64;mona", "@\u200bmona", "a@mona", "/@mona", "@mona's", "#777", "fixes #777",
	"closes acme/lathe#777", "resolves: GH-777", "acme#777", "gh-777", "GHSA-1234-5678-9abc", "CVE-2024-1234",
	"ABC-777", "deadbeefdeadbeef", "acme/lathe@deadbeefdeadbeef", "\\#777", "&#35;777", "(#777)", "!#777",
	"# heading", "#\theading", "heading\n===", "heading\n---", "\n## heading\n", "> quote", ">quote\n\nout",
	"> [!NOTE]\n> x", "> [!WARNING]\n> x", "- [x] **7** x <!-- tenon:block=7 -->", "* [ ] x", "1. [x] x",
	"- x\n\n    y", "[^1]\n\n[^1]: x", "^[x]", "$x$", "$`x`$", "$$\nx\n$$", "\\(x\\)", "```math\nx\n```",
	"```mermaid\ngraph\n```", "~~~suggestion\nx\n~~~", "````\n```\n````", "`` ` ``", "`a``", "```", "````",
	"~~~~ x", "    code", "\tcode", ":tada:", ":+1:", "a:b:c", "<b>x</b>", "<a href=https://evil.example>x</a>",
	"<img src=//evil.example/x.png>", "<details><summary>x</summary>", "</summary>", "</details></details>",
	"<script>x</script>", "<style>x", "<pre>", "<textarea>", "<!--", "-->", "<!-->", "<!--->",
	"<!-- tenon:preview=k3v9x1p7q2m4 -->", "- [x] **C1** ours <!-- tenon:block=1 -->",
	"<!-- tenon:resolve=k3v9x1p7q2m4.0123abcd -->", "<?x", "<![CDATA[", "<!DOCTYPE x", "<div\nx>", "<a\n", "&lt;img&gt;",
	"&#60;img&#62;", "<input type=checkbox checked>", "<h1>x</h1>", "<br>", "<table><tr>", "|x|",
	"| a | b |\n|---|---|\n| c | d |", "a\\|b", "\\", "\\\\", "a\\", "**x**", "__x__", "*x*", "~x~", "~~x~~",
	"***", "---", "===", "- - -", "+ x", "* x", "1) x", "-", "a\rb", "a\u2028b", "a\u0085b", "\u202e", "\u2066x",
	"a\u00adb", "\ufeff", "x  \ny", "x\\\ny", "\n\n\n", "\t", " x ", "x\n\n- y\n- z", "'\"><img>",
	"javascript:alert(1)", "data:text/html,x", "a)(b", "](https://evil.example)", "](x) [y](https://evil.example",
	")](https://evil.example)", "[", "]", "![", "[[x]]", "%29%5D", "a b/c d.go", "a(b).go", "a|b.go", "../x", "🎉",
	"x\u0301", strings.Repeat("> ", 20) + "x", strings.Repeat("`", 40), strings.Repeat("[", 60),
	strings.Repeat("*", 60) + "x", "a_b_c", "_x_", "2. x", "x. y",
})

var (
	token = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)
	// structure is the HTML that shapes text, and does nothing.
	structure = regexp.MustCompile(`^</?(p|ul|ol|li|strong|pre|code|blockquote|table|thead|tbody|tr|td|th|details|` +
		`summary|sub|br)( class="language-[A-Za-z0-9+#_-]{1,20}"| style="text-align:\w+"| align="\w+"| start="\d+")?( /)?>$`)
	drawn = regexp.MustCompile(`(?i)language-(suggestion|mermaid|math|geojson|topojson|stl)`)
	// made is what GitHub makes something of in text: mentions, references, addresses, emoji, formulas, footnotes, alerts.
	made = regexp.MustCompile(`(?i)@[a-z0-9]+|#[0-9]+|\b[a-z]+-[0-9]\w*|\bGHSA-\w+|\b[0-9a-f]{7,40}\b|(https?|ftp)://|` +
		`\bwww\.\w+|\b(mailto|xmpp):\w|:[a-z0-9_+-]+:|\$|\[\^|\[!\w+\]`)
)

// An Audit finds what is alive in pages. It remembers the pieces that it has seen, which answers have in common.
type Audit struct {
	texts map[string][]string
	tags  map[string]bool
}

// Live returns what of a page is more than text, code and its shape: what a reader could click, what is loaded or
// drawn, who is notified, and HTML that tenon does not write.
func (a *Audit) Live(page string) (list []string) {
	code, details, at := 0, 0, 0
	for _, t := range append(token.FindAllStringIndex(page, -1), []int{len(page), len(page)}) {
		if code == 0 {
			list = append(list, a.text(page[at:t[0]])...)
		}
		tag := page[t[0]:t[1]]
		at = t[1]
		switch {
		case strings.HasPrefix(tag, "<code"), strings.HasPrefix(tag, "<pre"):
			code++
		case strings.HasPrefix(tag, "</code"), strings.HasPrefix(tag, "</pre"):
			code--
		case tag == "<details>":
			details++
		case tag == "</details>":
			if details--; details < 0 {
				list = append(list, "a fold that is closed twice")
			}
		}
		if !a.harmless(tag) {
			list = append(list, tag)
		}
	}
	if details != 0 {
		list = append(list, "a fold that is not closed")
	}
	return list
}

// text returns what GitHub makes something of in a text of HTML.
func (a *Audit) text(s string) []string {
	found, ok := a.texts[s]
	if !ok {
		if a.texts == nil {
			a.texts = map[string][]string{}
		}
		found = made.FindAllString(html.UnescapeString(s), -1)
		a.texts[s] = found
	}
	return found
}

func (a *Audit) harmless(tag string) bool {
	ok, known := a.tags[tag]
	if !known {
		if a.tags == nil {
			a.tags = map[string]bool{}
		}
		ok = tag == "" || tag == "</a>" || structure.MatchString(tag) && !drawn.MatchString(tag)
		a.tags[tag] = ok
	}
	return ok
}

// CMark renders documents by cmark-gfm, the renderer that GitHub's is made from, with its extensions and with the HTML
// in them. ok is false where it is not installed.
func CMark(t *testing.T, docs []string) (pages []string, ok bool) {
	t.Helper()
	program, err := exec.LookPath("cmark-gfm")
	if err != nil {
		return nil, false
	}
	var in bytes.Buffer
	for i, doc := range docs {
		fmt.Fprintf(&in, "%s\n\n<!-- end of %d -->\n\n", doc, i)
	}
	cmd := exec.CommandContext(t.Context(), program, "--unsafe", "--extension", "table", "--extension", "strikethrough",
		"--extension", "autolink", "--extension", "tasklist", "--extension", "footnotes")
	cmd.Stdin = &in
	out, err := cmd.Output()
	require.NoError(t, err)
	rest := string(out)
	for i := range docs {
		page, after, found := strings.Cut(rest, fmt.Sprintf("<!-- end of %d -->", i))
		require.True(t, found, "document %d does not end: %s", i, docs[i])
		pages, rest = append(pages, page), after
	}
	return pages, true
}
