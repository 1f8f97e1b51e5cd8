package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestButtonsAreAsShortAsGitHubWantsThem(t *testing.T) {
	t.Parallel()
	failed := []record.Result{{Status: record.StatusFailed, Reason: string(engine.NotFound)}}
	fix, _ := command.Lookup(command.Fix)
	require.Equal(t, []string{"retry", "undo", "fix"}, verbsOf(ButtonsOfCommit(fix, failed, true, anyCommand)),
		"GitHub takes three")
	require.Equal(t, []string{"retry", "undo"}, verbsOf(ButtonsOfCommit(fix, failed, false, anyCommand)))
	apply, _ := command.Lookup(command.Apply)
	require.Equal(t, []string{"undo", "fix"}, verbsOf(ButtonsOfCommit(apply, failed, true, anyCommand)))
	require.Empty(t, ButtonsOfCommit(fix, failed, true, func(string) bool { return false }))
	for _, b := range buttons {
		require.LessOrEqual(t, len(b.Label), 20)
		require.LessOrEqual(t, len(b.Description), 40)
		require.LessOrEqual(t, len(b.Verb), 20)
		require.True(t, anyCommand(b.Verb), b.Verb)
	}
}

func TestACheckTellsFailuresAtTheirLines(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Results: []record.Result{
		{Path: "a.go", Status: record.StatusApplied, Line: 2},
		{Path: "b.go", Status: record.StatusFailed, Reason: string(engine.NotFound), Line: 7,
			Detail: "Content sequence not found in file"},
		{Path: "../c.go", Status: record.StatusFailed, Reason: string(engine.UnsafePath), Detail: "no"},
	}}
	c := r.Check()
	require.Equal(t, "neutral", c.Conclusion, "something was committed")
	require.Equal(t, "1 of 3 edits committed", c.Title)
	require.Equal(t, []port.Annotation{{
		Path: "b.go", StartLine: 7, EndLine: 7, Level: "warning", Title: "Edit 2 was not applied",
		Message: "Content sequence not found in file. Give the command again and name the file.",
	}}, c.Annotations, "what has no line cannot be told at one")
	r.Results = r.Results[:1]
	require.Equal(t, "success", r.Check().Conclusion)
	r.SHA = ""
	for range 300 {
		r.Results = append(r.Results, record.Result{Path: "b.go", Status: record.StatusFailed, Line: 1})
	}
	require.Len(t, r.Check().Annotations, maxAnnotations)
	r.Results = r.Results[1:]
	require.Equal(t, "failure", r.Check().Conclusion, "nothing could be done")
}

func TestACheckHasTheHeadlineAndTheDiffs(t *testing.T) {
	t.Parallel()
	r := Summary{
		Links: onLathe, Branch: "speed", SHA: someSHA, Changed: []string{"a.go"}, Costs: record.Costs{Took: took, Run: runID},
		Results: []record.Result{{Path: "a.go", Status: record.StatusApplied, Line: 2, Diff: "-x\n+y\n", Added: 1,
			Removed: 1}},
	}
	c := r.Check()
	require.Equal(t, "✅ **1 edit committed**\\\n[`0123456`]("+lathe+"/commit/"+someSHA+") on `speed` · +1 −1 in "+
		"[`a.go:2`]("+lathe+"/blob/"+someSHA+"/a.go#L2)\n\n"+costLine(r.Costs), c.Summary)
	require.Equal(t, "| # | file | result |\n|--:|---|---|\n"+
		"| 1 | [`a.go:2`]("+lathe+"/blob/"+someSHA+"/a.go#L2) | ✅ applied |\n\n```diff\n-x\n+y\n```", c.Text)
}
