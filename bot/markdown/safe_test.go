package markdown

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

func TestAModelsAnswerKeepsItsShape(t *testing.T) {
	t.Parallel()
	for md, want := range map[string]string{
		"One `f(x)` and\n*two* **three**.\n\nFour.": "One `f(x)` and two three.\n\nFour.",
		"## It *is* in `a.go`\nSo.":                 "**It is in `a.go`**\n\nSo.",
		"- a\n- b\n  - c\n\n1. d\n2. e":             "- a\n- b\n  - c\n\n1. d\n2. e",
		"3. a\n\n   more\n\n4. b":                   "3. a\n\n   more\n\n4. b",
		"- [ ] todo\n- [x] done":                    "- ☐ todo\n- ☑ done",
		"```go\nx := `y`\n```":                      "```go\nx := `y`\n```",
		"- see:\n  ```\n  a\n\n  b\n  ```":          "- see:\n\n  ```text\n  a\n\n  b\n  ```",
		"    indented\n":                            "```text\nindented\n```",
		"```suggestion\nx\n```":                     "```text\nx\n```",
		"```mermaid\nx\n```":                        "```text\nx\n```",
		"> quoted\n> more":                          "> quoted more",
		"See [the docs](https://evil.example/?q=1), or <http://x.y>": "See the docs (`https://evil.example/?q=1`), " +
			"or `http://x.y`",
		"![alt](https://evil.example/x.png)!": "alt!",
		"| a | b |\n|---|---|\n| 1 | 2 |":     "```text\n| a | b |\n|---|---|\n| 1 | 2 |\n```",
		"a <b>c</b><!-- hidden --> d":         "a `<b>c</b>` d",
		"<details>\nx\n</details>\n\ny":       "```html\n<details>\nx\n</details>\n```\n\ny",
		"<!-- hidden -->\n\ny":                "y",
		"a\n\n---\n\nb":                       "a\n\nb",
		"@maria: closes #1, &#64;joe \\@ann":  "`@maria`: closes `#1`, `@joe` `@ann`",
		"`a`/`b`, (`c`) \"`d`\".":             "`a/b`, (`c`) \"`d`\".",
		"`a``b`":                              "``` a``b ```",
		"a\n===\n\n+ - b":                     "**a**\n\n- - b",
	} {
		require.Equal(t, want, Safe(md, MaxBody, Code), "%q", md)
	}
}

func TestAnAnswerThatIsTooLongEndsAfterAParagraph(t *testing.T) {
	t.Parallel()
	got := Safe(strings.Repeat("Some words.\n\n", 20), 40, Code)
	require.Equal(t, "Some words.\n\nSome words.\n\n…", got)
	require.Equal(t, "…", Safe(strings.Repeat("- x\n", 20), 40, Code))
}

func TestAnAnswerIsNotShownDeeperThanAnybodyWrites(t *testing.T) {
	t.Parallel()
	got := Safe(strings.Repeat("> ", 50)+"x", MaxBody, Code)
	require.Equal(t, strings.Repeat("> ", maxNested)+"…", got)
}

var codeElement = regexp.MustCompile(`<code[^>]*>[^<]*</code>`)

// Whatever a model writes, what comes of it is paragraphs, lists, quotes, bold lines and code.
func FuzzSafeMarkdown(f *testing.F) {
	for _, s := range markdowntest.Hostile {
		f.Add(s)
		f.Add("# " + s + "\n- [ ] " + s + "\n\n" + s + "\n    " + s + "\n> " + s +
			"\n\n1. " + s + "\n   " + s + "\n```" + s + "\n" + s)
		f.Add("[" + s + "](" + s + ") *" + s + "* ![" + s + "](" + s + ")\n\n<div>\n" +
			s + "\n\n[r]: " + s + "\n\n[r] [" + s + "][r]")
	}
	f.Fuzz(func(t *testing.T, s string) {
		page := codeElement.ReplaceAllString(markdowntest.Render(Safe(s, MaxBody, Code)), "")
		for _, tag := range markdowntest.Tag.FindAllString(page, -1) {
			require.Regexp(t, `^</?(p|ul|ol|li|strong|pre|blockquote|ol start="\d+")>$`, tag, "%q", s)
		}
		for _, text := range markdowntest.Tag.Split(page, -1) {
			require.NotRegexp(t, githubMakes, html.UnescapeString(text), "%q", s)
		}
	})
}
