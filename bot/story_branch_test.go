package bot_test

import (
	"fmt"
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

	issue := s.issue("")
	s.Model.Forget()
	s.Model.Says(goodbye, farewell)
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	s.Before("Upload").Do(func() { s.Repo.SetBranch(issueBranch(issue), "") })
	s.Before("PullRequest").Every().Do(func() {})
	got = s.sayIn(issue, "/tenon fix `main.go`")
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

func TestAFileThatChangedMeanwhileIsEditedOnlyWhereItFitsExactly(t *testing.T) {
	t.Parallel()
	// The reply has lost the indentation, which is forgiven in the file that the model saw, and in no other.
	s := newStory(t, edit("main.go", "func main() {\nprintln(\"hello\")\n}", "func main() {\nprintln(\"goodbye\")\n}"))
	s.while(func() { s.push(map[string]string{"main.go": "// New.\n" + bottest.LatheFiles["main.go"]}) })
	require.Equal(t, "confused", s.say("/tenon fix `main.go`").verdict)
	require.Equal(t, "// New.\n"+bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
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
