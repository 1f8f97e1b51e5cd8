package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
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
	require.Equal(t, "<sub>4.2 s · run abc123def456</sub>", costLine(record.Costs{Took: took, Run: runID}))
	require.Equal(t, "<sub>`m|x` · 2 calls · 1,200 tokens in, 345 out · $0.0123 · most of the budget is used · 4.2 s · "+
		"run abc123def456</sub>", costLine(record.Costs{
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
	require.Contains(t, r.Body(), "(tenon runs none of them)")
	require.Empty(t, r.Check().Buttons)
	r.Offers = func(string) bool { return true }
	require.Contains(t, r.Body(), "1. `go test`\n2. `git rm a` → `/tenon run 2`\n")
	require.Contains(t, r.Body(), "`/tenon retry` asks again for what failed. `/tenon undo` takes the commit back.")
	require.Equal(t, []string{"retry", "undo"}, verbsOf(r.Check().Buttons))
	r.SHA, r.Preview = "", true
	require.Equal(t, []string{"apply", "retry"}, verbsOf(r.Check().Buttons))
}

func verbsOf(buttons []port.CheckButton) (out []string) {
	for _, b := range buttons {
		out = append(out, b.Verb)
	}
	return out
}

func TestTheHeadlineSaysWhyNothingWasCommitted(t *testing.T) {
	t.Parallel()
	fits := []record.Result{{Path: "a.go", Status: record.StatusApplied}, {Path: "b.go", Status: record.StatusFailed}}
	for want, r := range map[string]Summary{
		"**Applied 1, failed 1, skipped 0 of 2 edits** in 1 file · nothing was committed\n\n" +
			"**Not committed**: not all edits fit, and the settings of this repository want all or none.\n\n" +
			"Would change: `a.go`": {Held: true},
		"**Applied 1, failed 1, skipped 0 of 2 edits** in 1 file · nothing was committed\n\n" +
			"**Not pushed**: the fork is `@gone`. 2 of the 3 changes are offered as suggestions on the diff.\n\n" +
			"Would change: `a.go`": {Unpushed: "the fork is @gone.", Offered: 2, Unoffered: 1},
		"**Applied 1, failed 1, skipped 0 of 2 edits** in 1 file · nothing was committed\n\n" +
			"**Not pushed**: the fork was deleted.\n\nWould change: `a.go`": {Unpushed: "the fork was deleted"},
	} {
		r.Results, r.Changed = fits, []string{"a.go"}
		require.Equal(t, want, r.headline())
	}
}

func TestTheHeadlineNamesThePullRequestOfAnIssue(t *testing.T) {
	t.Parallel()
	r := Summary{
		RepoURL: lathe, Branch: "tenon/issue-7", SHA: someSHA, Moves: 2, Source: "Edit 1 of the preview.",
		Results: []record.Result{{Path: "a.go", Status: record.StatusApplied}},
	}
	for i := range 12 {
		r.Changed = append(r.Changed, fmt.Sprintf("%d.go", i))
	}
	r.Unopened = UnopenedNotice(record.Target{Branch: "tenon/issue-7", Base: "ma(in", Unopened: "no\n```"}, lathe)
	require.Equal(t, "**Applied 1, failed 0, skipped 0 of 1 edit** in 12 files"+
		" · [`0123456`]("+lathe+"/commit/"+someSHA+") on `tenon/issue-7`\n\n"+
		"**No pull request**: GitHub did not open one. [Open it here]("+lathe+"/compare/ma%28in...tenon/issue-7?expand=1). "+
		"GitHub said:\n\n````text\nno\n```\n````\n\n"+
		"Edit 1 of the preview.\n\n"+
		"The branch moved meanwhile, so the edits were applied again, to its new tip.\n\n"+
		"Changed: "+strings.Join(linked(10), ", ")+" and 2 more", r.headline())
	r.Pull, r.PullURL, r.Unopened = 13, lathe+"/pull/13", ""
	require.Contains(t, r.headline(), "on `tenon/issue-7` · pull request [#13]("+lathe+"/pull/13)\n")
}

func linked(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("[`%d.go`](%s/blob/%s/%d.go)", i, lathe, someSHA, i))
	}
	return out
}

