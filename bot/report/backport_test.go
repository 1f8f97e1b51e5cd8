package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// backportTo is a backport of two commits to some branches.
func backportTo(to ...BackportTo) Backport {
	return Backport{Links: onLathe, To: to, Backport: record.Backport{Title: "Be fast", Base: "main",
		Commits: []backport.Commit{{From: someSHA, SHA: headSHA, Message: "One\n\nWhy."}, {From: headSHA, SHA: someSHA,
			Message: "Two"}}}}
}

// hostileBackport is a backport in which a text is wherever others may have written it, to a branch for each end.
func hostileBackport(s string) Backport {
	there := []record.PickedCommit{{Of: headSHA}, {Of: someSHA, SHA: headSHA}}
	made := []record.PickedCommit{{Of: headSHA, SHA: someSHA}, {Of: someSHA, SHA: headSHA}}
	b := backportTo(
		BackportTo{Picked: record.Picked{Branch: s, Head: s, Made: made, There: there},
			Pull: record.PickedPull{Pull: 7, Pushed: true}},
		BackportTo{Picked: record.Picked{Branch: s, Head: s, Made: made}, Pull: record.PickedPull{Pushed: true, Unopened: s}},
		BackportTo{Picked: record.Picked{Branch: s, Head: s, Made: made}, Pull: record.PickedPull{Refused: s, Said: s}},
		BackportTo{Picked: record.Picked{Branch: s, Head: s, Conflict: headSHA, Results: []record.Result{
			{Path: s, Detail: s, Reason: string(edit.ReasonMergeConflict)},
			{Path: s, Detail: s, Reason: string(engine.ProtectedPath)}}}},
		BackportTo{Picked: record.Picked{Branch: s, There: there}},
		BackportTo{Picked: record.Picked{Branch: s, Refused: sentence.BackportRefused(s)}},
		BackportTo{Picked: record.Picked{Branch: s, Refused: sentence.BackportTooMany(20, s)}},
	)
	b.Title, b.Left = s, []string{s}
	for i := range b.Commits {
		b.Commits[i].Message = s + "\n\n" + s
	}
	return b
}

func TestTheFirstLineOfABackportSaysWhatItCameTo(t *testing.T) {
	t.Parallel()
	made := record.Picked{Branch: "a", Made: []record.PickedCommit{{}}}
	done := BackportTo{Picked: made, Pull: record.PickedPull{Pull: 7, Pushed: true}}
	pushed := BackportTo{Picked: made, Pull: record.PickedPull{Pushed: true}}
	there := BackportTo{Picked: record.Picked{Branch: "a", There: []record.PickedCommit{{}}}}
	open := BackportTo{Picked: record.Picked{Branch: "a", Open: 3}}
	failed := BackportTo{Picked: record.Picked{Branch: "a", Refused: "No."}}
	for want, to := range map[string][]BackportTo{
		"✅ **Backported to 1 branch**":                                  {done},
		"✅ **Backported to 2 branches**":                                {done, done},
		"✅ **Backported to 1 of 3 branches** · the others need nothing": {done, there, open},
		"⚠️ **Backported to 1 of 2 branches**":                          {done, failed},
		"⚠️ **Backported without a pull request**":                      {pushed, failed},
		"💬 **Nothing to backport**":                                     {there, open},
		"❌ **Nothing backported**":                                      {there, failed},
	} {
		b := backportTo(to...)
		line, _, _ := strings.Cut(b.Body(), "\n")
		require.Equal(t, want, line)
		require.Equal(t, strings.Contains(want, "Backported"), b.Made())
	}
	require.True(t, backportTo(open, open).Known())
	require.False(t, backportTo(open, there).Known())
	more := backportTo(open)
	more.Left = []string{"b"}
	require.False(t, more.Known())
}

func TestTheConflictsOfABackportAreListedAsFarAsTheyFit(t *testing.T) {
	t.Parallel()
	var to []BackportTo
	for range 10 {
		one := BackportTo{Picked: record.Picked{Branch: strings.Repeat("b", 200), Head: "h", Conflict: headSHA}}
		for i := range 2000 {
			one.Picked.Results = append(one.Picked.Results, record.Result{Path: fmt.Sprintf("dir/%04d.go", i),
				Reason: string(edit.ReasonMergeConflict), Detail: strings.Repeat("both changed it ", 9)})
		}
		to = append(to, one)
	}
	body := backportTo(to...).Body()
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Equal(t, 10, strings.Count(body, "2,000 files conflict in "))
	require.Len(t, strings.Split(body, "\n- … and "), 11)
	page(t, body)
}

func TestABackportByHandPicksWhatIsLeft(t *testing.T) {
	t.Parallel()
	b := backportTo(BackportTo{Picked: record.Picked{Branch: "a;b", Head: "$(x)", Conflict: someSHA,
		There:   []record.PickedCommit{{Of: headSHA}},
		Results: []record.Result{{Path: "a.go", Reason: string(edit.ReasonMergeConflict)}}}})
	require.Contains(t, b.Body(), "```sh\ngit fetch origin\ngit switch -c '$(x)' 'origin/a;b'\ngit cherry-pick -x "+
		someSHA+"\ntenon resolve\n```")
	b.Commits = []backport.Commit{{From: headSHA, SHA: someSHA, Mainline: true, Picked: []string{"x", someSHA}}}
	require.Contains(t, b.Body(), "\ngit cherry-pick -x -m 1 "+someSHA+"\n")
	b.Commits = []backport.Commit{{From: headSHA, SHA: someSHA, First: headSHA, Picked: []string{"x", someSHA}}}
	require.Contains(t, b.Body(), "\ngit cherry-pick -x "+headSHA+"^.."+someSHA+"\n")
	b.To[0].Picked.Results = []record.Result{{Path: "CODEOWNERS", Reason: string(engine.ProtectedPath), Detail: "it is"}}
	require.NotContains(t, b.Body(), "git ")
}

func TestThePullRequestOfABackportNamesItsCommits(t *testing.T) {
	t.Parallel()
	b := backportTo(BackportTo{Picked: record.Picked{Branch: "release", Made: []record.PickedCommit{{Of: someSHA}},
		There: []record.PickedCommit{{Of: headSHA}}}})
	title, body := BackportPull(aFix(), b, b.To[0])
	require.Equal(t, "Be fast (backport to release)", title)
	require.Equal(t, "Backport of #12 to `release`, for `maria`.\n\n- [`0123456`]("+lathe+"/commit/"+someSHA+") Two\n\n"+
		"Left out:\n- [`1111111`]("+lathe+"/commit/"+headSHA+") changes nothing there\n\n<sub>run "+runID+"</sub>", body)
	b.Title = strings.Repeat("x", 300) + " [skip ci]"
	title, _ = BackportPull(aFix(), b, b.To[0])
	require.Equal(t, maxPullTitle, utf8.RuneCountInString(title))
	b.Title = "Fixes #3 [skip ci]\nnow"
	title, _ = BackportPull(aFix(), b, b.To[0])
	require.Equal(t, "… … now (backport to release)", title)
}

// A squash of the pull request makes both the message of a commit.
func TestTheNameOfABranchSkipsNoCI(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"no_ci", "skip-checks=true", "closes#7"} {
		title, body := BackportPull(aFix(), backportTo(), BackportTo{Picked: record.Picked{Branch: name}})
		require.Contains(t, title, "…")
		require.NotContains(t, title+body, name)
	}
}
