package main

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

var runMark = regexp.MustCompile(`<!-- tenon:run=([a-z0-9]{12}) -->`)

// told is what came of a command.
type told struct{ verdict, answer, run string }

// say has maria comment on the pull request, and waits for the answer's last word.
func (s *stage) say(body string) told {
	s.t.Helper()
	return s.sayIn(s.pull, body)
}

func (s *stage) sayIn(number int, body string) told {
	s.t.Helper()
	before := s.answersIn(number)
	r := s.settled(s.commentIn(number, body))
	var fresh []string
	for _, answer := range s.answersIn(number) {
		if !slices.Contains(before, answer) && !strings.Contains(answer, "<!-- tenon:preview=") &&
			runMark.MatchString(answer) {
			fresh = append(fresh, answer)
		}
	}
	require.Len(s.t, fresh, 1)
	return told{r[len(r)-1], fresh[0], runMark.FindStringSubmatch(fresh[0])[1]}
}

// push has somebody else commit to the branch.
func (s *stage) push(files map[string]string) {
	s.t.Helper()
	_, err := s.github.Push(s.repo, "speed", files, "Meanwhile\n")
	require.NoError(s.t, err)
}

const bigReply = "COMMIT: fix: say goodbye\n\n"

func TestUndoTakesBackTheNewestCommitOnTodaysTip(t *testing.T) {
	t.Parallel()
	s := newStage(t, bigReply+edit("main.go", helloLine, byeLine)+edit("new/made.txt", "", "new"))
	s.start()
	fix := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", fix.verdict)
	s.push(map[string]string{"main.go": strings.Replace(s.file("main.go"), "package main\n",
		"// Package main greets.\npackage main\n", 1), "other.txt": "x\n"})

	undo := s.say("/tenon undo")
	require.Equal(t, "rocket", undo.verdict)
	require.Equal(t, "// Package main greets.\n"+stageFiles["main.go"], s.file("main.go"), "later changes stay")
	_, err := s.github.File(s.repo, "speed", "new/made.txt")
	require.Error(t, err, "what it made is gone")
	require.Equal(t, "x\n", s.file("other.txt"))
	commits := s.commits()
	require.Len(t, commits, 2)
	require.True(t, strings.HasPrefix(commits[0], "revert: fix: say goodbye\n\nRequested by maria in http"), commits[0])
	require.Contains(t, commits[0], "\nTenon-Run: "+undo.run+"\nTenon-Undo: "+fix.run)
	require.Contains(t, commits[0], "Co-authored-by: maria <")
	require.Contains(t, undo.answer, "**Undone**: what [`")
	require.Contains(t, undo.answer, "is taken back in 2 files")
	require.Contains(t, undo.answer, "`/tenon undo "+undo.run+"` brings it back.")
	require.Len(t, s.model.questions(), 1, "no model is asked")
}

func TestUndoIsAllOrNothingAndSaysWhatOverlaps(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("main.go", helloLine, byeLine)+edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go` and `greet.go`").verdict)
	later := strings.Replace(s.file("main.go"), "goodbye", "farewell", 1)
	s.push(map[string]string{"main.go": later})

	undo := s.say("/tenon undo")
	require.Equal(t, "confused", undo.verdict)
	require.Equal(t, later, s.file("main.go"))
	require.Contains(t, s.file("greet.go"), "good day", "nothing is taken back")
	require.Len(t, s.commits(), 1)
	require.Contains(t, undo.answer, "**Nothing was undone**: 1 of 2 files that [`")
	require.Contains(t, undo.answer, "println(\"farewell\")", "the lines as they are today")
	require.Contains(t, undo.answer, "Later commits changed the same lines")
	require.Contains(t, undo.answer, "not without the others")
}

func TestUndoOfAnUndoBringsItBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, bigReply+edit("main.go", helloLine, byeLine))
	s.start()
	fix := s.say("/tenon fix `main.go`")
	undo := s.say("/tenon undo " + fix.run)
	require.Equal(t, "rocket", undo.verdict)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))

	again := s.say("/tenon undo")
	require.Equal(t, "confused", again.verdict)
	require.Contains(t, again.answer, fmt.Sprintf("is undone already, by run `%s`. `/tenon undo %s` brings it back.",
		undo.run, undo.run))
	require.Contains(t, s.say("/tenon undo "+fix.run).answer, "is undone already")

	require.Equal(t, "rocket", s.say("/tenon undo "+undo.run).verdict)
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Contains(t, s.commits()[0], "revert: revert: fix: say goodbye")
	require.Equal(t, "rocket", s.say("/tenon undo").verdict, "it stands again, so it can be undone again")
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
}

func TestUndoNamesARunOfThisThreadThatCommitted(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: it is right.", goodReply)
	s.start()
	require.Contains(t, s.say("/tenon undo").answer, "tenon has committed nothing here")
	idle := s.say("/tenon fix `main.go`")
	require.Contains(t, s.say("/tenon undo "+idle.run).answer, "Run `"+idle.run+"` committed nothing")
	require.Contains(t, s.say("/tenon undo aaaabbbbcccc").answer, "There is no run `aaaabbbbcccc` on this thread.")

	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", "")
	require.NoError(t, err)
	other := s.sayIn(number, "/tenon fix `main.go`")
	require.Equal(t, "rocket", other.verdict)
	require.Contains(t, s.say("/tenon undo "+other.run).answer, "There is no run `"+other.run+"` on this thread.")
}

func TestUndoOnAnIssueAndOnItsPullRequestWorkOnOneBranch(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", "")
	require.NoError(t, err)
	fix := s.sayIn(number, "/tenon fix `main.go`")
	require.Equal(t, "rocket", fix.verdict)
	branch := fmt.Sprintf("tenon/issue-%d", number)
	has := func() string {
		data, err := s.github.File(s.repo, branch, "main.go")
		require.NoError(t, err)
		return string(data)
	}
	require.Contains(t, has(), "goodbye")
	require.Contains(t, s.settled(s.commentIn(s.pullOf(branch).Number, "/tenon undo")), "rocket")
	require.Equal(t, stageFiles["main.go"], has(), "asked for in the pull request")
	require.Contains(t, s.sayIn(number, "/tenon undo").answer, "is undone already")

	require.NoError(t, s.github.SetOpen(s.repo, s.pullOf(branch).Number, false))
	require.Contains(t, s.sayIn(number, "/tenon undo "+fix.run).answer, "which is not the one that is worked on here now")
}

func TestTheButtonOfACheckUndoesItsCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	checks, err := s.github.CheckRuns(s.repo)
	require.NoError(t, err)
	require.NoError(t, s.github.PressButton("maria", checks[len(checks)-1].ID, "undo"))
	s.until("the undo", func() bool { return len(s.commits()) == 2 })
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	s.until("its check", func() bool {
		checks, err := s.github.CheckRuns(s.repo)
		require.NoError(t, err)
		return strings.HasPrefix(checks[len(checks)-1].Title, "Undid run ")
	})
}

func TestAnUndoThatMetAMovingBranchIsDoneOnItsNewTip(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	moved := false
	s.github.Gate(func(stage ghtest.Stage, r *http.Request) {
		if stage == ghtest.BeforeEffect && isPush(r) && !moved {
			moved = true
			s.push(map[string]string{"greet.go": "package main // other\n"})
		}
	})
	require.Equal(t, "rocket", s.say("/tenon undo").verdict)
	require.True(t, moved)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Equal(t, "package main // other\n", s.file("greet.go"))
}

func TestKilledAfterItsPushAnUndoIsDoneOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	k := newKiller(s)
	k.at(ghtest.AfterEffect, isPush)
	id := s.comment("maria", "/tenon undo")
	k.wait()
	s.github.Gate(nil)
	s.start()
	require.Contains(t, s.settled(id), "rocket")
	require.Len(t, s.commits(), 2)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Len(t, s.answers(), 2)
}
