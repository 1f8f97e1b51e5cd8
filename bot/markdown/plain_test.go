package markdown

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// What GitHub makes of text that is not code, beside Markdown: links to people, issues, commits, addresses; emoji;
// formulas.
var githubMakes = regexp.MustCompile(
	`(?i)@[a-z0-9]|#[0-9]|\bGH-[0-9]|\bGHSA-|\b[0-9a-f]{7,40}\b|https?://|\bwww\.\w|:[\w+-]+:|\$|\b[A-Z]+-[0-9]`)

// requireOnlyText requires a sentence to be rendered as a paragraph of this text, with nothing in it but code.
func requireOnlyText(t *testing.T, want, md string) {
	t.Helper()
	page := markdowntest.Render(md)
	require.Regexp(t, `^<p>[^\n]*</p>\n$`, page, "%q", md)
	inner := strings.TrimSuffix(strings.TrimPrefix(page, "<p>"), "</p>\n")
	outside := codeElement.ReplaceAllString(inner, "\x00")
	require.NotContains(t, outside, "<", "%q", md)
	for _, text := range strings.Split(outside, "\x00") {
		require.NotRegexp(t, githubMakes, html.UnescapeString(text), "%q", md)
	}
	require.Equal(t, want, html.UnescapeString(markdowntest.Tag.ReplaceAllString(inner, "")), "%q", md)
}

func TestPlainTextIsNothingButText(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Edit location is ambiguous (matches at lines 1 and 3)": "Edit location is ambiguous (matches at lines 1 and 3)",
		"Edits of this path are not allowed: .github/workflows/x.yml": "Edits of this path are not allowed: " +
			"`.github/workflows/x.yml`",
		"The path was written as b/a.txt.":                       "The path was written as `b/a.txt`.",
		"Old lines don't match (first difference at line 1,204)": "Old lines don't match (first difference at line 1,204)",
		"call main() or f(x).":                                   "call `main()` or `f(x)`.",
		"@maria, see #12 and acme/lathe#3 (or GH-4)":             "`@maria`, see `#12` and `acme/lathe#3` (or `GH-4`)",
		"closes 0123456789abcdef":                                "closes `0123456789abcdef`",
		"maria@example.com www.evil.example :tada:":              "`maria@example.com` `www.evil.example` `:tada:`",
		"<img src=x onerror=y> ![a](https://evil.example/x.png)": "`<img` `src=x` `onerror=y>` " +
			"`![a](https://evil.example/x.png)`",
		"</details> *bold* ~~no~~ [x]: y \\n $x$": "`</details>` `*bold*` `~~no~~` `[x]`: y `\\n` `$x$`",
		"1. one":                             `1\. one`,
		"- one":                              `\- one`,
		"--- one":                            `\--- one`,
		"a `b` c":                            "a `` `b` `` c",
		"ABC-12 was so-called in 2024-01-02": "`ABC-12` was so-called in `2024-01-02`",
		"a\u202eb \u200b@maria":              "a\uFFFDb `\uFFFD@maria`",
		"über – “ja” …":                      "über – “ja” …",
	} {
		require.Equal(t, want, Plain(s, ""))
		requireOnlyText(t, squeeze(s), Plain(s, ""))
	}
}

func TestANameWithBlanksIsCodeAsAWhole(t *testing.T) {
	t.Parallel()
	require.Equal(t, "`an odd name (1).md` is a folder", Plain("an odd name (1).md is a folder", "an odd name (1).md"))
	require.Equal(t, "Not allowed: `a | b`.", Plain("Not allowed: a | b.", "a | b"))
	require.Equal(t, "Not allowed: `a \\| b`.", CellPlain("Not allowed: a | b.", "a | b"))
	require.Equal(t, "`x=(n` m, (`n m`).", Plain("x=(n m, (n m).", "n m"))
}

func TestALineOfAModelKeepsItsCode(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Fixed in `a.go`, see `b c`.":        "Fixed in `a.go`, see `b c`.",
		"**Fixed** it, @maria closes #1":     "Fixed it, `@maria` closes `#1`",
		"x`a b`y (`c d`)":                    "`` x`a `` `` b`y `` (`c d`)",
		"[x](https://evil.example) `a`":      "`[x](https://evil.example)` `a`",
		"a `@maria` <img src=x> `":           "a `@maria` `<img` `src=x>` `` ` ``",
		"- `a`":                              "\\- `a`",
		"":                                   "",
		"over\ntwo lines\u202e of `c\u200b`": "over two lines\uFFFD of `c\uFFFD`",
	} {
		require.Equal(t, want, Spans(line), "%q", line)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range markdowntest.Hostile {
		f.Add(s, "a b.txt")
	}
	f.Add("a b.txt (a b.txt) `a b.txt`", "a b.txt")
	f.Add("n:.: x", "n")
	f.Add("x=(n m) and n m@maria", "n m")
	f.Fuzz(func(t *testing.T, s, name string) {
		if squeeze(s) == "" {
			return
		}
		requireOnlyText(t, squeeze(s), Plain(s, name))
		if line := Spans(s); line != "" {
			inner := codeElement.ReplaceAllString(markdowntest.Render(line), "")
			require.NotRegexp(t, `<[^/p]|</[^p]`, inner, "%q", line)
			require.NotRegexp(t, githubMakes, html.UnescapeString(inner), "%q", line)
		}
		page := markdowntest.Render("| a | b |\n|---|---|\n| " + CellPlain(s, name) + " | end |")
		require.Equal(t, 1, strings.Count(page, "<td>end</td>"), "%q", page)
		require.Equal(t, 2, strings.Count(page, "<td>"), "%q", page)
	})
}