func TestAReplyWithoutEditsIsAnsweredWithWhatItSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reply conversation.Reply
		want  string
	}{
		{conversation.Reply{Prose: "NO CHANGE: it is @fine.", NoChange: true},
			"**Nothing was changed**: the model found nothing to change.\n\nThe model said:\n\n> it is `@fine`."},
		{conversation.Reply{Prose: "See `a.go`.", Problems: []engine.Problem{{Line: 3, Text: "no path"},
			{Line: 4, Text: "line 4 is odd"}}},
			"**Nothing was changed**: the model's reply holds no edit block that is whole.\n\n" +
				"The model said:\n\n> See `a.go`.\n\n**Problems of the reply**:\n\n" +
				"- no path (line 3 of the reply)\n- line 4 is odd"},
		{conversation.Reply{Cut: true, Fault: "The provider is overloaded."},
			"**Nothing was changed**: the model's reply holds no edit.\n\n**Problems of the reply**:\n\n" +
				"- The model's reply was cut off. Ask for less at once, or raise the model's limit.\n" +
				"- The model could not be asked again. The provider is overloaded."},
	} {
		r := Summary{Reply: c.reply}
		require.Equal(t, c.want+"\n\n<sub>0.0 s · run </sub>", r.Body())
		require.Equal(t, "Nothing was changed", r.CheckTitle())
	}
}

func TestWhatTheModelSaysBesideItsEditsIsFolded(t *testing.T) {
	t.Parallel()
	r := Summary{Results: []record.Result{{Path: "a.go", Status: record.StatusApplied}}}
	for prose, want := range map[string]string{
		"COMMIT: fix: it\nI made it.\n2. NEED: b.go": "<details><summary>What the model said</summary>\n\nI made it.\n\n</" +
			"details>",
		"The index is one too large.\nSo it panics.\n\nCOMMIT: fix: it\n\nI run no tests.": "<details><summary>What the " +
			"model said</summary>\n\nThe index is one too large. So it panics.\n\nI run no tests.\n\n</details>",
		"COMMIT: fix: it":       "",
		"```bash\ngo test\n```": "",
		"":                      "",
	} {
		r.Reply.Prose = prose
		require.Equal(t, want, r.explanation(), "%q", prose)
	}
	r.Reply.Prose, r.Reply.Cut = "half an ed", true
	require.Empty(t, r.explanation())
}

func TestOfManyProblemsAndCommandsSomeAreListed(t *testing.T) {
	t.Parallel()
	var r Summary
	for range 25 {
		r.Reply.Problems = append(r.Reply.Problems, engine.Problem{Text: "no path"})
		r.Reply.Suggestions = append(r.Reply.Suggestions, engine.Suggestion{Command: "go test"})
	}
	require.True(t, strings.HasSuffix(r.problemList(), "\n- … and 5 more"))
	require.True(t, strings.HasSuffix(r.commandList(), "\n20. `go test`\n- … and 5 more"))
}

