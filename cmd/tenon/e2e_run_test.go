package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

const tidyReply = "COMMIT: fix: say goodbye\n\nThe rest is for the shell:\n\n```sh\nmkdir -p cmd/greet\ngit mv " +
	"greet.go cmd/greet\ngo test ./...\ngit rm main_test.go\ngit mv speed.txt .github/workflows/speed.yml\n```\n\n"

func TestRunCarriesOutTheFileOperationsThatAnAnswerSuggests(t *testing.T) {
	t.Parallel()
	s := newStage(t, tidyReply+edit("main.go", helloLine, byeLine))
	s.start()
	fix := s.say("/tenon fix `main.go`")
	require.Contains(t, fix.answer, "2. `git mv greet.go cmd/greet` → `/tenon run 2`")

	moved := s.say("/tenon run 2,4-5")
	require.Equal(t, "rocket", moved.verdict)
	require.Equal(t, stageFiles["greet.go"], s.file("cmd/greet/greet.go"), "into the folder that suggestion 1 makes")
	_, err := s.github.File(s.repo, "speed", "greet.go")
	require.Error(t, err)
	require.Equal(t, "fast\n", s.file("speed.txt"), "a protected path is refused")
	require.Contains(t, moved.answer, "**Applied 1, failed 2, skipped 0 of 3 file operations** in 2 files")
	require.Contains(t, moved.answer, "| 2 | `git mv greet.go cmd/greet` | ✅ applied: Moved 1 file to")
	require.Contains(t, moved.answer, "| 4 | `git rm main_test.go` | ❌ failed: There is nothing at")
	require.Contains(t, moved.answer,
		"| 5 | `git mv speed.txt .github/workflows/speed.yml` | ❌ failed: Changes of this path are not allowed")
	commits := s.commits()
	require.Len(t, commits, 2)
	require.Contains(t, commits[0], fmt.Sprintf("chore: carry out file operations from #%d\n\nRequested by maria in http",
		s.pull))
	require.Contains(t, commits[0], "Suggested by run "+fix.run+".")
	require.Contains(t, commits[0], "Tenon-Run: "+moved.run)
	require.Len(t, s.model.questions(), 1, "no model is asked")

	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, stageFiles["greet.go"], s.file("greet.go"), "and back again")
}

func TestRunRefusesWhatItDoesNotCarryOut(t *testing.T) {
	t.Parallel()
	s := newStage(t, tidyReply+edit("main.go", helloLine, byeLine), goodReply)
	s.start()
	require.Contains(t, s.say("/tenon run 1").answer, "No answer here suggests commands")
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	for command, says := range map[string]string{
		"/tenon run 2,3": "tenon does not carry out suggestion 3, `go test ./...`, so nothing was done.",
		"/tenon run 6":   "There is no suggestion 6",
		"/tenon run":     "The numbers are missing",
		"/tenon run all": "is no list of numbers",
	} {
		refused := s.settled(s.comment("maria", command))
		require.Contains(t, refused, "confused", command)
		require.Contains(t, fmt.Sprint(s.answers()), says)
	}
	require.Len(t, s.commits(), 1)
	require.Equal(t, "confused", s.say("/tenon run 1").verdict, "git keeps no empty folders")
	require.Len(t, s.commits(), 1)
}

func TestRunOnAnIssueOpensItsPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: the file is not needed.\n\n```sh\ngit rm greet.go\n```\n")
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets twice", "")
	require.NoError(t, err)
	require.Contains(t, s.sayIn(number, "/tenon fix `greet.go`").answer, "`/tenon run 1`")
	require.Equal(t, "rocket", s.sayIn(number, "/tenon run 1").verdict)
	pull := s.pullOf(fmt.Sprintf("tenon/issue-%d", number))
	require.True(t, pull.Draft)
	_, err = s.github.File(s.repo, fmt.Sprintf("tenon/issue-%d", number), "greet.go")
	require.Error(t, err)
}

