package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// What the token of a job does not allow is said in the answer, and no edit is lost.

// answersIn are what github-actions[bot] wrote below an issue.
func (s *jobStage) answersIn(number int) (out []string) {
	s.t.Helper()
	list, err := s.github.Comments(s.repo, number)
	require.NoError(s.t, err)
	for _, c := range list {
		if c.User == "github-actions[bot]" {
			out = append(out, c.Body)
		}
	}
	return out
}

func TestAJobThatMayNotCommitShowsTheEditsAndWhatTheWorkflowLacks(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	s.permissions["contents"] = "read"
	s.told("maria", "/tenon fix the words in `main.go`")
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Len(t, s.jobAnswers(), 1)
	require.Contains(t, s.jobAnswers()[0], "add contents: write to permissions: of the workflow")
	require.Contains(t, s.jobAnswers()[0], "goodbye")
}

func TestAJobWithoutTheChecksPermissionDoesAllElse(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	delete(s.permissions, "checks")
	end := s.told("maria", "/tenon fix the words in `main.go`")
	require.Zero(t, end.code)
	require.Equal(t, s.tip().SHA, end.outputs["commit"])
	require.Equal(t, "github-actions[bot]", s.tip().Author)
	require.Contains(t, s.jobAnswers()[0], sentence.NoWorkflowsStart)
}

func TestAJobSuggestsItsEditsOnAForkToWhichItCannotPush(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	s.fromFork(sim.Pull{})
	end := s.told("maria", "/tenon fix the words in `main.go`")
	require.Zero(t, end.code)
	require.Empty(t, end.outputs["commit"])
	require.Contains(t, s.jobAnswers()[0], sentence.ForkByJob)
	require.Contains(t, s.jobAnswers()[0], "goodbye", "the patch")
}

func TestAJobOpensThePullRequestOfAnIssueOnlyWhereASettingAllowsIt(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply, goodReply)
	number, _ := s.issue("It says hello.", "/tenon fix the words in `main.go`")
	s.job(s.last("issue_comment"))
	answers := s.answersIn(number)
	require.Len(t, answers, 1)
	require.Contains(t, answers[0], "**No pull request**: GitHub did not open one. [Open it here]")
	require.Contains(t, answers[0], "GitHub Actions is not permitted to create or approve pull requests")

	require.NoError(t, s.github.AllowJobsToOpenPulls(s.repo, true))
	s.run = "4712"
	s.commentIn(number, "/tenon fix the words in `main.go`")
	s.job(s.last("issue_comment"))
	require.Len(t, s.answersIn(number), 2)
	require.NotContains(t, s.answersIn(number)[1], "No pull request")
}

func TestAJobWithTheTokenOfAPersonCommitsInTheirName(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	token, err := s.github.NewPersonalToken("maria", map[string]string{"contents": "write", "issues": "write",
		"pull_requests": "write"})
	require.NoError(t, err)
	end := s.told("maria", "/tenon fix the words in `main.go`", "INPUT_TOKEN="+token)
	require.Zero(t, end.code)
	require.Equal(t, "maria", s.tip().Author)
	require.Contains(t, end.log, "::add-mask::"+token+"\n")
}

func TestAJobWithATokenThatGitHubDoesNotAcceptSaysSo(t *testing.T) {
	t.Parallel()
	s := newJobStage(t)
	end := s.told("maria", "/tenon fix it", "INPUT_TOKEN=ghs_wrong")
	require.Equal(t, 1, end.code)
	require.Contains(t, end.log, "GitHub does not accept the token")
	require.NotContains(t, end.log, "panic")
}
