package report

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestNumbersAndTimesAreWrittenAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567"} {
		require.Contains(t, costLine(record.Costs{Usage: port.Usage{In: n, Out: 1}}), ">"+want+" tokens in, 1 out")
	}
	require.Equal(t, "4.2 s", duration(4200*time.Millisecond))
	require.Equal(t, "2 min 5 s", duration(125*time.Second))
}

func TestTheFooterSaysWhatARunCost(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<sub>4.2 s</sub>", costLine(record.Costs{Took: took, Run: runID}))
	require.Equal(t, "<sub>`m|x` · 2 calls · 1,200 tokens in, 345 out · $0.0123 · most of the budget is used · "+
		"4.2 s</sub>", costLine(record.Costs{
		Model: "m|x", Calls: 2, Usage: port.Usage{In: 1200, Out: 345}, Dollars: 0.01234, Priced: true,
		Warning: "most of the budget is used", Took: took, Run: runID,
	}))
	require.Contains(t, costLine(record.Costs{Calls: 1, Model: strings.Repeat("m", 200)}),
		"`"+strings.Repeat("m", 79)+"…` · 1 call")
}

// A hint at a command that nobody can give would only be in the way.
func TestOnlyCommandsThatThereAreAreHintedAt(t *testing.T) {
	t.Parallel()
	r := Summary{
		SHA: someSHA,
		Results: []record.Result{
			{Path: "a", Status: record.StatusFailed}, {Path: "b", Status: record.StatusApplied},
		},
		Reply: conversation.Reply{Suggestions: []engine.Suggestion{
			{Command: "go test"}, {Command: "git rm a", Op: &engine.Op{Kind: engine.OpRemove, Paths: []string{"a"}}},
		}},
	}
	require.NotContains(t, r.Body(), "/tenon")
	require.Contains(t, r.Body(), "**Suggested commands:** `go test` · `git rm a`\n")
	require.Empty(t, r.Check().Buttons)
	r.Offers = func(string) bool { return true }
	require.Contains(t, r.Body(), "**Suggested commands:** `go test` · `git rm a` → `/tenon run 2`\n")
	require.Contains(t, r.Body(), " · `/tenon undo` reverts it\n")
	require.Contains(t, r.Body(), "`a`: it could not be made; `/tenon retry` asks again.\n")
	require.Equal(t, []string{"retry", "undo"}, verbsOf(r.Check().Buttons))
	r.SHA, r.Preview = "", true
	require.Equal(t, []string{"apply", "retry"}, verbsOf(r.Check().Buttons))
}

// Asking again makes no text of a binary file.
func TestRetryIsOfferedOnlyWhereItCanHelp(t *testing.T) {
	t.Parallel()
	for reason, helps := range map[engine.Reason]bool{
		engine.NotFound: true, engine.Ambiguous: true, engine.SyntaxError: true, engine.Conflict: true,
		engine.BinaryFile: false, engine.ProtectedPath: false, engine.TooLarge: false, engine.UnsafePath: false,
		edit.ReasonOverlap: false,
	} {
		row := record.Result{Path: "a", Status: record.StatusFailed, Reason: string(reason)}
		r := Summary{Offers: anyCommand, Results: []record.Result{row}}
		tells := helps && reason != engine.Ambiguous // of two actions that help, the answer names the better one
		require.Equal(t, tells, strings.Contains(r.Body(), "/tenon retry"), reason)
		require.Equal(t, helps, len(r.Check().Buttons) > 0, reason)
		r.Results = append(r.Results, record.Result{Status: record.StatusFailed, Reason: string(engine.NotFound)})
		require.Contains(t, r.Body(), "/tenon retry", "for the other one")
	}
	waits := record.Result{Path: "a", Status: record.StatusSkipped, Reason: string(engine.EarlierFailed)}
	require.True(t, Summary{Results: []record.Result{waits}}.canRetry())
	there := record.Result{Path: "a", Status: record.StatusSkipped, Reason: string(engine.AlreadyApplied)}
	require.False(t, Summary{Results: []record.Result{there}}.canRetry())
}

