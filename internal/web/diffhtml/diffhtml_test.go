package diffhtml

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/tenon-bot/tenon/bot/view"
)

var small = view.Diff{Added: 2, Removed: 1, Hunks: []view.Hunk{{Old: 3, New: 3, Lines: []view.Line{
	{Kind: view.Context, Old: 3, New: 3, Text: "func f() int {"},
	{Kind: view.Removed, Old: 4, Text: "\treturn one", Marks: [][2]int{{8, 11}}},
	{Kind: view.Added, New: 4, Text: "\treturn 23", Marks: [][2]int{{8, 10}}},
	{Kind: view.Added, New: 5, Text: "\t// <b>"},
}}}}

func TestADiffHasItsNumbersMarksAndColours(t *testing.T) {
	t.Parallel()
	require.Equal(t, `<div class="diff"><table aria-label="Changes of a.go: 2 added, 1 removed">
<tr class=h><td colspan=4>@@ -3 +3 @@
<tr><td class=l>3<td class=l>3<td class=s><td class=c><span class=k>func</span> f() <span class=k>int</span> {
<tr class=d><td class=l>4<td class=l><td class=s>−<td class=c>	<span class=k>return</span> <mark>one</mark>
<tr class=a><td class=l><td class=l>4<td class=s>+<td class=c>`+
		`	<span class=k>return</span> <mark><span class=nu>23</span></mark>
<tr class=a><td class=l><td class=l>5<td class=s>+<td class=c>	<span class=co>// &lt;b&gt;</span>
</table></div>
`, string(New(nil).Unified("a.go", small)))
}

func TestSideBySideAChangedLineIsBesideWhatItWas(t *testing.T) {
	t.Parallel()
	got := string(New(nil).Split("a.go", small))
	require.Contains(t, got, `<tr><td class="l d">4<td class="c d">	<span class=k>return</span> <mark>one</mark>`+
		`<td class="l a">4<td class="c a">	<span class=k>return</span> <mark><span class=nu>23</span></mark>`)
	require.Contains(t, got, `<tr><td class=l><td class=c><td class="l a">5<td class="c a">`)
}

func TestTheLineThatDiffersIsBesideWhatWasExpected(t *testing.T) {
	t.Parallel()
	s := view.Searched{Line: 7, Lines: []string{"a", "b", "c"}, Differs: 8, Want: "B<"}
	got := string(New(nil).Searched("a.go", s))
	require.Contains(t, got, "<tr class=d><td class=l>8<td class=s><td class=c>b\n"+
		"<tr class=a><td class=l><td class=s>≠<td class=c>B&lt;\n")
}

func TestNothingHostileIsInADiff(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"<script>alert(1)</script>", "a\u202eb", "\x00\x1b[31m", "\xff\xfe", "</td></table><img src=x onerror=alert(1)>",
		"a\u200b\u2066b\u2069", "`\"'&amp;",
	} {
		line := view.Line{Kind: view.Added, New: 1, Text: text, Marks: [][2]int{{0, 2}}}
		d := view.Diff{Hunks: []view.Hunk{{Lines: []view.Line{line}}}}
		for _, got := range []string{string(New(nil).Unified(text, d)), string(New(nil).Split(text, d)),
			string(New(nil).Searched(text, view.Searched{Lines: []string{text}, Line: 1, Differs: 1, Want: text}))} {
			harmless(t, got)
		}
	}
}

func TestALineOfAMegabyteIsShownFromItsChangeOn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<19)
	d := view.Diff{Hunks: []view.Hunk{{Lines: []view.Line{
		{Kind: view.Added, New: 1, Text: long + "HERE" + long, Marks: [][2]int{{1 << 20, 1<<20 + 4}}}}}}}
	got := string(New(nil).Unified("a.go", d))
	require.Less(t, len(got), 4000)
	require.Contains(t, got, "<mark>HERE</mark>")
	require.Contains(t, got, "more bytes")
	harmless(t, got)
}

func TestALongDiffEndsWithAWord(t *testing.T) {
	t.Parallel()
	d := view.Diff{Hunks: []view.Hunk{{Lines: make([]view.Line, 3*maxLines)}, {Lines: make([]view.Line, 1)}}}
	for i := range d.Hunks[0].Lines {
		d.Hunks[0].Lines[i] = view.Line{Kind: view.Added, New: i + 1, Text: "x"}
	}
	for _, got := range []string{string(New(nil).Unified("a.go", d)), string(New(nil).Split("a.go", d))} {
		require.LessOrEqual(t, strings.Count(got, "<tr"), maxLines+3)
		require.Contains(t, got, "The rest of this diff is not shown here.")
	}
}

// harmless requires that the HTML has only the elements and attributes of this package, and no character that deceives.
func harmless(t *testing.T, got string) {
	t.Helper()
	require.True(t, utf8.ValidString(got))
	require.NotContains(t, got, "\u202e")
	require.NotContains(t, got, "\x1b")
	require.NotContains(t, got, "\x00")
	for z := html.NewTokenizer(strings.NewReader(got)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		if token := z.Token(); kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			require.Contains(t, []string{"div", "table", "colgroup", "col", "tr", "td", "span", "mark", "i"}, token.Data)
			for _, a := range token.Attr {
				require.Contains(t, []string{"class", "colspan", "aria-label", "tabindex", "role"}, a.Key)
			}
		}
	}
}

func FuzzUnified(f *testing.F) {
	f.Add("a.go", "x := 1\n<script>", 0, 4)
	f.Add("\u202e.py", "\u202e\n\xff", 1, 2)
	f.Fuzz(func(t *testing.T, path, text string, from, to int) {
		var h view.Hunk
		for i, line := range strings.Split(text, "\n") {
			kind := []view.LineKind{view.Context, view.Removed, view.Added}[i%3]
			h.Lines = append(h.Lines, view.Line{Kind: kind, Old: i, New: i, Text: line, Marks: [][2]int{{from, to}}})
		}
		d := view.Diff{Hunks: []view.Hunk{h}}
		harmless(t, string(New(nil).Unified(path, d)))
		harmless(t, string(New(nil).Split(path, d)))
	})
}
