package markdowntest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAuditSeesWhatIsAlive(t *testing.T) {
	t.Parallel()
	var a Audit
	for md, want := range map[string][]string{
		"words, `@mona` and **bold**": nil,
		"[x](https://evil.example)":   {`<a href="https://evil.example">`},
		"![x](/x.png)":                {`<img src="/x.png" alt="x" />`, `<img src="/x.png" alt="x">`},
		"@mona":                       {"@mona"},
		"see #12, GH-3":               {"#12", "GH-3"},
		"deadbeef1":                   {"deadbeef1"},
		"costs $x$":                   {"$", "$"},
		"> [!NOTE]\n> x":              {"[!NOTE]"},
		":tada:":                      {":tada:"},
		"# x":                         {"<h1>", "</h1>"},
		"<b>x</b>":                    {"<b>", "</b>"},
		"<details>":                   {"a fold that is not closed"},
		"</details>":                  {"a fold that is closed twice", "a fold that is not closed"},
		"<!-- x -->":                  {"<!-- x -->"},
		"```mermaid\nx\n```":          {`<code class="language-mermaid">`},
	} {
		for _, page := range pagesOf(t, md) {
			live := a.Live(page)
			if want == nil {
				require.Empty(t, live, md)
				continue
			}
			require.Subset(t, want, live, md)
			require.NotEmpty(t, live, md)
		}
	}
	alive := 0
	for _, s := range Living {
		if len(a.Live(RenderHTML(s))) > 0 {
			alive++
		}
	}
	require.Greater(t, alive, 80, "as they are, many of them do something")
}

func pagesOf(t *testing.T, md string) []string {
	t.Helper()
	pages, _ := CMark(t, []string{md})
	return append(pages, RenderHTML(md))
}