func verbsOf(buttons []port.CheckButton) (out []string) {
	for _, b := range buttons {
		out = append(out, b.Verb)
	}
	return out
}

func TestTheFirstLineSaysWhatCameOfTheCommand(t *testing.T) {
	t.Parallel()
	made := record.Result{Path: "a.go", Status: record.StatusApplied}
	failed := record.Result{Path: "b.go", Status: record.StatusFailed, Reason: string(engine.NotFound)}
	other := record.Result{Path: "b.go", Status: record.StatusFailed, Reason: string(engine.BinaryFile)}
	waits := record.Result{Path: "b.go", Status: record.StatusSkipped, Reason: string(engine.EarlierFailed)}
	there := record.Result{Path: "c.go", Status: record.StatusSkipped, Reason: string(engine.AlreadyApplied)}
	broken := made
	broken.Problems = []record.Problem{{Text: "x", Syntax: true}}
	const subject = "fix(server): return the error of `Listen`"
	for _, c := range []struct {
		want, title, conclusion string
		summary                 Summary
	}{
		{"✅ **" + subject + "** · 1 edit committed", "1 edit committed · " + subject, "success",
			Summary{SHA: someSHA, Results: []record.Result{made}}},
		{"✅ **" + subject + "** · 2 edits committed", "2 edits committed · " + subject, "success",
			Summary{SHA: someSHA, Results: []record.Result{made, made, there}}},
		{"⚠️ **" + subject + "** · 1 of 3 edits committed", "1 of 3 edits committed · " + subject, "neutral",
			Summary{SHA: someSHA, Results: []record.Result{made, failed, waits}}},
		{"⚠️ **" + subject + "** · 1 edit committed", "1 edit committed · " + subject + " · not all files parse", "neutral",
			Summary{SHA: someSHA, Results: []record.Result{broken}}},
		{"❌ **Nothing committed:** the lines to change are not in the file · " + subject,
			"Nothing committed: the lines to change are not in the file · " + subject, "failure",
			Summary{Results: []record.Result{failed, waits}}},
		{"❌ **Nothing committed:** neither edit could be made · " + subject,
			"Nothing committed: neither edit could be made · " + subject, "failure",
			Summary{Results: []record.Result{failed, other}}},
		{"❌ **Nothing committed:** only 1 of 2 edits fits, and the settings require that all fit · " + subject,
			"Nothing committed: only 1 of 2 edits fits, and the settings require that all fit · " + subject, "failure",
			Summary{Held: true, Results: []record.Result{made, failed}}},
		{"❌ **Nothing committed:** the fork is `@gone` · " + subject, "Nothing committed: the fork is @gone · " + subject,
			"neutral",
			Summary{Unpushed: "the fork is @gone.", Patch: record.Patch{Text: "x"}, Results: []record.Result{made}}},
		{"❌ **Nothing committed:** 1 edit fits, but could not be committed · " + subject,
			"Nothing committed: 1 edit fits, but could not be committed · " + subject, "failure",
			Summary{Unpushed: strings.Repeat("why ", 30), Results: []record.Result{made}}},
		{"💬 **Nothing to change:** the files already have these lines · " + subject,
			"Nothing to change: the files already have these lines · " + subject, "neutral",
			Summary{Results: []record.Result{there}}},
		{"💬 **Nothing to change**", "Nothing to change", "neutral", Summary{Reply: conversation.Reply{NoChange: true}}},
		{"❌ **Nothing committed:** the model's reply has no edit · " + subject,
			"Nothing committed: the model's reply has no edit · " + subject, "failure", Summary{}},
	} {
		c.summary.Subject = subject
		require.Equal(t, c.want, c.summary.headline())
		require.True(t, strings.HasPrefix(c.summary.Body(), c.want), c.summary.Body())
		require.Equal(t, c.title, c.summary.CheckTitle())
		require.Equal(t, c.conclusion, c.summary.Check().Conclusion, c.want)
	}
	require.Equal(t, "✅ **1 edit committed**", Summary{SHA: someSHA, Results: []record.Result{made}}.headline())
}

