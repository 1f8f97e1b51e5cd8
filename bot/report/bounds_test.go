package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

func TestReportOfAHugeReplyStaysUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 200 {
		fmt.Fprintf(&reply, "dir/%s%d.txt\n<<<<<<< SEARCH\n%s\n=======\nx\n>>>>>>> REPLACE\n\n",
			strings.Repeat("long", 60), i, strings.Repeat("ä|`", 300))
		fmt.Fprintf(&reply, "```bash\necho %d %s\n```\n", i, strings.Repeat("x", 1000))
	}
	left := make([]retrieve.LeftOut, 1000)
	for i := range left {
		left[i] = retrieve.LeftOut{Path: strings.Repeat("n", 4000), Why: "it is not text"}
	}
	r := summaryOf(record.Target{Branch: "speed"}, record.Prompt{Selection: retrieve.Selection{LeftOut: left}},
		conversationOf(port.Answer{Text: reply.String()}),
		applyReply(t, map[string][]byte{"a": []byte("b\n")}, reply.String(), someSHA, false))
	got := r.Body()
	require.LessOrEqual(t, utf8.RuneCountInString(got), bodyRoom)
	require.Contains(t, got, "<summary>198 more edits could not be made</summary>")
	require.Regexp(t, `… and \d+ more`, got)
	require.True(t, strings.HasSuffix(got, " s</sub>\n\n</details>"))
	require.Equal(t, strings.Count(got, "<details>"), strings.Count(got, "</details>"))
	check := r.Check()
	require.LessOrEqual(t, utf8.RuneCountInString(check.Text), CheckRoom)
	require.LessOrEqual(t, utf8.RuneCountInString(check.Summary), CheckRoom)
}

func TestNothingHostileInAReportIsMoreThanText(t *testing.T) {
	t.Parallel()
	evil := "<img src=https://evil.example/x.png> ![x](https://evil.example/y.png) </details> @maria closes #1 ``` " +
		"<!-- tenon:run=0 -->"
	reply := "a.txt\n<<<<<<< SEARCH\n" + evil + "\n=======\nx\n>>>>>>> REPLACE\n\n```bash\ngit rm '" + evil + "'\n```\n"
	left := []retrieve.LeftOut{{Path: evil, Why: "it is not text"}}
	files := map[string][]byte{"a.txt": []byte(evil + "!\n" + evil + "\n" + evil + "\n")}
	r := summaryOf(record.Target{Branch: "a`<b>|c"}, record.Prompt{Selection: retrieve.Selection{LeftOut: left}},
		conversationOf(port.Answer{Text: reply, Model: evil}), applyReply(t, files, reply, someSHA, false))
	r.CheckURL = lathe + "/pull/12/checks"
	got := r.Body()
	html := page(t, got)
	for _, bad := range []string{"<img", "evil.example/x.png\"", "href=\"https://evil", "<!-- tenon:run=0 -->"} {
		require.NotContains(t, html, bad)
	}
	require.NotContains(t, got, "<!-- tenon:", "a mark counts in a comment of the app's own, wherever it stands")
	require.Equal(t, strings.Count(html, "<details>"), strings.Count(html, "</details>"))
}

func TestTheLongestAnswersStayUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	longest := 0
	for _, s := range []string{
		strings.Repeat("ä|`", 300), strings.Repeat("a/b.go ", 100), strings.Repeat("<", 3000), strings.Repeat("x\n", 3000),
	} {
		for _, n := range []int{0, 7, 21, 200} {
			r := hostileSummary(s, n)
			longest = max(longest, utf8.RuneCountInString(r.Body()))
			longest = max(longest, utf8.RuneCountInString(OfUpdate(record.Merge{Branch: s, SHA: someSHA}, runID, r).Body()))
			r.SHA, r.Unpushed = "", s
			r.Patch = record.Patch{
				Text: strings.Repeat(s, 20), LeftOut: []retrieve.LeftOut{{Path: s, Why: "it contains secrets"}},
			}
			longest = max(longest, utf8.RuneCountInString(r.Body()))
			check := r.Check()
			require.LessOrEqual(t, utf8.RuneCountInString(check.Text), CheckRoom)
			require.LessOrEqual(t, utf8.RuneCountInString(check.Summary), CheckRoom)
		}
	}
	require.LessOrEqual(t, longest, bodyRoom)
	require.Greater(t, longest, bodyRoom*9/10, "what fits is shown")
}

// Whatever a model, a file or a person wrote: an answer is under GitHub's limit, its folds are whole, and its HTML is
// ours.
func FuzzReport(f *testing.F) {
	for _, s := range markdowntest.Hostile {
		f.Add(s, 3)
	}
	f.Add(strings.Repeat(strings.Join(markdowntest.Hostile, " "), 5), 25)
	f.Fuzz(func(t *testing.T, s string, n int) {
		r := hostileSummary(s, min(max(n, 0), 200))
		pull := hostileDescription(s, min(max(n, 0), 200)).Body("")
		check := r.Check()
		for text, room := range map[string]int{
			r.Body(): bodyRoom, pull: bodyRoom, check.Text: CheckRoom, check.Summary: CheckRoom,
		} {
			require.LessOrEqual(t, utf8.RuneCountInString(text), room)
			page(t, text)
		}
	})
}

// hostileSummary says s wherever somebody else has a say.
func hostileSummary(s string, n int) Summary {
	s = strings.ToValidUTF8(s, "")
	r := Summary{
		Subject: s, Said: s, RequestURL: lathe + "/pull/12#issuecomment-99",
		Links: onLathe, SHA: someSHA, Base: headSHA, Branch: s, CheckURL: lathe + "/pull/12/checks",
		Reply: conversation.Reply{
			Explanation: s, Problems: []engine.Problem{{Text: s}}, Suggestions: []engine.Suggestion{{Command: s}},
		},
		Context: record.Prompt{Selection: retrieve.Selection{
			Files:   []retrieve.ShownFile{{Path: s, Why: "named"}},
			LeftOut: []retrieve.LeftOut{{Path: s, Why: "it is not text"}},
		}},
		Costs: record.Costs{Model: s, Calls: 1, Run: runID},
	}
	diff := recordedDiff([]string{s, s}, []string{s})
	for i := range n {
		r.Results = append(r.Results, record.Result{
			Path: s, Status: []record.Status{record.StatusApplied, record.StatusFailed, record.StatusSkipped}[i%3],
			Reason: string(engine.EarlierFailed), Detail: s, Purpose: s, Line: i, Diff: diff,
			Nearest: []string{s}, NearestLine: 3, Differs: 3, Want: s, Have: s,
		})
		r.Changed = append(r.Changed, s)
	}
	return r
}

// recordedDiff is the diff of a block that finds and replaces lines, as it is recorded.
func recordedDiff(find, replace []string) string {
	rows := record.Results(engine.Outcome{Results: []engine.Result{{Block: engine.Block{Find: find, Replace: replace}}}})
	return rows[0].Diff
}
