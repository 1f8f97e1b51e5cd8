package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
)

func ofLines(path string, n int) record.Result {
	return record.Result{Path: path, Line: 2, Status: record.StatusApplied, Added: n - 2,
		Diff: "@@ -1,2 +1,3 @@\n a\n" + strings.Repeat("+b\n", n-2)}
}

func TestShortDiffsAreOpenAndLongOnesAreInOneFold(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, SHA: someSHA, Changed: []string{"a.go"}, Results: []record.Result{ofLines("a.go", 4)}}
	require.Equal(t, "```diff\n a\n+b\n+b\n```", r.diffs(bodyRoom), "the line above names the file")
	r.Changed = append(r.Changed, "b.go")
	r.Results = append(r.Results, ofLines("b.go", 11))
	require.Equal(t, "[`a.go:2`]("+lathe+"/blob/"+someSHA+"/a.go#L2)\n\n```diff\n a\n+b\n+b\n```\n\n[`b.go:2`]("+lathe+
		"/blob/"+someSHA+"/b.go#L2)\n\n```diff\n a\n"+strings.Repeat("+b\n", 9)+"```", r.diffs(bodyRoom))
	r.Results[1] = ofLines("b.go", 12)
	text := r.diffs(bodyRoom)
	require.True(t, strings.HasPrefix(text, "<details><summary>2 diffs</summary>\n\n[`a.go:2`]("), text)
	require.Equal(t, 1, strings.Count(text, "<details>"))
	require.Equal(t, 2, strings.Count(text, "@@ -1,2 +1,3 @@"), "there is room for the lines around")
	r.Results = []record.Result{ofLines("a.go", 16)}
	require.True(t, strings.HasPrefix(r.diffs(bodyRoom), "<details><summary>Diff</summary>"))
}

// Who reads of a failure wants to see that first.
func TestDiffsAreFoldedWhereSomethingFailed(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Changed: []string{"b.go"}, Results: []record.Result{ofLines("b.go", 4), missing(9)}}
	require.True(t, strings.HasPrefix(r.diffs(bodyRoom), "<details><summary>What was committed</summary>"))
}

func TestDiffsWithoutRoomAreLeftOutAsAWhole(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, CheckURL: lathe + "/pull/12/checks"}
	for range 50 {
		r.Results = append(r.Results, ofLines("a.go", 10))
	}
	text := r.diffs(2000)
	require.LessOrEqual(t, size(text), 2000)
	require.Regexp(t, `… and \d+ more, all of them in \[the check\]\(.*\)\n\n</details>$`, text)
	require.Empty(t, r.diffs(foldRoom))
}

func TestTheGistOfADiffIsItsChangedLines(t *testing.T) {
	t.Parallel()
	for diff, want := range map[string]string{
		"@@ -1 +1 @@\n a\n b\n+c\n+d\n e\n": " b\n+c\n+d",
		"@@ -1 +1 @@\n a\n-b\n+c\n d\n":     "-b\n+c",
		" a\n-b\n c\n+d\n":                  "-b\n c\n+d",
		"+++a\n---b\n":                      "+++a\n---b",
		"":                                  "",
	} {
		require.Equal(t, want, gist(diff), "%q", diff)
	}
}
