package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// missing is an edit whose lines the file does not have.
func missing(line int) record.Result {
	return record.Result{
		Path: "a.go", Line: line, Status: record.StatusFailed, Reason: string(engine.NotFound),
		Detail:  "Content sequence not found in file",
		Nearest: []string{"u", "v", "w", "x", "y"}, NearestLine: line - 3, Differs: line, Want: "z", Have: "x",
		Diff: "-z\n+q\n",
	}
}

func TestAFailureIsOneSentenceAndTheLinesOnceWithTheFirstDifferenceMarked(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Links: onLathe, Offers: anyCommand,
		Results: []record.Result{{Path: "b.go", Status: record.StatusApplied}, missing(7)}}
	text, _ := r.failures(bodyRoom)
	require.Equal(t, "**Edit 2**, [`a.go:7`]("+lathe+"/blob/"+someSHA+"/a.go#L7): line 7 is not what the model "+
		"expected (− expected, + in the file); `/tenon retry` asks again.\n\n```diff\n v\n w\n-z\n+x\n y\n```", text)
	shown, details, _ := strings.Cut(r.Body(), "<summary>Details</summary>")
	require.NotContains(t, shown, "Content sequence")
	require.Contains(t, details,
		"Edit 2: failed, `not-found`. Content sequence not found in file (the first difference is "+
			"in line 7)\n\nThe edit:\n\n```diff\n-z\n+q\n```")
	r.Results = r.Results[1:]
	require.True(t, strings.HasPrefix(r.failedEdits()[0], "[`a.go:7`]("), "there is no other edit")
}

// The closest match may end before the line that the edit expects.
func TestTheFirstDifferenceMayBeBehindTheLinesOfTheFile(t *testing.T) {
	t.Parallel()
	row := missing(9)
	row.Differs, row.Have = 11, ""
	require.Equal(t, []string{" x", " y", "-z"}, differing(row))
	row.Differs = 20
	require.Equal(t, []string{"-z"}, differing(row))
	row.Differs = 1
	require.Equal(t, []string{"-z"}, differing(row))
	row.Differs = 0
	require.Empty(t, differing(row))
}

func TestWhereTheFileWasNamedTheAdviceIsNotToNameIt(t *testing.T) {
	t.Parallel()
	r := Summary{Results: []record.Result{missing(7)}}
	require.Contains(t, r.Body(), "give the command again and name the file.")
	r.Context.Files = []retrieve.ShownFile{{Path: "a.go", Why: "named"}}
	require.Contains(t, r.Body(), "; give the command again.")
	gone := record.Result{Path: "no.go", Status: record.StatusFailed, Reason: string(engine.FileNotFound)}
	r.Results = []record.Result{gone}
	require.Contains(t, r.Body(), "`no.go`: this file does not exist; give the command again with its full path.")
	r.Context.LeftOut = []retrieve.LeftOut{{Path: "no.go", Why: "there is no such file"}}
	require.Contains(t, r.Body(), "`no.go`: this file does not exist; check the path in the command.")
}

func TestOfManyFailuresMostAreFolded(t *testing.T) {
	t.Parallel()
	r := Summary{CheckURL: lathe + "/pull/12/checks"}
	for i := range 9 {
		r.Results = append(r.Results, missing(i+10))
	}
	whole, _ := r.failures(bodyRoom)
	require.Equal(t, 9, strings.Count(whole, "```diff"))
	before, _, _ := strings.Cut(whole, "<details><summary>7 more edits could not be made</summary>\n\n**Edit 3**, ")
	require.Equal(t, 2, strings.Count(before, "```diff"), whole)
	some, left := r.failures(1500)
	require.LessOrEqual(t, size(some), 1500)
	require.Equal(t, 1500-size(some), left)
	require.Regexp(t, `… and \d more, all of them in \[the check\]\(.*\)\n\n</details>$`, some)
	none, _ := r.failures(foldRoom)
	require.Empty(t, none, "there is no room even to say so")
}

func TestAnEditBehindOneThatFailedIsToldToo(t *testing.T) {
	t.Parallel()
	r := Summary{Results: []record.Result{
		{Path: "<b>.go", Status: record.StatusSkipped, Reason: string(engine.EarlierFailed), Diff: "-x\n+y\n"},
		{Path: "c.go", Status: record.StatusSkipped, Reason: string(engine.NoChange), Detail: "Nothing to do in c.go"},
	}}
	text, _ := r.failures(bodyRoom)
	require.Equal(t, "**Edit 1**, `<b>.go`: an earlier edit of this file failed, and this one may build on it; give the "+
		"command again and name the file.", text)
	require.Contains(t, r.Body(), "Edit 2 was not needed: the files already have these lines.")
	require.Contains(t, r.Body(), "Edit 2: skipped, `no-change`. Nothing to do in `c.go`")
}

func TestAnAmbiguousEditLinksItsPlaces(t *testing.T) {
	t.Parallel()
	row := record.Result{Path: "a (b)|c.go", Status: record.StatusFailed, Reason: string(engine.Ambiguous), Line: 3,
		Places: []int{3, 1400}, MorePlaces: 7}
	text := Summary{Links: onLathe, Base: someSHA, Results: []record.Result{row}}.Body()
	link := "https://github.example/acme/lathe/blob/" + someSHA + "/a%20%28b%29%7Cc.go#L"
	require.Contains(t, text, fmt.Sprintf("the same lines are at [3](%s3), [1,400](%s1400) and 7 more; "+
		"give the command again and say which place you mean", link, link))
	require.Contains(t, text, "[`a (b)|c.go:3`]("+link+"3): ")
	text = Summary{Results: []record.Result{row}}.Body()
	require.Contains(t, text, "at 3, 1,400 and 7 more;", "without a commit there is nothing to link to")
}