// A model writes the subject.
func TestASubjectIsTextInTheFirstLine(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"fix: say goodbye":        "fix: say goodbye",
		"fix(server)!: it":        "fix(server)!: it",
		"fix(gh-12): it":          "`fix(gh-12)`: it",
		"deadbeef: it":            "`deadbeef`: it",
		"fix: @maria's **bug**":   "fix: `@maria's` bug",
		"fix: see #12 <b>":        "fix: see `#12` `<b>`",
		"fix: use `a|b` now\n# x": "fix: use `a|b` now `#` x",
	} {
		require.Equal(t, want, subjectText(subject))
	}
}

func TestTheLineBelowSaysWhereTheChangeIs(t *testing.T) {
	t.Parallel()
	r := Summary{
		Links: onLathe, Branch: "tenon/issue-7", SHA: someSHA, Moves: 2, Source: "Edit 1 of the preview.",
		Changed: []string{"a.go", "b.go"}, RequestURL: lathe + "/issues/7",
		Results: []record.Result{{Path: "a.go", Status: record.StatusApplied, Added: 1200, Removed: 2},
			{Path: "b.go", Status: record.StatusFailed, Added: 7}},
	}
	commit := "[`0123456`](" + lathe + "/commit/" + someSHA + ") on `tenon/issue-7`"
	require.Equal(t, commit+" · +1,200 −2 in 2 files · [request]("+lathe+"/issues/7)", r.meta())
	r.Pull, r.PullURL, r.RequestURL = 13, lathe+"/pull/13", ""
	r.Changed, r.Results[0].Line, r.Results[0].Removed = r.Changed[:1], 3, 0
	require.Equal(t, commit+" · +1,200 in [`a.go:3`]("+lathe+"/blob/"+someSHA+"/a.go#L3) · pull request [#13]("+lathe+
		"/pull/13)", r.meta())
	r.Results = append(r.Results, r.Results[0])
	require.Contains(t, r.meta(), "in `a.go` ·", "at two places")
	r.Unopened = UnopenedNotice(record.Target{Branch: "tenon/issue-7", Base: "ma(in", Unopened: "no\n```"}, onLathe)
	require.Contains(t, r.Body(), "**No pull request**: GitHub did not open one. [Open it here]("+lathe+
		"/compare/ma%28in...tenon/issue-7?expand=1). GitHub said:\n\n````text\nno\n```\n````\n\n"+
		"The branch moved in the meantime, so the edits were applied to its new tip.\n\n")
}

func TestAReplyWithoutEditsIsAnsweredWithWhatItSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reply       conversation.Reply
		shown, more string
	}{
		{conversation.Reply{Explanation: "it is @fine.", NoChange: true}, "💬 **Nothing to change**\n\nit is `@fine`.", ""},
		{conversation.Reply{Explanation: "See `a.go`.", Problems: []engine.Problem{{Line: 3, Text: "no path"},
			{Line: 4, Text: "line 4 is odd"}}},
			"❌ **Nothing committed:** the model's reply has no complete edit\n\nSee `a.go`.\n\n" +
				"Give the command again, for less at a time.",
			"**Problems in the reply**:\n\n- no path (line 3 of the reply)\n- line 4 is odd\n\n"},
		{conversation.Reply{Cut: true, Fault: "The provider is overloaded."},
			"❌ **Nothing committed:** the model could not be asked again\n\n" +
				"The model's reply was cut off at its length limit. Give the command again for what is missing. " +
				"The model could not be asked again. The provider is overloaded.", ""},
	} {
		r := Summary{Reply: c.reply}
		require.Equal(t, c.shown+"\n\n<details><summary>Details</summary>\n\n"+c.more+costLine(r.Costs)+"\n\n</details>",
			r.Body())
	}
}

func TestWhatTheModelSaysIsBelowTheFirstLine(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Results: []record.Result{{Path: "a.go", Status: record.StatusApplied}}}
	r.Reply.Explanation = "The index is one too large.\nSo it panics.\n\nI run no tests."
	require.True(t, strings.HasPrefix(r.Body(), "✅ **1 edit committed**\n\nThe index is one too large. So it panics."),
		r.Body())
}

