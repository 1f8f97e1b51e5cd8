package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestUndoTakesBackTheNewestCommitOnTheNewTip(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye+edit("new/made.txt", "", "new"))
	fix := s.say("/tenon fix `main.go`")
	s.push(map[string]string{"main.go": "// Package main greets.\n" + s.File("speed", "main.go"), "other.txt": "x\n"})
	undo := s.say("/tenon undo")
	require.Equal(t, "rocket", undo.verdict)
	require.Equal(t, "// Package main greets.\n"+bottest.LatheFiles["main.go"], s.File("speed", "main.go"),
		"later changes stay")
	_, ok := s.Repo.File("speed", "new/made.txt")
	require.False(t, ok, "what it made is gone")
	require.Equal(t, "x\n", s.File("speed", "other.txt"))
	commits := s.Commits("speed")
	require.Len(t, commits, 2)
	require.True(t, strings.HasPrefix(commits[0], "revert: fix: say goodbye\n\nRequested by maria in http"), commits[0])
	require.Contains(t, commits[0], "\nTenon-Run: "+undo.run+"\nTenon-Undo: "+fix.run)
	require.Contains(t, undo.answer, "✅ **revert: fix: say goodbye** · 2 files reverted\\\n[`")
	require.Contains(t, undo.answer, " on `speed` · reverts [`")
	require.Contains(t, undo.answer, "`/tenon undo "+undo.run+"` restores it\n")
	require.Len(t, s.Model.Questions(), 1, "no model is asked")
}

func TestUndoIsAllOrNothingAndSaysWhatOverlaps(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.say("/tenon fix `main.go` and `greet.go`")
	later := strings.Replace(s.File("speed", "main.go"), "goodbye", "farewell", 1)
	s.push(map[string]string{"main.go": later})
	undo := s.say("/tenon undo")
	require.Equal(t, "confused", undo.verdict)
	require.Equal(t, later, s.File("speed", "main.go"))
	require.Contains(t, s.File("speed", "greet.go"), "good day", "nothing is reverted")
	require.Len(t, s.Commits("speed"), 1)
	require.Contains(t, undo.answer, "❌ **Nothing reverted:** later commits changed the same lines · revert: ")
	require.Contains(t, undo.answer, "println(\"farewell\")", "the lines as they are now")
	require.Contains(t, undo.answer, "later commits changed the same lines; undo those first")
	require.Contains(t, undo.answer,
		"<<<<<<< the file now, line 4\n\tprintln(\"farewell\")\n||||||| as the commit left it\n"+
			"\tprintln(\"goodbye\")\n=======\n\tprintln(\"hello\")\n>>>>>>> the undo\n")
}

func TestUndoOfAnUndoBringsItBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	fix := s.say("/tenon fix `main.go`")
	undo := s.say("/tenon undo " + fix.run)
	require.Equal(t, "rocket", undo.verdict)
	again := s.say("/tenon undo")
	require.Equal(t, "confused", again.verdict)
	require.Contains(t, again.answer, fmt.Sprintf("was already undone by run `%s`. `/tenon undo %s` restores it.",
		undo.run, undo.run))
	require.Contains(t, s.say("/tenon undo "+fix.run).answer, "was already undone")
	require.Equal(t, "rocket", s.say("/tenon undo "+undo.run).verdict)
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Contains(t, s.Commits("speed")[0], "revert: revert: fix: say goodbye")
	require.Equal(t, "rocket", s.say("/tenon undo").verdict, "it is there again, so it can be undone again")
}

func TestUndoNamesTheNewestThatIsNotUndone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	first := s.say("/tenon fix `main.go`")
	s.say("/tenon fix `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Contains(t, s.say("/tenon undo").answer, "`/tenon undo "+first.run+"`.")
}

func TestUndoNamesARunOfThisThreadThatCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: it is right.", goodbye)
	require.Contains(t, s.say("/tenon undo").answer, "tenon has committed nothing here")
	idle := s.say("/tenon fix `main.go`")
	require.Contains(t, s.say("/tenon undo "+idle.run).answer, "Run `"+idle.run+"` committed nothing")
	require.Contains(t, s.say("/tenon undo aaaabbbbcccc").answer, "There is no run `aaaabbbbcccc` on this thread.")
	other := s.sayIn(s.issue(""), "/tenon fix `main.go`")
	require.Equal(t, "rocket", other.verdict)
	require.Contains(t, s.say("/tenon undo "+other.run).answer, "There is no run `"+other.run+"` on this thread.")
}

func TestUndoOnAnIssueAndOnItsPullRequestWorkOnOneBranch(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	fix := s.sayIn(issue, "/tenon fix `main.go`")
	branch := issueBranch(issue)
	require.Equal(t, "rocket", s.sayIn(s.Repo.PullOf(branch), "/tenon undo").verdict)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File(branch, "main.go"), "asked for in the pull request")
	require.Contains(t, s.sayIn(issue, "/tenon undo").answer, "was already undone")
	s.Repo.PullOf(branch).SetOpen(false)
	require.Contains(t, s.sayIn(issue, "/tenon undo "+fix.run).answer,
		"which is not the one that commands work on here now")
}

func TestTheButtonOfACheckUndoesItsCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	checks := s.Repo.CheckRuns()
	s.Repo.Press("maria", checks[len(checks)-1], "undo")
	s.Run()
	require.Len(t, s.Commits("speed"), 2)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	checks = s.Repo.CheckRuns()
	require.Equal(t, "1 file reverted · revert: fix: say goodbye", checks[len(checks)-1].Title)
}

func TestAnUndoThatMeetsAMovingBranchIsMadeOnItsNewTip(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	s.Before("Upload").Do(func() { s.push(map[string]string{"greet.go": "package main // other\n"}) })
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Equal(t, "package main // other\n", s.File("speed", "greet.go"))
}

func TestTheCommitToUndoIsGone(t *testing.T) {
	t.Parallel()
	for _, gone := range []error{port.ErrNotFound, port.ErrMoved} {
		s := newStory(t, goodbye)
		s.say("/tenon fix `main.go`")
		s.Before("Open").Of("refs/heads/speed").Nth(2).Fail(gone)
		got := s.say("/tenon undo")
		require.Equal(t, "confused", got.verdict)
		require.Contains(t, got.answer, "is no longer in the repository, so there is nothing to undo.")
	}
}

func TestACommitWithoutASubjectOnRecordIsUndone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	fix := s.say("/tenon fix `main.go`")
	made := s.Queue.Steps(s.LastEvent().Delivery)["commit"]
	made.Data = []byte(strings.Replace(string(made.Data), `"subject":"fix: say goodbye"`, `"subject":""`, 1))
	require.NoError(t, s.Queue.SetStep(s.LastEvent().Delivery, "commit", made))
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.True(t, strings.HasPrefix(s.Commits("speed")[0], "revert: the commit of run "+fix.run+"\n"))
}
