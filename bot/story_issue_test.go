package bot_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

func TestAnIssueBecomesADraftPullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	issue := s.issue("`main.go` should part, not greet.")
	got := s.sayIn(issue, "/tenon fix it as described")
	require.Equal(t, []string{"eyes", "rocket"}, got.reactions)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.True(t, pull.Draft())
	require.Equal(t, "main", pull.Base())
	require.Contains(t, pull.Text(), fmt.Sprintf("Fixes #%d", issue.Number()))
	require.Contains(t, s.Model.Questions()[0], "`main.go` should part, not greet.", "the model reads the issue")
	require.Contains(t, s.Model.Questions()[0], bottest.LatheFiles["main.go"], "and the file that it names")
	require.Contains(t, got.answer, pull.URL())
	require.Equal(t, s.Repo.Branch(issueBranch(issue)), s.Repo.CheckRuns()[0].SHA, "a new branch has no check before")

	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go` once more").verdict)
	require.Equal(t, pull.Number(), s.Repo.PullOf(issueBranch(issue)).Number(), "the same pull request")
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "farewell")
	require.Len(t, s.Commits(issueBranch(issue)), 2)
	require.Len(t, s.Repo.Commits(issueBranch(issue)), 3)
}

func TestACommandOnAnIssueIsAnsweredInItsConversation(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE: it greets as it should.")
	issue := s.issue("")
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, []string{"eyes", "confused"}, got.reactions)
	require.Contains(t, got.answer, "it greets as it should.")
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Empty(t, s.Repo.CheckRuns())
}

func TestAnIssueWhosePullRequestIsClosedStartsAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	s.Repo.PullOf(issueBranch(issue)).SetOpen(false)
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.Contains(t, s.File(issueBranch(issue)+"-2", "main.go"), "goodbye")
	require.NotNil(t, s.Repo.PullOf(issueBranch(issue)+"-2"))
}

func TestAnIssueDoesNotStartAgainForEver(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	for i := 1; i <= 20; i++ {
		branch := issueBranch(issue)
		if i > 1 {
			branch = fmt.Sprintf("%s-%d", branch, i)
		}
		s.Repo.Push(branch, map[string]string{"x": fmt.Sprint(i)})
		s.Repo.OpenPull("maria", "Try", branch, "main").SetOpen(false)
	}
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer,
		"tenon has already opened 20 pull requests for this issue, and all of them are closed.")
	require.Empty(t, s.Model.Questions())
}

func TestABranchThatWasLeftWithoutAPullRequestIsTakenUp(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.Repo.Push(issueBranch(issue), map[string]string{"left.txt": "left\n"})
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.Equal(t, "left\n", s.File(issueBranch(issue), "left.txt"))
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "goodbye")
	require.NotNil(t, s.Repo.PullOf(issueBranch(issue)))
}

func TestWorkOnAnIssueStartsFromTheBaseThatWasNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, goodbye, goodbye)
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix --base speed `main.go`").verdict)
	require.Equal(t, "speed", s.Repo.PullOf(issueBranch(issue)).Base())
	require.Equal(t, "fast\n", s.File(issueBranch(issue), "speed.txt"))
	other := s.sayIn(issue, "/tenon fix --base main `main.go`")
	require.Equal(t, "confused", other.verdict)
	require.Contains(t, other.answer, "is based on `speed`. Close it to start over from `main`.")

	nowhere := s.sayIn(s.issue(""), "/tenon fix --base nowhere `main.go`")
	require.Equal(t, "confused", nowhere.verdict)
	require.Contains(t, nowhere.answer, "There is no branch `nowhere` to start from.")

	s.settings("base: speed\n")
	third := s.issue("")
	require.Equal(t, "rocket", s.sayIn(third, "/tenon fix `main.go`").verdict)
	require.Equal(t, "speed", s.Repo.PullOf(issueBranch(third)).Base(), "as the settings say")
}

func TestAClosedIssueIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	issue.SetOpen(false)
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "This issue is closed, so nothing was done. Reopen it, and give the command again.")
	require.Empty(t, s.Model.Questions())
}

func TestAnIssueOfAnEmptyRepositoryIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	empty := s.GitHub.AddRepo("acme/empty", nil)
	got := s.sayIn(empty.OpenIssue("maria", "Begin", ""), "/tenon fix it")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "This repository is empty")
}

func TestWhereThereAreNoDraftsThePullRequestIsAnOrdinaryOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Repo.NoDrafts()
	issue := s.issue("")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.False(t, s.Repo.PullOf(issueBranch(issue)).Draft())
}

func TestACommitWhosePullRequestGitHubRefusesIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("CreatePull").Fail(bottest.Permanent("No @maria today"))
	issue := s.issue("It is wrong.")
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Contains(t, got.answer, fmt.Sprintf("/compare/main...%s?expand=1)", issueBranch(issue)))
	require.Regexp(t, "```text\n.*No @maria today\n```", got.answer)
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "goodbye")
}

func TestAPullRequestThatGitHubDoesNotOpenAtOnceIsOpenedLater(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		s := newStory(t, goodbye)
		moment := s.Before("CreatePull")
		if lost {
			moment = s.After("CreatePull")
		}
		moment.Fail(bottest.Retryable(0))
		issue := s.issue("")
		require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
		require.Len(t, s.Commits(issueBranch(issue)), 1)
		require.Equal(t, issue.Number()+1, s.Repo.PullOf(issueBranch(issue)).Number(), "one pull request")
		require.Nil(t, s.Repo.Thread(issue.Number()+2))
	}
}

func TestAPullRequestThatSomebodyClosedIsNotTheIssues(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.After("Upload").Do(func() { s.Repo.OpenPull("maria", "Mine", issueBranch(issue), "main").SetOpen(false) })
	got := s.sayIn(issue, "/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.NotEqual(t, "Mine", pull.Title())
	require.Contains(t, got.answer, pull.URL())
}

func TestSomebodyMakesTheBranchOfAnIssueMeanwhile(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.while(func() { s.Repo.Push(issueBranch(issue), map[string]string{"theirs.txt": "theirs\n"}) })
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.Equal(t, "theirs\n", s.File(issueBranch(issue), "theirs.txt"))
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "goodbye")
}

func TestANewIssueWithACommandBecomesAPullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.Repo.OpenIssue("maria", "It greets too early", "It should part.\n\n/tenon fix the words in `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, issue.Reactions())
	require.NotNil(t, s.Repo.PullOf(issueBranch(issue)))
	require.Len(t, issue.Answers(), 1)
	require.Contains(t, s.Model.Questions()[0], "the words in `main.go`")
}

func TestAReviewWithACommandBecomesACommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.Review("maria", "Nearly there.\n\n/tenon fix the words in `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(c))
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Len(t, s.pull.Answers(), 1)
}

func TestAStrangersIssueWaitsForALabel(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.Repo.OpenIssue("stranger", "It greets too early", "In `main.go` it should part.\n\n/tenon fix it")
	s.Run()
	require.Equal(t, []string{"-1"}, issue.Reactions())
	require.Empty(t, s.Model.Questions())

	issue.Label("maria", "help wanted")
	s.Run()
	require.Equal(t, []string{"-1"}, issue.Reactions(), "the other label starts nothing")
	issue.Label("maria", "Tenon")
	s.Run()
	require.Equal(t, []string{"-1", "eyes"}, issue.Reactions())
	require.Contains(t, s.Model.Questions()[0], "In `main.go` it should part.")
	require.Nil(t, s.Repo.PullOf(issueBranch(issue)), "it is a preview")
	s.tick("maria", issue.Said()[len(issue.Said())-1], 1)
	require.NotNil(t, s.Repo.PullOf(issueBranch(issue)))
}

func TestALabelOnAPullRequestAsksForWhatItSays(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("speed.txt", "fast", "fastest"))
	s.settings("label: bot\n")
	s.pull.Label("maria", "tenon")
	s.Run()
	require.Empty(t, s.Model.Questions(), "the settings name another")
	s.pull.Label("maria", "bot")
	s.Run()
	require.Equal(t, "fastest\n", s.File("speed", "speed.txt"))
	require.Contains(t, s.Model.Questions()[0], "Be fast")
}

func TestALabelWhereNobodyIsServedIsToldOnlyIfItIsOurs(t *testing.T) {
	t.Parallel()
	for label, want := range map[string][]string{"bug": nil, "tenon": {"-1"}} {
		s := newStory(t, goodbye)
		s.bot.Owners = []string{"others"}
		issue := s.issue("")
		issue.Label("maria", label)
		s.Run()
		require.Equal(t, want, issue.Reactions())
		c := issue.Comment("maria", "/tenon fix it")
		s.Run()
		require.Equal(t, []string{"-1"}, reactions(c))
		require.Len(t, issue.Answers(), 1, "once")
		require.Contains(t, issue.LastAnswer(), "does not serve the repositories of `acme`")
	}
	s := newStory(t, goodbye)
	s.bot.Owners = []string{"others", "ACME"}
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}