// What is missing is said first, and a limit is not blamed for a connection.
func TestAnAnswerSaysThatTheEndOfTheReplyIsMissing(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Results: []record.Result{{Path: "a.go", Status: record.StatusApplied}}}
	r.Reply = conversation.Reply{Explanation: "It was lost.", Cut: true, Broken: true,
		Problems: []engine.Problem{{Text: "Mismatched SEARCH/REPLACE"}}}
	above, below, _ := strings.Cut(r.Body(), "<summary>Details")
	require.True(t, strings.HasPrefix(above, "⚠️ **1 edit committed · the model's reply is incomplete**\n\nIt was lost."),
		above)
	require.Contains(t, above, "The connection to the model broke in the middle of its reply")
	require.NotContains(t, above, "limit")
	require.NotContains(t, above, "Mismatched")
	require.Contains(t, below, "Mismatched")
	require.Equal(t, "neutral", r.Check().Conclusion)
	require.Contains(t, Preview{Summary: r}.Body(), "The connection to the model broke in the middle of its reply")
}

func TestOfManyProblemsAndCommandsSomeAreListed(t *testing.T) {
	t.Parallel()
	var r Summary
	for range 25 {
		r.Reply.Problems = append(r.Reply.Problems, engine.Problem{Text: "no path"})
		r.Reply.Suggestions = append(r.Reply.Suggestions, engine.Suggestion{Command: "go test"})
	}
	require.True(t, strings.HasSuffix(r.problemList(), "\n- … and 5 more"))
	r.Reply.Problems = []engine.Problem{{Line: 3, Kind: engine.ProblemNotRead, Text: "Diff at line 3 names no file"}}
	require.Equal(t, "**Problems in the reply**:\n\n- Diff at line 3 names no file\n\n[Which edits are read]("+docsURL+
		"/formats.md)", r.problemList())
	require.True(t, strings.HasPrefix(r.commandList(), "**Suggested commands:**\n\n1. `go test`\n2. "))
	require.True(t, strings.HasSuffix(r.commandList(), "\n20. `go test`\n- … and 5 more"))
}

// Above a number of edits, those that were applied are of less interest than the others.
func TestOfManyEditsThoseThatWereAppliedAreFolded(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, SHA: someSHA, Base: headSHA, CheckURL: lathe + "/pull/12/checks"}
	for i := range 21 {
		r.Results = append(r.Results, record.Result{Path: "a.go", Line: i, Status: record.StatusApplied})
	}
	r.Results[3].Status = record.StatusFailed
	table, left := r.table(bodyRoom)
	require.True(t, strings.HasPrefix(table,
		"| # | file | result |\n|--:|---|---|\n| 4 | [`a.go:3`]("+lathe+"/blob/"+someSHA+
			"/a.go#L3) | ❌ failed |\n\n<details><summary>The 20 edits that were applied</summary>\n\n| # |"), table)
	require.Equal(t, bodyRoom-size(table), left)
	r.SHA = ""
	table, _ = r.table(bodyRoom)
	require.Contains(t, table, "/blob/"+headSHA+"/a.go#L3", "where it failed, at the commit that it was tried on")
	require.Contains(t, table, "<summary>The 20 edits that fit</summary>")
	require.Contains(t, table, "| `a.go:1` | ✅ fits |")
	table, _ = r.table(600)
	require.Contains(t, table, "… and 20 more, all of them in [the check]("+lathe+"/pull/12/checks)")
}

func TestRoomIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, 6, size("äöüß"), "with the blank line after it")
	require.Equal(t, 8, size("äöü", "—"))
}

func TestALinkIsMadeOnlyOfAnAddressThatIsShortEnough(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[x]("+lathe+"/blob/"+someSHA+"/a%20b/%28%27%7C%29.go#L3)",
		fileLink("x", onLathe, someSHA, "a b/('|).go", 3))
	require.Equal(t, "[x]("+lathe+"/blob/"+someSHA+"/a.go)", fileLink("x", onLathe, someSHA, "a.go", 0))
	require.Equal(t, "x", fileLink("x", onLathe, someSHA, strings.Repeat("é", 100), 0))
	require.Equal(t, "a command by `maria`", CommandLink("", port.Event{Sender: port.User{Login: "maria"}}))
}
