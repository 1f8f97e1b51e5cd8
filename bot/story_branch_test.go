package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestABranchThatWasDeletedMeanwhileIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() { s.Repo.SetBranch("speed", "") })
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Empty(t, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "the branch was deleted")
}

// Nothing tells of the branch of an issue, so it is missed when the commit is made.
func TestTheBranchOfAnIssueThatWasDeletedMeanwhileIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	s.Before("Upload").Do(func() { s.Repo.SetBranch(issueBranch(issue), "") })
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "the branch was deleted in the meantime")
}

func TestABranchThatMovedMeanwhileGetsTheEditOnItsNewTip(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, goodbye)
		s.settings("commits: " + commits + "\n")
		s.while(func() { s.push(map[string]string{"greet.go": "package main // other\n"}) })
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, "rocket", got.verdict)
		require.Contains(t, s.File("speed", "main.go"), "goodbye")
		require.Equal(t, "package main // other\n", s.File("speed", "greet.go"))
		require.Len(t, s.Commits("speed"), 1)
	}
}

// What the reply finds is not in the file that the model saw, so it was not written for the lines that came since. The
// other edit is pushed, so that the run sees that the branch moved.
func TestAnEditThatFitNothingThatTheModelSawIsNotMadeInLinesPushedSince(t *testing.T) {
	t.Parallel()
	now := "package main\n\nfunc main() {\n\tprintln(\"one\")\n\tprintln(\"two\")\n}\n"
	for _, find := range []string{
		"\tprintln(\"one\")\n\tprintln(\"two\")", "println(\"one\")\nprintln(\"two\")",
	} {
		repl := strings.Replace(find, "two", "three", 1)
		s := newStory(t, edit("greet.go", greetLine, betterGreet)+edit("main.go", find, repl))
		s.while(func() { s.push(map[string]string{"main.go": now}) })
		s.Model.Says("NO CHANGE: what was pushed is better.")
		got := s.say("/tenon fix `main.go` and `greet.go`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, now, s.File("speed", "main.go"))
		require.Contains(t, got.answer, " · 1 of 2 edits committed")
	}
}

func TestABranchThatNeverRestsIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	moved := 0
	s.Before("Upload").Every().Do(func() {
		moved++
		s.push(map[string]string{"n.txt": fmt.Sprint(moved)})
	})
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, []string{"eyes", "confused"}, got.reactions)
	require.Equal(t, 4, moved)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, got.answer, "moved 4 times")
}

func TestAHeadThatWasForcedBackIsNotBroughtBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	before := s.Repo.Branch("speed")
	s.push(map[string]string{"regret.txt": "oops\n"})
	s.while(func() { s.Repo.SetBranch("speed", before) })
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	_, ok := s.Repo.File("speed", "regret.txt")
	require.False(t, ok)
}

// A server that gives only what its refs point at has no commit that a push by force dropped.
func TestACommitThatAPushByForceDroppedIsNotNeeded(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Open").Of("refs/heads/speed").Fail(port.ErrMoved)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

// The branch moved to the commit, GitHub's answer got lost, and somebody pushed on top: it has moved, but not from
// under the edits.
func TestACommitWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	insert := edit("main.go", "func main() {", "// Hello.\nfunc main() {") // it fits again wherever it was applied
	for _, commits := range []string{"verified", "push"} {
		for what, err := range map[string]error{"lost": bottest.Retryable(time.Minute), "taken for a move": port.ErrMoved} {
			t.Run(what+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, insert)
				s.settings("commits: " + commits + "\n")
				op := map[string]string{"verified": "Upload", "push": "Commit"}[commits]
				s.After(op).Do(func() { s.push(map[string]string{"greet.go": "package main // other\n"}) })
				s.After(op).Fail(err)
				got := s.say("/tenon fix `main.go`")
				require.Equal(t, "rocket", got.verdict)
				require.Len(t, s.Commits("speed"), 1)
				require.Equal(t, "package main\n\n// Hello.\nfunc main() {\n\tprintln(\"hello\")\n}\n", s.File("speed", "main.go"))
				require.Contains(t, got.answer, " · 1 edit committed")
			})
		}
	}
}

func TestConventionsAreThoseOfTheBranchThatIsMergedInto(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Repo.SetBranch("next", s.Repo.Branch("main"))
	for branch, text := range map[string]string{
		"main": "Of main.\n", "next": "Of next.\n", "speed": "Of the pull request.\n",
	} {
		s.Repo.Push(branch, map[string]string{"AGENTS.md": text})
	}
	pull := s.Repo.OpenPull("maria", "Be fast in the next", "speed", "next")
	require.Equal(t, "rocket", s.sayIn(pull, "/tenon fix the words in `main.go`").verdict)
	require.Contains(t, s.Model.Questions()[0], "conventions AGENTS.md>>\nOf next.\n")
	require.NotContains(t, s.Model.Questions()[0], "Of main.")
}
