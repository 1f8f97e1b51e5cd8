package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAPullRequestHasTheSubjectOfItsCommitAsTitle(t *testing.T) {
	t.Parallel()
	issue := record.Target{Title: " Greet\nby name\u202e"}
	const subject = "fix(server): return the error of Listen"
	require.Equal(t, subject, PullTitle(7, subject, issue))
	for _, subject := range []string{"", "chore: apply edits from #7", "fix: closes #8", "Fix it"} {
		require.Equal(t, "Greet by name\uFFFD", PullTitle(7, subject, issue), subject)
	}
	require.Equal(t, "Changes for issue 7", PullTitle(7, "", record.Target{Title: "@maria"}))
	long := PullTitle(7, "", record.Target{Title: strings.Repeat("ä", 1000)})
	require.Equal(t, maxPullTitle, utf8.RuneCountInString(long))
}

// madeOf is a commit of a command with the results of edits.
func madeOf(sha, subject, explanation string, rows ...record.Result) Made {
	m := Made{Commit: record.Commit{Run: runID, SHA: sha, Subject: subject}, Event: aFix().Event, Verb: "fix",
		Explanation: explanation, Results: rows}
	for _, row := range rows {
		if row.Status.Applied() {
			m.Changed = append(m.Changed, row.Path)
		}
	}
	return m
}

// hostileDescription says s wherever somebody else has a say, in n commits.
func hostileDescription(s string, n int) Description {
	d := Description{Issue: 12, Links: onLathe}
	for range n {
		m := madeOf(someSHA, s, "Because of "+s+"\n\n"+s, hostileSummary(s, 2).Results...)
		m.Event.Sender.Login, m.Changed = s, []string{s, "a.go"}
		d.Made = append(d.Made, m)
	}
	return d
}

func TestADescriptionSaysWhatToReviewFirstAndWhy(t *testing.T) {
	t.Parallel()
	small := record.Result{Path: "a.go", Status: record.StatusApplied, Added: 1}
	large := record.Result{Path: "b.go", Status: record.StatusApplied, Added: 3, Removed: 2}
	unseen := record.Result{Path: "c.go", Status: record.StatusApplied, Marks: []string{"turns the direction of text"}}
	broken := record.Result{Path: "d.go", Status: record.StatusApplied,
		Problems: []record.Problem{{Line: 1, Text: "x", Syntax: true}}}
	failed := record.Result{Path: "e.go", Status: record.StatusFailed, Added: 100}
	at := func(path, sha string) string { return "`" + path + "`](" + lathe + "/blob/" + sha + "/" + path + ") " }
	for story, c := range map[string]struct {
		made []Made
		want string
	}{
		"the most lines": {
			[]Made{madeOf("1", "", "", small, large)},
			at("b.go", "1") + "(+3 −2), because most of the changed lines are there.",
		},
		"over all commits": {
			[]Made{madeOf("1", "", "", large), madeOf("2", "", "", small, small, small, small, small, small)},
			at("a.go", "2") + "(+6 −0), because most",
		},
		"what a reader does not see": {
			[]Made{madeOf("1", "", "", large, unseen)},
			at("c.go", "1") + "(+0 −0), because it adds text that readers cannot see.",
		},
		"what does not parse": {
			[]Made{madeOf("1", "", "", large, unseen, broken)},
			at("d.go", "1") + "(+0 −0), because it does not parse.",
		},
	} {
		got := Description{Issue: 12, Links: onLathe, Made: c.made}.section()
		require.Contains(t, got, "\n\n**Review first:** ["+c.want, story)
	}
	require.Contains(t, Description{Links: onLathe, Made: []Made{madeOf("1", "", "", small, failed)}}.section(),
		"\n\n**Review:** ["+at("a.go", "1")+"(+1 −0), the only file that changes.\n\n")
	gone := record.Result{Path: "f.go", Status: record.StatusApplied, Removed: 9}
	require.Contains(t, Description{Links: onLathe, Made: []Made{madeOf("1", "", "", small, gone)}}.section(),
		"**Review first:** `f.go` (+0 −9), because most", "no link to a file that is removed")
	require.Contains(t, Description{Made: []Made{madeOf("1", "", "", small)}}.section(),
		"**Checked:** tenon's parsers found no syntax error in the changed files. No tests were run.")
	require.Contains(t, Description{Made: []Made{madeOf("1", "", "", small, broken)}}.section(),
		"**Checked:** ⚠️ `d.go` does not parse. No tests were run.")
	merge := madeOf("2", "Merge branch 'main' into x", "")
	merge.Merges, merge.Changed = true, []string{"a.go", "base.go"}
	require.Contains(t, Description{Links: onLathe, Made: []Made{madeOf("1", "", "", small), merge}}.section(),
		"\n\n**Review:** ["+at("a.go", "1")+"(+1 −0), the only file that changes.\n\n",
		"what is merged is not reviewed here")
	fixedFile := broken
	fixedFile.Problems = nil
	require.Contains(t, Description{Made: []Made{madeOf("1", "", "", broken), madeOf("2", "", "", fixedFile)}}.section(),
		"**Checked:** tenon's parsers found no syntax error")
}

