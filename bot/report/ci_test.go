package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// signedAnswer is an answer in its final form.
const signedAnswer = "✅ **1 edit committed**\n\nAll is well.\n\n<sub>@maria · run abc123def456</sub>\n\n" +
	"<!-- tenon:run=abc123def456 -->"

func check(name string, outcome port.CheckOutcome) port.CommitCheck {
	return port.CommitCheck{Name: name, Outcome: outcome, Page: lathe + "/actions/runs/1/job/2"}
}

// lastLine is the last line of an answer that people see.
func lastLine(t *testing.T, body string) string {
	t.Helper()
	begin, end := strings.LastIndex(body, "\n\n<sub>"), strings.LastIndex(body, "\n\n<!-- tenon:run=")
	require.Less(t, begin, end, body)
	return body[begin+2 : end]
}

func told(t *testing.T, body string, answer Told) string {
	t.Helper()
	if answer.Run == "" {
		answer.Run = runID
	}
	answer.Links = onLathe
	out, ok := answer.In(body)
	require.True(t, ok)
	return out
}

func TestTheChecksOfACommitComeToOneVerdict(t *testing.T) {
	t.Parallel()
	passed, failed, pending := check("a", port.CheckPassed), check("b", port.CheckFailed), check("c", port.CheckPending)
	cancelled := check("d", port.CheckCancelled)
	for _, c := range []struct {
		checks []port.CommitCheck
		want   port.CheckOutcome
		names  int
	}{
		{nil, "", 0},
		{[]port.CommitCheck{passed}, port.CheckPassed, 0},
		{[]port.CommitCheck{passed, failed, failed, cancelled}, port.CheckFailed, 2},
		{[]port.CommitCheck{passed, cancelled}, port.CheckCancelled, 1},
		{[]port.CommitCheck{failed, pending}, port.CheckPending, 0},
	} {
		got := CIOf(port.CommitChecks{Checks: c.checks})
		require.Equal(t, c.want, got.Outcome)
		require.Len(t, got.Checks, c.names)
	}
}

func TestTheLastLineTellsWhatCISaid(t *testing.T) {
	t.Parallel()
	link := "(" + lathe + "/actions/runs/1/job/2)"
	failing := CIOf(port.CommitChecks{Checks: []port.CommitCheck{check("test (ubuntu)", port.CheckFailed),
		check("lint", port.CheckFailed)}})
	for want, of := range map[string]Told{
		"CI passed": {CI: CI{Outcome: port.CheckPassed}},
		"CI passed (`statuses: read` is missing, only 100 checks were read)": {
			CI: CI{Outcome: port.CheckPassed, Missing: []string{"statuses: read"}, Most: 100}},
		"CI was cancelled: [`a`]" + link: {
			CI: CIOf(port.CommitChecks{Checks: []port.CommitCheck{check("a", port.CheckCancelled)}})},
		"CI has not reported yet": {},
		"CI failed: [`test (ubuntu)`]" + link + ", [`lint`]" + link + " · `/tenon fix ci`": {CI: failing, Offers: anyCommand},
		"CI failed: [`test (ubuntu)`]" + link + ", [`lint`]" + link:                        {CI: failing},
	} {
		got := told(t, signedAnswer, of)
		require.Equal(t, "<sub>@maria · run abc123def456 · "+want+"</sub>", lastLine(t, got))
		require.Equal(t, signedAnswer, strings.Replace(got, " · "+want, "", 1), "nothing else is changed")
		require.Equal(t, got, told(t, got, of), "twice is once")
		require.Equal(t, "<sub>@maria · run abc123def456 · CI passed</sub>",
			lastLine(t, told(t, got, Told{CI: CI{Outcome: port.CheckPassed}})), "a later report is right")
	}
}

