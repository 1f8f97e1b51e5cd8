package main

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// gitAt runs git in the simulated GitHub's own copy of the repository.
func (s *stage) gitAt(args ...string) string {
	s.t.Helper()
	dir, err := s.github.RepoDir(s.repo)
	require.NoError(s.t, err)
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	require.NoError(s.t, err, string(out))
	return strings.TrimSpace(string(out))
}

// Somebody takes a commit back while the model writes: the edit goes on top of what they left, and their push is not
// undone.
func TestAHeadThatWasForcedBackIsNotBroughtBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	_, err := s.github.Push(s.repo, "speed", map[string]string{"regret.txt": "oops\n"}, "Oops\n")
	require.NoError(t, err)
	s.model.before = func() { s.gitAt("update-ref", "refs/heads/speed", "refs/heads/speed~1") }
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Contains(t, s.file("main.go"), "goodbye")
	_, err = s.github.File(s.repo, "speed", "regret.txt")
	require.Error(t, err)
}

func TestABranchThatWasDeletedMeanwhileIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.model.before = func() { require.NoError(t, s.github.DeleteBranch(s.repo, "speed")) }
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/speed"))
	require.Len(t, s.answers(), 1)
	require.Contains(t, s.answers()[0], "deleted")
}

func TestARateLimitInTheMiddleIsWaitedFor(t *testing.T) {
	t.Parallel()
	for what, match := range map[string]func(*http.Request) bool{
		"the permission":   func(r *http.Request) bool { return hasSuffix(r, "/permission") },
		"the pull request": func(r *http.Request) bool { return hasSuffix(r, "/pulls/1") },
		"the answer":       isAnswer,
	} {
		for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
			t.Run(what, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, goodReply)
				s.github.FailNext(match, 1, simhttp.SecondaryLimit(status, time.Second))
				s.start()
				require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
				require.Len(t, s.commits(), 1)
				require.Len(t, s.answers(), 1)
				require.Len(t, s.model.questions(), 1)
			})
		}
	}
}

// The person who asked has changed their mind; what was done stands, and is told in the conversation.
func TestACommentThatWasDeletedMeanwhileIsAnsweredAllTheSame(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	asked := make(chan int64, 1)
	s.model.before = func() { require.NoError(t, s.github.DeleteComment("maria", <-asked)) }
	s.start()
	asked <- s.comment("maria", "/tenon fix `main.go`")
	s.until("an answer", func() bool {
		return len(s.answers()) == 1 && strings.Contains(s.answers()[0],
			" · 1 edit committed")
	})
	require.Len(t, s.commits(), 1)
}

// The App is gone in the middle of a run: nothing more is done there, and the server goes on for others.
func TestAnAppThatWasTakenAwayMeanwhileWritesNothingMore(t *testing.T) {
	t.Parallel()
	for what, away := range map[string]func(*simhttp.Server) error{
		"uninstalled": func(g *simhttp.Server) error { return g.Uninstall("acme") },
		"suspended":   func(g *simhttp.Server) error { return g.Suspend("acme", true) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			s.model.before = func() { require.NoError(t, away(s.github)) }
			s.start()
			s.comment("maria", "/tenon fix `main.go`")
			s.until("the end of the run", func() bool { return strings.Contains(s.log.all(), "the event is a dead letter") })
			require.Empty(t, s.commits())
			require.Len(t, s.answers(), 1)
			require.Contains(t, s.answers()[0], "Working", "what it said before is all that it could say")
			res, err := http.Get(strings.Replace(s.github.HookURL(), "/webhook", "/readyz", 1))
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusOK, res.StatusCode)
		})
	}
}
