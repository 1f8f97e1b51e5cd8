package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestButtonsAreAsShortAsGitHubWantsThem(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, len(buttons), 3)
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
	require.Equal(t, "failure", c.Conclusion)
	require.Equal(t, "Applied 1, failed 2, skipped 0 of 3 edits", c.Title)
	require.Equal(t, []port.Annotation{{
		Path: "b.go", StartLine: 7, EndLine: 7, Level: "warning", Title: "Edit 2 was not applied",
		Message: "Content sequence not found in file. " + remedies[engine.NotFound],
	}}, c.Annotations, "what has no line cannot be told at one")
	r.Results = r.Results[:1]
	require.Equal(t, "success", r.Check().Conclusion)
	r.SHA = ""
	require.Equal(t, "neutral", r.Check().Conclusion)
	for range 300 {
		r.Results = append(r.Results, record.Result{Path: "b.go", Status: record.StatusFailed, Line: 1})
	}
	require.Len(t, r.Check().Annotations, maxAnnotations)
}

func TestACheckHasTheHeadlineAndTheDiffs(t *testing.T) {
	t.Parallel()
	r := Summary{
		RepoURL: lathe, Branch: "speed", SHA: someSHA, Changed: []string{"a.go"}, Costs: record.Costs{Took: took, Run: runID},
		Results: []record.Result{{Path: "a.go", Status: record.StatusApplied, Line: 2, Diff: "-x\n+y\n", Added: 1,
			Removed: 1}},
	}
	c := r.Check()
	require.Equal(t, "**Applied 1, failed 0, skipped 0 of 1 edit** in 1 file · [`0123456`]("+lathe+"/commit/"+someSHA+
		") on `speed`\n\n<sub>4.2 s · run abc123def456</sub>", c.Summary, "which files changed, its text says")
	require.Equal(t, "| # | file | result |\n|--:|---|---|\n"+
		"| 1 | [`a.go:2`]("+lathe+"/blob/"+someSHA+"/a.go#L2) | ✅ applied |"+
		"\n\n<details><summary>Edit 1 · <code>a.go</code>, line 2 · +1 −1</summary>\n\n```diff\n-x\n+y\n```\n\n</details>",
		c.Text)
}