func TestAFailureIsToldThoughAnotherCheckDoesNotEnd(t *testing.T) {
	t.Parallel()
	failed, pending := port.CommitCheck{Name: "a", Outcome: port.CheckFailed}, check("cla", port.CheckPending)
	all := port.CommitChecks{Checks: []port.CommitCheck{pending, failed, pending}}
	require.Equal(t, port.CheckPending, CIOf(all).Outcome)
	got := told(t, signedAnswer, Told{CI: Overdue(all)})
	require.Contains(t, got, " · CI failed: `a`, and 2 checks have not ended</sub>")
	require.Equal(t, port.CheckPending, Overdue(port.CommitChecks{Checks: all.Checks[2:]}).Outcome)
	require.Equal(t, CIOf(port.CommitChecks{Checks: all.Checks[1:2]}), Overdue(port.CommitChecks{Checks: all.Checks[1:2]}))
}

func TestSilenceReplacesNothing(t *testing.T) {
	t.Parallel()
	passed := told(t, signedAnswer, Told{CI: CI{Outcome: port.CheckPassed}})
	require.Equal(t, passed, told(t, passed, Told{}))
}

func TestManyChecksThatFailedAreCounted(t *testing.T) {
	t.Parallel()
	var all port.CommitChecks
	for i := range 40 {
		all.Checks = append(all.Checks, port.CommitCheck{Name: fmt.Sprintf("test %d", i), Outcome: port.CheckFailed})
	}
	got := lastLine(t, told(t, signedAnswer, Told{CI: CIOf(all)}))
	require.Contains(t, got, "CI failed: `test 0`, `test 1`, `test 2`, `test 3`, `test 4` and 35 more</sub>")
}

func TestAMentionIsOfAPersonWhoseCIFailed(t *testing.T) {
	t.Parallel()
	quiet := strings.Replace(signedAnswer, "@maria", "`maria`", 1)
	failed := CI{Outcome: port.CheckFailed, Checks: []port.CommitCheck{{Name: "a"}}}
	for login, want := range map[string]string{"maria": "@maria", "": "`maria`", "acme/owners": "`acme/owners`"} {
		got := lastLine(t, told(t, quiet, Told{CI: failed, Mention: login}))
		require.True(t, strings.HasPrefix(got, "<sub>"+want+" · run "), got)
	}
}

func TestAnAnswerThatIsNotDoneHasNoLineToTellItIn(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "👀 working", "👀 working\n\n<!-- tenon:run=abc123def456 -->", strings.ReplaceAll(signedAnswer, "abc", "fff"),
		strings.Replace(signedAnswer, "</sub>", "</sub>\n\nMore.", 1), "<sub>@maria · run abc123def456x</sub>",
	} {
		got, ok := Told{Run: runID, Links: onLathe}.In(body)
		require.False(t, ok, body)
		require.Equal(t, body, got)
	}
}

func TestAnAnswerThatABrowserSavedHasItsLastLine(t *testing.T) {
	t.Parallel()
	got := told(t, strings.ReplaceAll(signedAnswer, "\n", "\r\n"), Told{CI: CI{Outcome: port.CheckPassed}})
	require.Equal(t, "<sub>@maria · run abc123def456 · CI passed</sub>", lastLine(t, got))
}

// The boxes of one preview can be ticked one after another.
func TestAPreviewTellsOfEachOfItsCommits(t *testing.T) {
	t.Parallel()
	first, second := strings.Repeat("a", 40), strings.Repeat("b", 40)
	body := told(t, signedAnswer, Told{Commit: first})
	body = told(t, body, Told{Commit: second, CI: CI{Outcome: port.CheckPassed}})
	body = told(t, body, Told{Commit: first, CI: CI{Outcome: port.CheckPassed}})
	body = told(t, body, Told{Commit: second})
	require.Equal(t, "<sub>@maria · run abc123def456</sub>\n"+
		"<sub>[`aaaaaaa`]("+lathe+"/commit/"+first+") · CI passed</sub>\n"+
		"<sub>[`bbbbbbb`]("+lathe+"/commit/"+second+") · CI passed</sub>", lastLine(t, body))
	end, ok := Ending(body, runID)
	require.True(t, ok)
	require.Equal(t, lastLine(t, body), end)
	for i := range 2 * maxCommits {
		body = told(t, body, Told{Commit: fmt.Sprintf("%040d", i)})
	}
	require.Len(t, strings.Split(lastLine(t, body), "\n"), maxCommits+1)
}

