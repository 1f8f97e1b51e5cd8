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
	require.Contains(t, got.answer, "the branch is deleted by now")
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
	require.Contains(t, got.answer, fmt.Sprintf("The branch `%s` was deleted meanwhile, so nothing was committed.",
		issueBranch(issue)))
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

// What the reply finds is not in the file that the model saw, so there is nothing to merge. The other edit is pushed,
// so that the run sees that the branch moved.
func TestAFileThatChangedMeanwhileIsEditedOnlyWhereItFitsExactly(t *testing.T) {
	t.Parallel()
	now := "package main\n\nfunc main() {\n\tprintln(\"one\")\n\tprintln(\"two\")\n}\n"
	for find, want := range map[string]string{
		"\tprintln(\"one\")\n\tprintln(\"two\")": strings.Replace(now, "two", "three", 1),
		"println(\"one\")\nprintln(\"two\")":     now, // it has lost the indentation
	} {
		repl := strings.Replace(find, "two", "three", 1)
		s := newStory(t, edit("greet.go", greetLine, betterGreet)+edit("main.go", find, repl))
		s.while(func() { s.push(map[string]string{"main.go": now}) })
		got := s.say("/tenon fix `main.go` and `greet.go`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, want, s.File("speed", "main.go"))
		if want == now {
			require.Contains(t, got.answer, "The file changed since it was shown, and the block no longer matches it exactly")
		}
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
				require.Contains(t, got.answer, "**Applied 1, failed 0, skipped 0 of 1 edit** in 1 file")
			})
		}
	}
}

func TestAProtectedBranchIsToldInGitHubsWords(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, goodbye)
		s.settings("commits: " + commits + "\n")
		s.while(func() { s.Repo.Protect("speed", "Changes must be signed by two.") })
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, "confused", got.verdict)
		require.Contains(t, got.answer, "GitHub refused the push to `speed`, so nothing was committed:")
		require.Contains(t, got.answer, "Changes must be signed by two.")
		require.Empty(t, s.Commits("speed"))
	}
}

func TestAnAppThatMayNotWriteSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.Grant("acme", map[string]string{"metadata": "read", "contents": "read", "issues": "write",
		"pull_requests": "write", "checks": "write"})
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "A maintainer can grant it the permission *Contents: write*")
}
