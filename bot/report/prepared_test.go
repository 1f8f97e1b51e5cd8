package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

func TestTheAnswerToAnUndo(t *testing.T) {
	t.Parallel()
	const run, oldSHA = "k3v9x1p7q2m4", "2222222222222222222222222222222222222222"
	old := "[`2222222`](" + lathe + "/commit/" + oldSHA + ")"
	applied := record.Result{Path: "a.go", Line: 1, Status: record.StatusApplied, Added: 2, Removed: 1}
	failed := record.Result{Path: "b.go", Line: 2, Status: record.StatusFailed, Reason: string(edit.ReasonOverlap)}
	held := record.Result{Path: "a.go", Status: record.StatusSkipped, Reason: string(edit.ReasonHeld)}
	for story, c := range map[string]struct {
		summary Summary
		title   string
		begins  string
		has     string
	}{
		"reverted": {
			Summary{SHA: someSHA, Branch: "speed", Results: []record.Result{applied}, Changed: []string{"a.go"}},
			"1 file reverted · revert: fix: it",
			"✅ **revert: fix: it** · 1 file reverted\\\n[`0123456`](" + lathe + "/commit/" + someSHA + ") on `speed` · " +
				"reverts " + old + " · +2 −1 in [`a.go:1`](",
			" · `/tenon undo " + run + "` restores it\n\n",
		},
		"not pushed": {
			Summary{Unpushed: "the fork was deleted", Results: []record.Result{applied}, Patch: record.Patch{Text: "+x\n"}},
			"Nothing reverted: the fork was deleted · revert: fix: it",
			"❌ **Nothing reverted:** the fork was deleted · revert: fix: it\\\nwould revert " + old + " · +2 −1\n\n",
			"```diff\n+x\n```\n\n</details>\n\n",
		},
		"not as a whole": {
			Summary{Results: []record.Result{held, failed}},
			"Nothing reverted: later commits changed the same lines · revert: fix: it",
			"❌ **Nothing reverted:** later commits changed the same lines · revert: fix: it\\\n" + old + " (run `" + runID +
				"`) can only be reverted as a whole.\n\n**File 2**, `b.go:2`: ",
			"**File 2**, `b.go:2`: later commits changed the same lines; undo those first, or change the file by hand.\n\n",
		},
		"nothing to revert": {
			Summary{Results: []record.Result{{Path: "a.go", Status: record.StatusSkipped, Reason: string(engine.NoChange)}}},
			"Nothing to change: the files already have these lines · revert: fix: it",
			"💬 **Nothing to change:** the files already have these lines · revert: fix: it\\\nwould revert " + old,
			"",
		},
	} {
		c.summary.Links, c.summary.Offers, c.summary.Costs.Run = onLathe, anyCommand, run
		title, body := titleAndBody(OfUndo(record.Commit{Run: runID, SHA: oldSHA, Subject: "fix: it"}, "", c.summary))
		require.Equal(t, c.title, title, story)
		require.True(t, strings.HasPrefix(body, c.begins), "%s: %s", story, body)
		require.Contains(t, body, c.has, story)
		require.NotContains(t, body, "/tenon retry", "there is nothing that a model could do")
		page(t, body)
	}
}

func TestTheAnswerToARun(t *testing.T) {
	t.Parallel()
	o := record.Operations{Run: runID, Chosen: []record.Operation{
		{Number: 2, Command: "git mv a.go b|c.go"}, {Number: 4, Command: "rm d.go"},
	}}
	r := Summary{
		Subject: "chore: carry out file operations from #1", Links: onLathe, SHA: someSHA, Branch: "speed",
		Changed: []string{"a.go", "b.go"}, Offers: anyCommand,
		Results: []record.Result{
			{Path: "a.go", Status: record.StatusApplied, Detail: "Moved 1 file to b|c.go"},
			{Path: "d.go", Status: record.StatusFailed, Detail: "There is no d.go"},
		},
	}
	title, body := titleAndBody(OfOperations(o, r))
	require.Equal(t, "1 of 2 file operations committed · chore: carry out file operations from #1", title)
	require.True(t, strings.HasPrefix(body, "⚠️ **chore: carry out file operations from `#1`** · 1 of 2 file "+
		"operations committed\\\n`git mv a.go b|c.go`: Moved 1 file to `b|c.go`\\\n[`0123456`]("+lathe+"/commit/"+someSHA+
		") on `speed` · in 2 files · `/tenon undo` reverts it\n\n"+
		"**File operation 4**, `d.go`: there is no `d.go`.\n\n"), body)
	r.Results[1] = r.Results[0]
	_, body = titleAndBody(OfOperations(o, r))
	require.Contains(t, body, "\n\n- `git mv a.go b|c.go`: Moved 1 file to `b|c.go`\n- `rm d.go`: ")
	r.SHA, r.Unpushed = "", "the fork was deleted"
	r.Patch = record.Patch{LeftOut: []retrieve.LeftOut{{Path: "d.go", Why: "it contains secrets"}}}
	_, body = titleAndBody(OfOperations(o, r))
	require.Contains(t, body, "❌ **Nothing committed:** the fork was deleted")
	require.Contains(t, body, "\n\nNot in the patch:\n\n- `d.go`: it contains secrets\n\n")
}

func TestOfManyOperationsSomeAreListed(t *testing.T) {
	t.Parallel()
	var o record.Operations
	var r Summary
	for i := range 1000 {
		o.Chosen = append(o.Chosen, record.Operation{Number: i + 1, Command: strings.Repeat("x", 500)})
		r.Results = append(r.Results, record.Result{Path: "a.go", Status: record.StatusApplied})
	}
	_, body := titleAndBody(OfOperations(o, r))
	require.LessOrEqual(t, len([]rune(body)), bodyRoom)
	require.Contains(t, body, "\n- … and 980 more\n")
}

// titleAndBody returns the title of the check run and the answer of a summary.
func titleAndBody(r Summary) (title, body string) { return r.CheckTitle(), r.Body() }