func TestPagesOnOtherHostsAreNotLinked(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"https://github.example/acme/lathe/runs/7":           "https://github.example/acme/lathe/runs/7",
		"https://GITHUB.example/a b(c)'/|?q=)](x&pr=1#frag":  "https://github.example/a%20b%28c%29%27/%7C",
		"https://ci.example/1":                               "",
		"https://github.example.evil.example/1":              "",
		"https://github.example@evil.example/1":              "",
		"https://user:word@github.example/1":                 "",
		"http://github.example/1":                            "",
		"javascript:alert(1)":                                "",
		"https:github.example/1":                             "",
		"//github.example/1":                                 "",
		"https://github.example/" + strings.Repeat("a", 600): "",
		"": "",
	} {
		require.Equal(t, want, pageOn(onLathe, page), page)
	}
}

// An answer has 1,000 characters beside what tells of the edits.
func TestALongAnswerTellsOfChecksWithoutLinks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", markdown.MaxBody-len(signedAnswer)-500) + "\n\n" + signedAnswer
	failing := check("test", port.CheckFailed)
	failing.Page += strings.Repeat("0", 400)
	got := told(t, long, Told{CI: CIOf(port.CommitChecks{Checks: []port.CommitCheck{failing, failing}})})
	require.Equal(t, "<sub>@maria · run abc123def456 · CI failed: `test`, `test`</sub>", lastLine(t, got))
}

func TestRoundsAreListedAboveTheLastLine(t *testing.T) {
	t.Parallel()
	round := func(r Round) Rounds { r.Of, r.Links = 2, onLathe; return Rounds{Run: runID, Rounds: []Round{r}} }
	body := signedAnswer
	tell := func(r Rounds, want ...string) {
		t.Helper()
		var ok bool
		body, ok = r.In(body)
		require.True(t, ok)
		block := "\n\n" + roundsMark + "\n" + strings.Join(want, "\n")
		require.Equal(t, strings.Replace(signedAnswer, "\n\n<sub>", block+"\n\n<sub>", 1), body)
		again, ok := r.In(body)
		require.True(t, ok)
		require.Equal(t, body, again)
	}
	commit := strings.Repeat("c", 40)
	first := "- Autofix round 1 of 2: [`ccccccc`](" + lathe + "/commit/" + commit + ") · "
	tell(round(Round{N: 1}), "- Autofix round 1 of 2: has begun")
	tell(round(Round{N: 1, Commit: commit, CI: CI{Outcome: port.CheckPending}, Answer: "https://x.example/a"}),
		first+"CI is running · [answer](https://x.example/a)")
	tell(Rounds{Run: runID, End: "CI failed as in the round before"},
		first+"CI is running · [answer](https://x.example/a)", "- Autofix ended: CI failed as in the round before.")
	tell(round(Round{N: 2, Over: true}), first+"CI is running · [answer](https://x.example/a)",
		"- Autofix round 2 of 2: nothing was committed")
	tell(round(Round{N: 1, Commit: commit, CI: CI{Outcome: port.CheckPassed}}), first+"CI passed",
		"- Autofix round 2 of 2: nothing was committed")
	body = told(t, body, Told{CI: CI{Outcome: port.CheckPassed}})
	require.Contains(t, body, "\n- Autofix round 2 of 2: nothing was committed\n\n<sub>")
}

func TestRoundsOfAnAnswerThatIsNotDoneAreNotListed(t *testing.T) {
	t.Parallel()
	got, ok := Rounds{Run: runID, Rounds: []Round{{N: 1, Of: 1}}}.In("👀 working")
	require.False(t, ok)
	require.Equal(t, "👀 working", got)
}

// What a model wrote cannot be taken for the list.
func TestAListOfSomebodyElseIsNotThatOfTheRounds(t *testing.T) {
	t.Parallel()
	body := strings.Replace(signedAnswer, "All is well.", "- Autofix round 1 of 2: has begun\n- Autofix ended: no.", 1)
	got, ok := Rounds{Run: runID, Rounds: []Round{{N: 1, Of: 2, Over: true}}}.In(body)
	require.True(t, ok)
	require.Contains(t, got, "- Autofix ended: no.\n\n"+roundsMark+
		"\n- Autofix round 1 of 2: nothing was committed\n\n<sub>")
}
