package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const previewMarks = "<!-- tenon:preview=k3v9x1p7q2m4 -->\n<!-- tenon:run=k3v9x1p7q2m4 -->"

// previewText is a body as an answer to preview is made: boxes, each with a fold that shows the diff.
func previewText(boxes ...string) string {
	return "**3 edits fit.** Tick those to commit.\n\n" + strings.Join(boxes, "\n\n") + "\n\n" + previewMarks
}

func folded(diff string) string {
	return "<details><summary>Diff</summary>\n\n" + CodeBlock(diff) + "\n\n</details>"
}

func TestABoxThatWasTickedNamesItsBlock(t *testing.T) {
	t.Parallel()
	for story, change := range map[string]func(string) string{
		"as GitHub ticks it":                func(s string) string { return s },
		"with the line ends of a browser":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"with a large X":                    func(s string) string { return strings.ReplaceAll(s, "[x]", "[X]") },
		"with blanks at the ends of lines":  func(s string) string { return strings.ReplaceAll(s, "-->\n", "-->  \n") },
		"in one list without lines between": func(s string) string { return strings.ReplaceAll(s, "-->\n\n- ", "-->\n- ") },
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			before := change(previewText(Box(1, true, "`a.go:3`"), Box(2, false, "`b.go`"), Box(4, false, "`c.go`")))
			after := change(previewText(Box(1, true, "`a.go:3`"), Box(2, false, "`b.go`"), Box(4, true, "`c.go`")))
			require.Equal(t, []int{1}, TickedBoxes(before))
			require.Equal(t, []int{1, 4}, TickedBoxes(after))
			require.Equal(t, []int{4}, NewTicks(before, after))
			require.Empty(t, NewTicks(after, before), "taking a tick away asks for nothing")
			require.Equal(t, strings.ReplaceAll(before, "[X]", "[x]"), strings.ReplaceAll(Untick(after, []int{4}), "[X]", "[x]"))
		})
	}
}

func TestBoxesBetweenFoldsAreRead(t *testing.T) {
	t.Parallel()
	body := previewText(Box(1, false, "`a.go`"), folded("+x"), Box(2, true, "`b.go`"), folded("-x"),
		Box(3, true, "`c.go`"))
	require.Equal(t, []int{2, 3}, TickedBoxes(body))
}

func TestWhatOnlyLooksLikeABoxDoesNotCount(t *testing.T) {
	t.Parallel()
	ticked := Box(2, true, "`b.go`")
	for story, body := range map[string]string{
		"in the diff of a fold":            previewText(Box(1, false, "`a.go`"), folded("+"+ticked), folded(ticked)),
		"in a fence":                       previewText("```\n" + ticked + "\n```"),
		"in a fence without an end":        previewText("~~~\n" + ticked),
		"in a fold, without a fence":       previewText("<details>\n\n" + ticked + "\n\n</details>"),
		"in a fold behind an end too many": previewText("</details>\n\n<details>\n\n" + ticked + "\n\n</details>"),
		"in a fold within a fold": previewText("<details>\n\n<DETAILS>\n\nx\n\n</details>\n\n" + ticked +
			"\n\n</details>"),
		"in a quote":                           previewText("> " + ticked),
		"in an item of another list":           previewText("- one\n  " + ticked),
		"in an HTML comment":                   previewText("<!--\n" + ticked + "\n-->"),
		"in an indented block":                 previewText("x\n\n    " + ticked),
		"with another mark of a list":          previewText("*" + ticked[1:]),
		"without the marker":                   previewText("- [x] **2** `b.go`"),
		"with another number in its marker":    previewText("- [x] **2** `b.go` <!-- tenon:block=3 -->"),
		"with words behind the marker":         previewText(ticked + " x"),
		"with the number of another":           previewText(Box(2, false, "`b.go`"), ticked),
		"with a number before another's":       previewText(Box(3, false, "`c.go`"), ticked),
		"with a number beyond all":             previewText(strings.ReplaceAll(ticked, "2", "1001")),
		"in a text that is too long":           previewText(ticked, strings.Repeat("x", MaxCommentBytes)),
		"in a text made to keep a parser busy": previewText(ticked, strings.Repeat("> ", 200)),
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, TickedBoxes(body))
			require.Equal(t, body, Untick(body, []int{2}))
		})
	}
}