func TestRunInThePullRequestOfAnIssueTakesTheIssuesSuggestions(t *testing.T) {
	t.Parallel()
	s := newStage(t, tidyReply+edit("main.go", helloLine, byeLine))
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", "")
	require.NoError(t, err)
	require.Equal(t, "rocket", s.sayIn(number, "/tenon fix `main.go`").verdict)
	branch := fmt.Sprintf("tenon/issue-%d", number)
	pull := s.pullOf(branch)
	require.Contains(t, pull.Body, "`/tenon run 2`")
	require.Contains(t, s.settled(s.commentIn(pull.Number, "/tenon run 2")), "rocket")
	_, err = s.github.File(s.repo, branch, "cmd/greet/greet.go")
	require.NoError(t, err)
}

func TestRunAndUndoOnAForkThatTakesNothingGiveAPatch(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply+"\n```sh\ngit mv greet.go hello.go\n```\n")
	s.fromFork(ghtest.Pull{})
	s.start()
	require.Equal(t, "rocket", s.say("/tenon fix `theirs.txt`").verdict)
	require.NoError(t, s.github.AllowEdits(s.repo, s.pull, false))

	moved := s.say("/tenon run 1")
	require.Equal(t, "confused", moved.verdict)
	require.Contains(t, moved.answer, "has not allowed edits by maintainers")
	require.Contains(t, moved.answer, "+func greet() string")
	undo := s.say("/tenon undo")
	require.Equal(t, "confused", undo.verdict)
	require.Contains(t, undo.answer, "has not allowed edits by maintainers")
	require.Contains(t, undo.answer, "-2\n+two\n")

	require.NoError(t, s.github.AllowEdits(s.repo, s.pull, true))
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\nthree\n", string(data))
}

func TestAProgramThatWasMovedOrRemovedComesBackAsOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt\ngit mv greet.go cmd/greet.go\n```\n")
	script := "for f in speed.txt greet.go; do GIT_INDEX_FILE=$PWD/x git read-tree ${t:-speed} && GIT_INDEX_FILE=$PWD/" +
		"x git update-index --cacheinfo 100755,$(git rev-parse speed:$f),$f && t=$(GIT_INDEX_FILE=$PWD/x git write-tree); " +
		"done && git update-ref refs/heads/speed $(git -c user.name=x -c user.email=x commit-tree -p speed -m programs $t)"
	s.gitAt("-c", "alias.sh=!"+script, "sh")
	mode := func(name string) string { return s.gitAt("ls-tree", "--format=%(objectmode)", "speed", name) }
	require.Equal(t, "100755", mode("speed.txt"))
	s.start()
	s.say("/tenon fix `greet.go`")
	require.Equal(t, "rocket", s.say("/tenon run 1-2").verdict)
	require.Equal(t, "100755", mode("cmd/greet.go"))
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(t, "100755", mode("speed.txt"))
	require.Equal(t, "100755", mode("greet.go"))
	require.Empty(t, mode("cmd/greet.go"))
}

// What waits behind a command that is in work was given before its answer was there.
func TestRunDoesNothingThatNobodyCanHaveRead(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt\n```\n",
		"NO CHANGE: but tidy up more.\n\n```sh\ngit rm main.go\n```\n")
	s.start()
	s.say("/tenon fix `greet.go`")
	release := s.hold()
	s.comment("maria", "/tenon fix `main.go`")
	s.questioned(2)
	waits := s.comment("maria", "/tenon run 1")
	s.said("**Waiting**")
	release()
	require.Contains(t, s.settled(waits), "confused")
	require.Contains(t, s.said("was not there yet"), "Nothing was done. Read it, and give the command again.")
	require.Empty(t, s.commits())
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Equal(t, "rocket", s.say("/tenon run 1").verdict)
}

// Of a command that is too long, people do not see the end.
func TestRunCarriesOutNoCommandThatIsNotShownToItsEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: but tidy up.\n\n```sh\ngit rm speed.txt "+strings.Repeat("./", 150)+"main.go\n```\n")
	s.start()
	require.NotContains(t, s.say("/tenon fix `greet.go`").answer, "→ `/tenon run 1`")
	require.Equal(t, "confused", s.say("/tenon run 1").verdict)
	s.said("in at most 300 characters")
	require.Empty(t, s.commits())
}
