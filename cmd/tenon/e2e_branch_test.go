package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func TestABranchThatMovedMeanwhileGetsTheEditOnItsNewTip(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.model.before = func() {
		_, err := s.github.Push(s.repo, "speed", map[string]string{"greet.go": "package main // other\n"}, "Meanwhile\n")
		require.NoError(t, err)
	}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Equal(t, "package main // other\n", s.file("greet.go"))
	require.Len(t, s.commits(), 1)
}

func TestAFileThatChangedMeanwhileIsEditedOnlyWhereItFitsExactly(t *testing.T) {
	t.Parallel()
	// What the second edit finds is not in the file that the model saw, so it cannot be merged, and has lost the
	// indentation. The first is pushed, so that the run sees that the branch moved.
	now := "package main\n\nfunc greet() {\n\tprintln(\"one\")\n\tprintln(\"two\")\n}\n"
	s := newStage(t, goodReply+"\ngreet.go\n<<<<<<< SEARCH\nprintln(\"one\")\nprintln(\"two\")\n=======\n"+
		"println(\"one\")\nprintln(\"three\")\n>>>>>>> REPLACE\n", "NO CHANGE: it is not clear what is wanted now.")
	s.model.before = func() {
		_, err := s.github.Push(s.repo, "speed", map[string]string{"greet.go": now}, "Meanwhile\n")
		require.NoError(t, err)
	}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Equal(t, now, s.file("greet.go"))
	require.Len(t, s.commits(), 1)
}

func TestABranchThatNeverRestsIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	var moved atomic.Int64
	s.github.Gate(func(stage simhttp.Stage, r *http.Request) {
		if stage == simhttp.BeforeEffect && isPush(r) {
			_, err := s.github.Push(s.repo, "speed", map[string]string{"n.txt": jsonNumber(moved.Add(1))}, "Again\n")
			require.NoError(t, err)
		}
	})
	s.start()
	require.Equal(t, []string{"eyes", "confused"}, s.settled(s.comment("maria", "/tenon fix `main.go`")))
	require.EqualValues(t, 4, moved.Load())
	require.Empty(t, s.commits())
	require.Contains(t, s.answers()[0], "moved 4 times")
}

func TestAProtectedBranchSaysSoInGitHubsWords(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.Protect(s.repo, "speed", "Changes must be made through a pull request."))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
	answers := strings.Join(s.answers(), "\n") // the box that offers a pull request is a comment of its own
	require.Contains(t, answers, "a rule or protection of the branch keeps this app from writing to it")
	require.Contains(t, answers, "Changes must be made through a pull request.")
	require.Empty(t, s.commits())
}

func TestWorkflowFilesAreNeverWritten(t *testing.T) {
	t.Parallel()
	s := newStage(t, ".github/workflows/ci.yml\n```yaml\n<<<<<<< SEARCH\n=======\non: push\n>>>>>>> REPLACE\n```\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
	require.Empty(t, s.commits())
	require.Contains(t, s.answers()[0],
		": the file is protected, because it decides what runs in CI; change the file by hand.")
}

func TestAClosedPullRequestIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.NoError(t, s.github.SetOpen(s.repo, s.pull, false))
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
	require.Contains(t, s.answers()[0], "is closed")
	require.Empty(t, s.model.questions())
}
