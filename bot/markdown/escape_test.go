package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

func TestNothingInCodeIsMoreThanText(t *testing.T) {
	t.Parallel()
	for _, s := range markdowntest.Hostile {
		for _, md := range []string{"before " + Code(s) + " after", CodeBlock(s),
			"| a | b |\n|---|---|\n| " + CellCode(s) + " | end |"} {
			html := markdowntest.Render(md)
			require.Equal(t, 1, strings.Count(html, "<code"), "%q in %q", s, html)
			for _, bad := range []string{"<img", "<a ", "<h1", "</details>", "<!-- tenon", "\x1b", "\u202e"} {
				require.NotContains(t, html, bad, "%q", s)
			}
			if strings.Contains(md, "| end |") {
				require.Contains(t, html, "<td>end</td>", "%q", s)
			} else if !strings.HasPrefix(md, "`") {
				require.True(t, strings.HasPrefix(html, "<p>before <code>"), "%q", html)
				require.True(t, strings.HasSuffix(html, "</code> after</p>\n"), "%q", html)
			}
		}
	}
}

func FuzzCodeSpan(f *testing.F) {
	for _, s := range markdowntest.Hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		html := markdowntest.Render("before " + Code(s) + " after")
		require.True(t, strings.HasPrefix(html, "<p>before <code>"), "%q", html)
		require.True(t, strings.HasSuffix(html, "</code> after</p>\n"), "%q", html)
		require.Equal(t, 1, strings.Count(html, "<code>"))
		html = markdowntest.Render(CodeBlock(s))
		require.Equal(t, 1, strings.Count(html, "<pre>"))
		require.True(t, strings.HasSuffix(html, "</code></pre>\n"), "%q", html)
	})
}

func TestClipCutsWholeCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, "äöü", Clip("äöü", 3))
	require.Equal(t, "äö…", Clip("äöüß", 3))
	require.Equal(t, "äöü", ClipBytes("äöü", 6))
	require.Equal(t, "äö…", ClipBytes("äöü", 5), "no half of a character remains")
}

func TestTextBetweenOurOwnBackticksCannotEndThem(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a 'b' c\uFFFD", CodeText(" a `b`\nc\u202e\n"))
}

func TestALoginNotifiesNobody(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<p><code>maria</code></p>\n", markdowntest.Render(PlainLogin("maria")))
	require.Equal(t, "`dependabot[bot]`", PlainLogin("dependabot[bot]"))
}

func TestSectionsAreSetApartAndFolded(t *testing.T) {
	t.Parallel()
	sections := []string{"", "a", "", "b", ""}
	require.Equal(t, "a\n\nb", JoinSections(sections))
	require.Equal(t, []string{"", "a", "", "b", ""}, sections, "they are the caller's")
	require.Empty(t, JoinSections(nil))
	require.Equal(t, "<details><summary>A <b>b</b></summary>\n\nc\n\n</details>", Fold("A <b>b</b>", "c"))
	require.Equal(t, "> a\n>\n> b", Quoted("a\n\nb"))
	require.Equal(t, "a\n\n  b", Indented("a\n\nb", 2))
}

// A mark that tenon sets counts in its own comments, so nothing that it quotes may contain one.
func TestNoMarkerOfTenonsOwnComesThrough(t *testing.T) {
	t.Parallel()
	for _, shown := range []string{
		Code("<!-- tenon:run=x -->"), CodeBlock("a\n<!-- tenon:run=x -->"), Plain("<!-- tenon:run=x -->", ""),
		CodeText("<!-- tenon:run=x -->"), Safe("<!-- tenon:run=x --> `<!-- tenon:run=x -->`", MaxBody, Code),
	} {
		require.NotContains(t, shown, "<!-- tenon:")
	}
}
