package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

func TestTheAnswerToAnUndo(t *testing.T) {
	t.Parallel()
	const run, oldSHA = "k3v9x1p7q2m4", "2222222222222222222222222222222222222222"
	commit := "[`2222222`](" + lathe + "/commit/" + oldSHA + ") of run `" + runID + "`"
	applied := record.Result{Path: "a.go", Line: 1, Status: record.StatusApplied}
	failed := record.Result{Path: "b.go", Line: 2, Status: record.StatusFailed, Reason: string(edit.ReasonOverlap)}
	for story, c := range map[string]struct {
		summary Summary
		title   string
		begins  string
		ends    string
	}{
		"undone": {
			Summary{SHA: someSHA, Branch: "speed", Results: []record.Result{applied}},
			"Undid run " + runID,
			"**Undone**: what " + commit + " changed is taken back in 1 file · [`0123456`](" + lathe + "/commit/" + someSHA +
				") on `speed`\n\n| # | file | result |",
			"✅ applied |\n\n`/tenon undo " + run + "` brings it back.\n\n<sub>run " + run + "</sub>",
		},
		"not pushed": {
			Summary{Unpushed: "the fork was deleted", Results: []record.Result{applied}, Patch: record.Patch{Text: "+x\n"}},
			"Nothing was undone",
			"**Nothing was undone**: what " + commit +
				" changed could be taken back.\n\n**Not pushed**: the fork was deleted.\n\n",
			"```diff\n+x\n```\n\n</details>\n\n<sub>run " + run + "</sub>",
		},
		"not as a whole": {
			Summary{Results: []record.Result{applied, failed}},
			"Nothing was undone",
			"**Nothing was undone**: 1 of 2 files that " + commit + " changed cannot be taken back.\n\n",
			remedies[edit.ReasonOverlap] +
				"\n\n</details>\n\nA commit is undone as a whole or not at all, because a half of it is " +
				"worse than none. Take back the later changes first, or change these files by hand.\n\n<sub>run " + run + "</sub>",
		},
		"nothing to undo": {
			Summary{Results: []record.Result{{Path: "a.go", Status: record.StatusSkipped}}},
			"There is nothing to undo",
			"**Nothing to undo**: the files that " + commit + " changed are as they were before it.\n\n",
			"⏭️ skipped |\n\n<sub>run " + run + "</sub>",
		},
	} {
		c.summary.RepoURL = lathe
		title, body := UndoBody(run, record.Commit{Run: runID, SHA: oldSHA}, c.summary)
		require.Equal(t, c.title, title, story)
		require.True(t, strings.HasPrefix(body, c.begins), "%s: %s", story, body)
		require.True(t, strings.HasSuffix(body, c.ends), "%s: %s", story, body)
		page(t, body)
	}
}

func TestTheAnswerToARun(t *testing.T) {
	t.Parallel()
	o := record.Operations{Run: runID, Chosen: []record.Operation{
		{Number: 2, Command: "git mv a.go b|c.go"}, {Number: 4, Command: "rm d.go"},
	}}
	r := Summary{
		RepoURL: lathe, SHA: someSHA, Branch: "speed", Changed: []string{"a.go", "b.go"},
		Results: []record.Result{
			{Path: "a.go", Status: record.StatusApplied, Detail: "Moved 1 file to b|c.go"},
			{Path: "d.go", Status: record.StatusFailed, Detail: "There is no d.go"},
		},
	}
	const table = "\n\n| # | command | result |\n|--:|---|---|\n" +
		"| 2 | `git mv a.go b\\|c.go` | ✅ applied: Moved 1 file to `b\\|c.go` |\n" +
		"| 4 | `rm d.go` | ❌ failed: There is no `d.go` |"
	title, body := OperationsBody("k3v9x1p7q2m4", o, r)
	require.Equal(t, "Applied 1, failed 1, skipped 0 of 2 file operations", title)
	require.Equal(t, "**"+title+"** in 2 files · [`0123456`]("+lathe+"/commit/"+someSHA+") on `speed`"+table+
		"\n\n`/tenon undo` takes the commit back.\n\n<sub>run k3v9x1p7q2m4</sub>", body)
	r.SHA, r.Held = "", true
	_, body = OperationsBody("k3v9x1p7q2m4", o, r)
	require.Equal(t, "**"+title+"** · nothing was committed\n\n**Not committed**: not all edits fit, and the settings "+
		"of this "+
		"repository want all or none."+strings.ReplaceAll(table, "✅ applied", "✅ fits")+"\n\n<sub>run k3v9x1p7q2m4</sub>",
		body)
	r.Held, r.Unpushed = false, "the fork was deleted"
	r.Patch = record.Patch{LeftOut: []retrieve.LeftOut{{Path: "d.go", Why: "it holds secrets"}}}
	_, body = OperationsBody("k3v9x1p7q2m4", o, r)
	require.Contains(t, body, "\n\nNot in the patch:\n\n- `d.go`: it holds secrets\n\n<sub>")
}

func TestOfManyOperationsAsManyAreShownAsFit(t *testing.T) {
	t.Parallel()
	var o record.Operations
	var r Summary
	for i := range 1000 {
		o.Chosen = append(o.Chosen, record.Operation{Number: i + 1, Command: strings.Repeat("x", 500)})
		r.Results = append(r.Results, record.Result{Path: "a.go", Status: record.StatusApplied})
	}
	_, body := OperationsBody(runID, o, r)
	require.LessOrEqual(t, len([]rune(body)), bodyRoom)
	require.Greater(t, len([]rune(body)), bodyRoom*9/10)
}
