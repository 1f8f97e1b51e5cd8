package bot_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// newJob is a story in which the bot has the token of a job of GitHub Actions instead of an App.
func newJob(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	s.bot.Token = port.JobToken
	return s
}

// lacking is the refusal of a job's token without permissions.
func lacking(permissions ...string) error {
	return &port.TokenError{Kind: port.JobToken, Lacks: permissions, Err: errors.New("GitHub answered 403")}
}

func TestACommitOfAJobSaysThatCIDoesNotCheckIt(t *testing.T) {
	t.Parallel()
	s := newJob(t, edit("speed.txt", "fast", "faster"))
	require.Contains(t, s.say("/tenon fix it").answer, sentence.NoWorkflowsStart)
	app := newStory(t, edit("speed.txt", "fast", "faster"))
	require.NotContains(t, app.say("/tenon fix it").answer, "no workflow")
}

func TestAJobWithoutAPermissionSaysWhichLineTheWorkflowLacks(t *testing.T) {
	t.Parallel()
	s := newJob(t, edit("speed.txt", "fast", "faster"))
	s.Before("Upload").Every().Fail(lacking("contents: write"))
	got := s.say("/tenon fix it")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "add contents: write to permissions: of the workflow")
	require.Contains(t, got.answer, "+faster", "the edit is not lost")
	require.NotContains(t, got.answer, "installation")
}

func TestAJobSaysThatItMayNotChangeWorkflows(t *testing.T) {
	t.Parallel()
	s := newJob(t, edit("speed.txt", "fast", "faster"))
	s.Before("Upload").Every().Fail(&port.TokenError{Kind: port.JobToken, Limit: port.WorkflowFiles,
		Err: errors.New("GitHub answered 403")})
	require.Contains(t, s.say("/tenon fix it").answer, "the token of a job may not change the files of workflows")
}

func TestAJobSuggestsOnAForkAndSaysWhy(t *testing.T) {
	t.Parallel()
	s := newJob(t, forkReply)
	fork := s.fromFork("stranger")
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "one\ntwo\nthree\n", theirs(t, fork))
	require.Contains(t, got.answer, sentence.ForkByJob)
	require.Contains(t, s.pull.Comments(port.ReviewComment)[0].Body(), "```suggestion\n2\n```")
	require.Empty(t, s.Calls("Push"), "it is not tried")
}

func TestAnIssuesEditsAreOnTheirBranchWhereAJobMayOpenNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newJob(t, edit("README.md", "", "Read me."))
	issue := s.Repo.OpenIssue("maria", "It greets", "")
	s.Before("CreatePull").Every().Fail(&port.TokenError{Kind: port.JobToken, Limit: port.NewPulls,
		Err: bottest.Permanent("GitHub answered 403: GitHub Actions is not permitted to create or approve pull requests.")})
	got := s.sayIn(issue, "/tenon fix it")
	require.NotEmpty(t, s.Repo.Branch("tenon/issue-2"))
	require.Contains(t, got.answer, "**No pull request**: GitHub did not open one. [Open it here]")
	require.Contains(t, got.answer, "Settings > Actions > General > Workflow permissions has a box that allows it")
}

func TestWhatAJobMayNotReadOfCIIsALineOfTheWorkflow(t *testing.T) {
	t.Parallel()
	s := newJob(t)
	s.GitHub.Grant("acme", map[string]string{"contents": "write", "issues": "write", "pull_requests": "write"})
	got := s.say("/tenon fix ci")
	require.Contains(t, got.answer, "`checks: read`")
	require.Contains(t, got.answer, "Add what is missing to `permissions:` of the workflow.")
	require.NotContains(t, got.answer, sentence.HowToGrant)
}

func TestAPersonWhoseTokenTheBotHasMayGiveCommands(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("speed.txt", "fast", "faster"))
	s.bot.Token, s.bot.Account = port.GivenToken, port.User{ID: 7, Login: "maria"}
	require.Equal(t, "rocket", s.say("/tenon fix it").verdict)
	calls := len(s.Calls("Post"))
	require.Empty(t, s.say("/tenon fix it\n\n<!-- tenon:run=1 -->").reactions, "what the bot wrote itself is no command")
	require.Len(t, s.Calls("Post"), calls)
}

// The tokens for what comes next are asked for while a run waits for something else, and no others.
func TestATokenIsPreparedOnlyForARunThatMayNeedIt(t *testing.T) {
	t.Parallel()
	prepared := func(s *story) (steps []string) {
		for _, c := range s.Calls("Prepare") {
			steps = append(steps, c.Text)
		}
		return steps
	}
	s := newStory(t, goodbye, "It greets.", goodbye)
	s.say("/tenon fix `main.go`")
	require.Equal(t, []string{"answering", "committing"}, prepared(s))
	s.say("/tenon ask what does it do?")
	s.say("/tenon preview `main.go`")
	require.Equal(t, []string{"answering", "committing", "answering", "answering"}, prepared(s))
	s.pull.Comment("stranger", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, prepared(s), 4)
}