// GitHub's renderer takes "[x]" anywhere on the line for the tick of its box.
func TestTheNameOfAFileTicksNoBox(t *testing.T) {
	t.Parallel()
	line := Box(1, false, "`a[x].go`, `b[X].go`")
	require.NotContains(t, strings.ToLower(line), "[x]")
	require.Contains(t, line, "`a[x ].go`, `b[X ].go`")
	require.Equal(t, 1, strings.Count(Box(1, true, "`a[x].go`"), "[x]"))
}

func TestAPreviewNamesItsRun(t *testing.T) {
	t.Parallel()
	run, ok := PreviewRun(previewText(Box(1, false, "`a.go`")))
	require.True(t, ok)
	require.Equal(t, "k3v9x1p7q2m4", run)
	mark := "<!-- tenon:preview=aaaaaaaaaaaa -->"
	run, ok = PreviewRun(previewText(folded(mark), "<details>\n\n"+mark+"\n\n</details>", mark, Box(1, false, "`a.go`")))
	require.True(t, ok)
	require.Equal(t, "k3v9x1p7q2m4", run, "the last mark is tenon's")
	for _, body := range []string{"", "`" + mark + "`", "```\n" + mark + "\n```", "> " + mark,
		"<!-- tenon:preview=AAAA -->", "<!-- tenon:run=aaaaaaaaaaaa -->"} {
		_, ok := PreviewRun(body)
		require.False(t, ok, body)
	}
}

func FuzzBoxes(f *testing.F) {
	f.Add(previewText(Box(1, true, "`a.go`"), folded("+x"), Box(2, false, "`b.go`")))
	f.Add("- [x] **1** <!-- tenon:block=1 -->\n  <details>\n- [ ] **2** x <!-- tenon:block=2 -->")
	f.Fuzz(func(t *testing.T, body string) {
		ticked := TickedBoxes(body)
		require.IsIncreasing(t, append([]int{0}, append(ticked, MaxNumber+1)...))
		require.Empty(t, TickedBoxes(Untick(body, ticked)))
		require.Empty(t, NewTicks(body, body))
	})
}

func TestABoxOfAChoiceNamesItsConflict(t *testing.T) {
	t.Parallel()
	box := ChoiceBox(3, 1, false, "theirs")
	require.Equal(t, "- [ ] **C3** theirs <!-- tenon:block=10 -->", box)
	id, choice := ChosenBy(10)
	require.Equal(t, [2]int{3, 1}, [2]int{id, choice})
	ticked := ChoiceBox(3, 1, true, "theirs")
	require.Equal(t, []int{10}, NewTicks(box, ticked))
	require.True(t, MayTick(box, ticked))
	require.False(t, MayTick(ticked, box))
	other := ChoiceBox(3, 0, true, "ours")
	require.True(t, MayTick(other+"\n"+box, strings.Replace(other, "[x]", "[ ]", 1)+"\n"+ticked), "one for another")
	for _, wrong := range []string{"- [x] **C2** theirs <!-- tenon:block=10 -->", "- [x] **10** theirs <!-- " +
		"tenon:block=9 -->",
		"- [x] **C0** x <!-- tenon:block=1 -->", "- [x] **C251** x <!-- tenon:block=1001 -->"} {
		require.Empty(t, TickedBoxes(wrong), wrong)
	}
	run, revision, ok := ResolveRun("x\n\n" + ResolveMarker("k3v9x1p7q2m4", "0123abcd"))
	require.True(t, ok)
	require.Equal(t, [2]string{"k3v9x1p7q2m4", "0123abcd"}, [2]string{run, revision})
	_, _, ok = ResolveRun("```\n" + ResolveMarker("k3v9x1p7q2m4", "0123abcd") + "\n```")
	require.False(t, ok)
}
