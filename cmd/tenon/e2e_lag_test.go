package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

var betterReply = strings.NewReplacer("goodbye", "farewell", "hello", "goodbye").Replace(goodReply)

// GitHub's pull request, its refs and the list of commits are behind the branch all the time.
func TestCommandsAreCarriedOutAtTheTipOfTheBranchThoughThePullRequestLags(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, betterReply)
	require.NoError(t, s.github.Lag(s.repo, true))
	s.start()
	first, second := s.comment("maria", "/tenon fix `main.go`"), s.comment("maria", "/tenon fix `main.go` again")
	require.Contains(t, s.settled(first), "rocket")
	require.Contains(t, s.settled(second), "rocket")
	require.Contains(t, s.file("main.go"), "farewell")
	require.Len(t, s.commits(), 2)
	require.Len(t, s.model.questions(), 2, "the second saw the commit of the first")
}

func TestAForkIsReadItselfWhileItsPullRequestLags(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply, strings.NewReplacer("two", "2", "2", "zwei").Replace(forkReply))
	s.fromFork(sim.Pull{})
	require.NoError(t, s.github.Lag(s.repo, true))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "rocket")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "rocket")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\nzwei\nthree\n", string(data))
}

// Both kinds of tokens are revoked, and the API and git each ask once for another.
func TestARevokedTokenCostsOneRequestMore(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, betterReply)
	s.env = append(s.env, "TENON_COMMITS=push")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.NoError(t, s.github.RevokeTokens("acme"))
	s.github.ForgetRequests()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	refused := map[string]int{}
	for _, r := range s.github.Requests() {
		if r.Status == 401 {
			refused[r.Method+" "+r.Path]++
		}
	}
	require.NotEmpty(t, refused)
	for request, n := range refused {
		require.Equal(t, 1, n, request)
	}
	require.Equal(t, 1, refused["POST /acme/lathe.git/git-receive-pack"])
	require.NotContains(t, s.log.all(), "an event failed and will be retried")
}
