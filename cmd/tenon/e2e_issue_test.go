package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

// issue opens an issue and has somebody comment there.
func (s *stage) issue(body, comment string) (number int, id int64) {
	s.t.Helper()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", body)
	require.NoError(s.t, err)
	return number, s.commentIn(number, comment)
}

func (s *stage) commentIn(number int, comment string) int64 {
	s.t.Helper()
	id, err := s.github.Comment("maria", s.repo, number, comment)
	require.NoError(s.t, err)
	return id
}

// pullOf is the newest pull request from a branch.
func (s *stage) pullOf(branch string) ghtest.PullState {
	s.t.Helper()
	list, err := s.github.Pulls(s.repo)
	require.NoError(s.t, err)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Head == "acme:"+branch {
			return list[i]
		}
	}
	require.FailNow(s.t, "no pull request from "+branch, s.log.all())
	return ghtest.PullState{}
}

func TestAnIssueBecomesADraftPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply, strings.NewReplacer("goodbye", "farewell", "hello", "goodbye").Replace(goodReply))
	s.start()
	number, id := s.issue("`main.go` should part, not greet.", "/tenon fix it as described")
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	branch := fmt.Sprintf("tenon/issue-%d", number)
	pull := s.pullOf(branch)
	require.True(t, pull.Draft)
	require.Equal(t, "main", pull.Base)
	require.Contains(t, pull.Body, fmt.Sprintf("Fixes #%d", number))
	require.Contains(t, s.model.questions()[0], "`main.go` should part, not greet.", "the model reads the issue")
	require.Contains(t, s.model.questions()[0], stageFiles["main.go"], "and the file that it names")
	answers := s.answersIn(number)
	require.Len(t, answers, 1)

	require.Contains(t, answers[0], fmt.Sprintf("/pull/%d", pull.Number))

	require.Contains(t, s.settled(s.commentIn(number, "/tenon fix `main.go` once more")), "rocket")
	require.Equal(t, pull.Number, s.pullOf(branch).Number, "the same pull request")
	data, err := s.github.File(s.repo, branch, "main.go")
	require.NoError(t, err)
	require.Contains(t, string(data), "farewell")
	commits, err := s.github.Commits(s.repo, branch)
	require.NoError(t, err)
	require.Len(t, commits, 3, "the first commit of all, and two of tenon")
}

func TestAnIssueWhosePullRequestIsClosedStartsAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	number, id := s.issue("", "/tenon fix `main.go`")
	require.Contains(t, s.settled(id), "rocket")
	branch := fmt.Sprintf("tenon/issue-%d", number)
	require.NoError(t, s.github.SetOpen(s.repo, s.pullOf(branch).Number, false))
	require.Contains(t, s.settled(s.commentIn(number, "/tenon fix `main.go`")), "rocket")
	require.True(t, s.pullOf(branch+"-2").Open)
}

func TestAnIssueWithNothingToChangeHasTheReasonAndNoBranch(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: it greets as it should.")
	s.start()
	number, id := s.issue("", "/tenon fix `main.go`")
	require.Contains(t, s.settled(id), "confused")
	require.Contains(t, s.answersIn(number)[0], "it greets as it should.")
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
}

func TestWorkOnAnIssueStartsFromTheBaseThatWasNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	number, id := s.issue("", "/tenon fix --base speed `main.go`")
	require.Contains(t, s.settled(id), "rocket")
	require.Equal(t, "speed", s.pullOf(fmt.Sprintf("tenon/issue-%d", number)).Base)

	number, id = s.issue("", "/tenon fix --base nowhere `main.go`")
	require.Contains(t, s.settled(id), "confused")
	require.Contains(t, s.answersIn(number)[0], "There is no branch `nowhere` to start from.")
}

func TestAClosedIssueIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets", "")
	require.NoError(t, err)
	require.NoError(t, s.github.SetOpen(s.repo, number, false))
	require.Contains(t, s.settled(s.commentIn(number, "/tenon fix `main.go`")), "confused")
	require.Contains(t, s.answersIn(number)[0], "This issue is closed")
	require.Empty(t, s.model.questions())
}
