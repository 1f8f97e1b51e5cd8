package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

const tidyReply = "COMMIT: fix: say goodbye\n\nThe rest is for the shell:\n\n" +
	"```sh\nmkdir -p cmd/greet\ngit mv greet.go cmd/greet\n" +
	"go test ./...\ngit rm main_test.go\ngit mv speed.txt .github/workflows/speed.yml\n```\n\n"

func TestRunCarriesOutTheFileOperationsThatAnAnswerSuggests(t *testing.T) {
	t.Parallel()
	s := newStory(t, tidyReply+edit("main.go", helloLine, byeLine))
	fix := s.say("/tenon fix `main.go`")
	require.Contains(t, fix.answer, "2. `git mv greet.go cmd/greet` → `/tenon run 2`")

	moved := s.say("/tenon run 2,4-5")
	require.Equal(t, "rocket", moved.verdict)
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "cmd/greet/greet.go"),
		"into the folder that suggestion 1 makes")
	_, ok := s.Repo.File("speed", "greet.go")
	require.False(t, ok)
	require.Equal(t, "fast\n", s.File("speed", "speed.txt"), "a protected path is refused")
	require.Contains(t, moved.answer,
		" · 1 of 3 file operations committed\\\n`git mv greet.go cmd/greet`: Moved 1 file to ")
	require.Contains(t, moved.answer, "**File operation 4**, `main_test.go`: there is nothing at")
	commits := s.Commits("speed")
	require.Len(t, commits, 2)
	require.Contains(t, commits[0], fmt.Sprintf("chore: carry out file operations from #%d\n\nRequested by maria in http",
		s.pull.Number()))
	require.Contains(t, commits[0], " that run "+fix.run+" suggests.")
	require.Contains(t, commits[0], "Tenon-Run: "+moved.run)
	require.Len(t, s.Model.Questions(), 1, "no model is asked")
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "greet.go"), "and back again")
}

func TestRunRefusesWhatItDoesNotCarryOut(t *testing.T) {
	t.Parallel()
	s := newStory(t, tidyReply+edit("main.go", helloLine, byeLine))
	require.Contains(t, s.say("/tenon run 1").answer, "No answer here suggests commands")
	s.say("/tenon fix `main.go`")
	for command, says := range map[string]string{
		"/tenon run 2,3": "tenon does not run suggestion 3, `go test ./...`, so nothing was done.",
		"/tenon run 6":   "There is no suggestion 6",
		"/tenon run":     "The numbers are missing",
		"/tenon run all": "is not a list of numbers",
	} {
		got := s.say(command)
		require.Equal(t, "confused", got.verdict, command)
		require.Contains(t, got.answer, says)
	}
	require.Equal(t, "confused", s.say("/tenon run 1").verdict, "git does not store empty folders")
	require.Len(t, s.Commits("speed"), 1)
}

func TestRunOnAnIssueOpensItsPullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: the file is not needed.\n\n```sh\ngit rm greet.go\n```\n")
	issue := s.issue("")
	require.Contains(t, s.sayIn(issue, "/tenon fix `greet.go`").answer, "`/tenon run 1`")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon run 1").verdict)
	require.True(t, s.Repo.PullOf(issueBranch(issue)).Draft())
	_, ok := s.Repo.File(issueBranch(issue), "greet.go")
	require.False(t, ok)
}

func TestRunInThePullRequestOfAnIssueTakesTheIssuesSuggestions(t *testing.T) {
	t.Parallel()
	s := newStory(t, tidyReply+edit("main.go", helloLine, byeLine))
	issue := s.issue("")
	s.sayIn(issue, "/tenon fix `main.go`")
	pull := s.Repo.PullOf(issueBranch(issue))
	require.Equal(t, "rocket", s.sayIn(pull, "/tenon run 2").verdict)
	s.File(issueBranch(issue), "cmd/greet/greet.go")
}

func TestRunAndUndoOnAForkThatTakesNothingGiveAPatch(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply+"\n```sh\ngit mv greet.go hello.go\n```\n")
	fork := s.fromFork("stranger")
	require.Equal(t, "rocket", s.say("/tenon fix `theirs.txt`").verdict)
	s.pull.RefuseEdits()
	moved := s.say("/tenon run 1")
	require.Equal(t, "confused", moved.verdict)
	require.Contains(t, moved.answer, `has not ticked "Allow edits by maintainers"`)
	require.Contains(t, moved.answer, "+func greet() string")
	undo := s.say("/tenon undo")
	require.Equal(t, "confused", undo.verdict)
	require.Contains(t, undo.answer, "-2\n+two\n")
	require.Equal(t, "one\n2\nthree\n", theirs(t, fork))
}

func TestAProgramThatWasMovedOrRemovedComesBackAsOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt\ngit mv greet.go cmd/greet.go\n```\n")
	s.Repo.PushFiles("speed", map[string]bottest.File{
		"speed.txt": {Mode: "100755", Data: "fast\n"}, "greet.go": {Mode: "100755", Data: bottest.LatheFiles["greet.go"]},
	}, "Programs\n")
	s.say("/tenon fix `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon run 1-2").verdict)
	require.Equal(t, "100755", s.Repo.Mode("speed", "cmd/greet.go"))
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, "100755", s.Repo.Mode("speed", "speed.txt"))
	require.Equal(t, "100755", s.Repo.Mode("speed", "greet.go"))
	require.Empty(t, s.Repo.Mode("speed", "cmd/greet.go"))
}

// What waits behind a command that is running was given before its answer was there.
func TestRunDoesNothingThatNobodyCanHaveRead(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt\n```\n",
		"NO CHANGE: but tidy up more.\n\n```sh\ngit rm main.go\n```\n")
	var waits *bottest.Comment
	s.while(func() {
		waits = s.pull.Comment("maria", "/tenon run 1")
		s.Clock.Advance(1)
	})
	s.say("/tenon fix `greet.go`")
	s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", reactions(waits)[1])
	require.Equal(t, 1, s.saying("did not exist yet"))
	require.Equal(t, 1, s.saying("Nothing was done. Read it, and give the command again."))
	require.Empty(t, s.Commits("speed"))
	require.Equal(t, "rocket", s.say("/tenon run 1").verdict)
	_, ok := s.Repo.File("speed", "main.go")
	require.False(t, ok)
}

// Of a command that is too long, people do not see the end.
func TestRunCarriesOutNoCommandThatIsNotShownToItsEnd(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt "+strings.Repeat("./", 150)+"main.go\n```\n")
	require.NotContains(t, s.say("/tenon fix `greet.go`").answer, "→ `/tenon run 1`")
	require.Contains(t, s.say("/tenon run 1").answer, "in at most 300 characters")
	require.Empty(t, s.Commits("speed"))
}