func TestADescriptionTellsOfAllCommandsAndLeavesOutWhatWasReverted(t *testing.T) {
	t.Parallel()
	row := record.Result{Path: "a.go", Status: record.StatusApplied, Added: 1}
	first := madeOf("1111111aaa", "fix: it", "It was wrong.", row)
	second := madeOf("2222222aaa", "fix: that", "That too.", row, record.Result{Path: "b.go", Status: record.StatusFailed})
	d := Description{Issue: 12, Links: onLathe, Made: []Made{first, second}}
	by := " · `/tenon fix` by `maria` ([request](" + aFix().Event.Comment.URL + "))"
	list := "**Commands**\n\n- [`1111111`](" + lathe + "/commit/1111111aaa) fix: it" + by + "\n- [`2222222`](" +
		lathe + "/commit/2222222aaa) fix: that" + by + " · 1 of 2 edits\n\n"
	require.True(t, strings.HasPrefix(d.Body(""), "Fixes #12\n\n"+sectionBegins+"\n\nIt was wrong.\n\nThat too.\n\n"),
		d.Body(""))
	require.Contains(t, d.Body(""), list)

	undo := madeOf("3333333aaa", "revert: fix: that", "", row)
	d.Made[1].Undone, undo.Undoes, undo.Verb = true, second.Run, "undo"
	d.Made = append(d.Made, undo)
	require.NotContains(t, d.Body(""), "That too.")
	require.Contains(t, d.Body(""), " · reverted\n- [`3333333`](")
	d.Made[0].Undone = true
	require.NotContains(t, d.Body(""), "Review first")
}

func TestATemplateIsFilledAndItsBoxesAreUntouched(t *testing.T) {
	t.Parallel()
	d := Description{Issue: 12, Links: onLathe, Made: []Made{madeOf(someSHA, "fix: it", "It was wrong.")}}
	got := d.Body("# Thank you\r\n\r\n<!-- ## Summary -->\r\n## What does this change?\r\n<!-- Say why. -->\r\n\r\n" +
		"## Checklist\r\n- [ ] tests\r\n- [x] [guide](CONTRIBUTING.md)\r\n")
	require.True(t, strings.HasPrefix(got, "Fixes #12\n\n# Thank you\r\n\r\n<!-- ## Summary -->\r\n"+
		"## What does this change?\n\n"+sectionBegins+"\n\nIt was wrong."), got)
	require.True(t, strings.HasSuffix(got, sectionEnds+"\n\n<!-- Say why. -->\r\n\r\n## Checklist\r\n- [ ] tests\r\n"+
		"- [x] [guide](CONTRIBUTING.md)"), got)

	require.True(t, strings.HasPrefix(d.Body("- [ ] tests"), "Fixes #12\n\n- [ ] tests\n\n"+sectionBegins),
		"it has no such heading")
	for _, none := range []string{"", strings.Repeat("long ", 5000), sectionBegins, "<!-- tenon:run=x -->"} {
		require.True(t, strings.HasPrefix(d.Body(none), "Fixes #12\n\n"+sectionBegins), none)
	}
	const hidden = "<!--\n# Summary\n-->\n```\n# Summary\n```"
	require.True(t, strings.HasPrefix(d.Body(hidden), "Fixes #12\n\n"+hidden+"\n\n"+sectionBegins), d.Body(hidden))
}

func TestNothingHappensBecauseOfATemplate(t *testing.T) {
	t.Parallel()
	got := Description{Issue: 12}.Body("cc @acme/owners, @maria. Fixes #99, see #98 and GH-97. [skip ci]")
	require.Contains(t, got, "cc @\u200bacme/owners, @\u200bmaria. …, see #\u200b98 and GH-\u200b97. …")
}

// What people wrote stays, byte for byte.
func TestAnUpdateReplacesTenonsSectionAlone(t *testing.T) {
	t.Parallel()
	d := Description{Issue: 12, Links: onLathe, Made: []Made{madeOf(someSHA, "fix: it", "It was wrong.")}}
	before, after := "Part of #12\r\n\t <b>mine</b> \u202e\x00\r\n\r\n", "\r\n\r\n- [x] done @maria\r\n  "
	got, ok := d.Update(before + sectionBegins + "\r\nwhat somebody\r\nwrote here" + sectionEnds + after)
	require.True(t, ok)
	require.Equal(t, before+d.section()+after, got)
	again, ok := d.Update(got)
	require.True(t, ok)
	require.Equal(t, got, again)
	for story, body := range map[string]string{
		"it was deleted":        before + after,
		"its beginning was":     before + sectionEnds + after,
		"its end was":           before + sectionBegins + after,
		"they were exchanged":   sectionEnds + sectionBegins,
		"it was copied":         sectionBegins + sectionEnds + sectionBegins + sectionEnds,
		"there is no room left": strings.Repeat("ä", markdown.MaxBody-100) + sectionBegins + sectionEnds,
	} {
		_, ok := d.Update(body)
		require.False(t, ok, story)
	}
}

func TestNothingThatOthersWroteEndsTheSection(t *testing.T) {
	t.Parallel()
	for _, s := range []string{sectionEnds, sectionBegins, "x\n\n" + sectionEnds + "\n\ny", "`" + sectionEnds + "`",
		"```\n" + sectionEnds + "\n```"} {
		body := hostileDescription(s, 3).Body("")
		body = strings.TrimPrefix(body, "Fixes #12")
		require.Equal(t, body, message.Shown(body), "nor does it do anything when a squash merge takes it for a message")
		require.Equal(t, 1, strings.Count(body, sectionBegins), s)
		require.Equal(t, 1, strings.Count(body, sectionEnds), s)
	}
}

func TestALongDescriptionStaysUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	body := hostileDescription(strings.Repeat("ä ", 3000), 100).Body(strings.Repeat("t", maxTemplate))
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body, "… and 80 before these")
}