// Above a number of edits, those that were applied are of less interest than the others.
func TestOfManyEditsThoseThatWereAppliedAreFolded(t *testing.T) {
	t.Parallel()
	r := Summary{RepoURL: lathe, SHA: someSHA, Base: headSHA, CheckURL: lathe + "/pull/12/checks"}
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

func TestWhatDoesNotFitIsLeftOutAsAWhole(t *testing.T) {
	t.Parallel()
	r := Summary{CheckURL: lathe + "/pull/12/checks"}
	for i := range 9 {
		r.Results = append(r.Results, record.Result{
			Path: "a.go", Line: i + 1, Status: record.StatusFailed, Reason: string(engine.NotFound), Detail: "Not there",
			Nearest: []string{"x", "y"}, NearestLine: 1234, Differs: 1235, Want: "z", Have: "y", Diff: "-z\n+w\n",
		})
	}
	whole := r.folds(bodyRoom)
	require.True(t, strings.HasPrefix(whole,
		"<details><summary>What to do about 9 edits that were not applied</summary>\n\n"+
			"<details><summary>Edit 1 · <code>a.go</code>, line 1 · what to do</summary>\n\n"+remedies[engine.NotFound]+"\n\n"+
			"The nearest lines of the file:\n\n```text\n1234  x\n1235  y\n```\n\nThe first difference is in line 1,235. "+
			"The edit (−) expects something else there than the file (+) has:\n\n```diff\n-z\n+y\n```\n\n"+
			"What the edit wanted:\n\n```diff\n-z\n+w\n```\n\n</details>\n\n"), whole)
	require.Equal(t, 10, strings.Count(whole, "</details>"))
	some := r.folds(2000)
	require.LessOrEqual(t, size(some), 2000)
	require.Regexp(t, `</details>\n\n… and \d more, all of them in \[the check\]\(.*\)\n\n</details>$`, some)
	require.Empty(t, r.folds(foldRoom), "there is no room even to say so")
}

func TestABlockThatWasNotTriedIsShownToo(t *testing.T) {
	t.Parallel()
	r := Summary{Results: []record.Result{
		{Path: "<b>.go", Status: record.StatusSkipped, Reason: string(engine.EarlierFailed), Diff: "-x\n+y\n"},
		{Path: "c.go", Status: record.StatusSkipped, Reason: string(engine.NoChange), Detail: "Nothing to do in c.go"},
	}}
	require.Equal(t, "<details><summary>Edit 1 · <code>&lt;b&gt;.go</code> · not tried</summary>\n\n"+
		remedies[engine.EarlierFailed]+"\n\n```diff\n-x\n+y\n```\n\n</details>", r.folds(bodyRoom))
	require.Equal(t, "⏭️ skipped: Nothing to do in `c.go`", r.resultCell(r.Results[1]))
}

func TestALinkIsMadeOnlyOfAnAddressThatIsShortEnough(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[x]("+lathe+"/blob/"+someSHA+"/a%20b/%28%27%7C%29.go#L3)",
		fileLink("x", lathe, someSHA, "a b/('|).go", 3))
	require.Equal(t, "[x]("+lathe+"/blob/"+someSHA+"/a.go)", fileLink("x", lathe, someSHA, "a.go", 0))
	require.Equal(t, "x", fileLink("x", lathe, someSHA, strings.Repeat("é", 100), 0))
	require.Equal(t, lathe, RepoURL(port.Thread{URL: lathe + "/issues/7"}))
	require.Equal(t, "https://github.example/pull/issues",
		RepoURL(port.Thread{URL: "https://github.example/pull/issues/pull/7"}))
	require.Equal(t, "a command of `maria`", CommandLink("", port.Event{Sender: port.User{Login: "maria"}}))
}

func TestAnAmbiguousEditLinksItsPlaces(t *testing.T) {
	t.Parallel()
	row := record.Result{Path: "a (b)|c.go", Status: record.StatusFailed, Reason: string(engine.Ambiguous), Line: 3,
		Places: []int{3, 1400}, MorePlaces: 7}
	text := Summary{RepoURL: lathe, Base: someSHA, Results: []record.Result{row}}.Body()
	link := "https://github.example/acme/lathe/blob/" + someSHA + "/a%20%28b%29%7Cc.go#L"
	require.Contains(t, text, fmt.Sprintf("It matches at lines [3](%s3), [1,400](%s1400) and 7 more.", link, link))
	require.Contains(t, text, "| 1 | [`a (b)\\|c.go:3`]("+link+"3) |")
	text = Summary{Results: []record.Result{row}}.Body()
	require.Contains(t, text, "It matches at lines 3, 1,400 and 7 more.", "without a commit there is nothing to link to")
}
