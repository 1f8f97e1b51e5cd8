package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

func TestAJobTurnsACommentIntoACommit(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	end := s.told("maria", "/tenon fix the words in `main.go`")
	require.Zero(t, end.code)
	require.Equal(t, strings.Replace(stageFiles["main.go"], "hello", "goodbye", 1), s.file("main.go"))
	require.Equal(t, s.tip().SHA, end.outputs["commit"])
	require.Equal(t, "1", end.outputs["applied"])
	require.Equal(t, "0", end.outputs["failed"])
	require.Len(t, s.jobAnswers(), 1)
	require.Contains(t, s.jobAnswers()[0], " · 1 edit committed")
	require.Contains(t, end.outputs["answer-url"], "#pullrequestreview-")
	require.Contains(t, end.log, "::add-mask::"+modelKey+"\n")
	require.Contains(t, end.log, "::notice title=tenon::1 edit committed as ")
	require.Equal(t, 1, strings.Count(end.log, modelKey), "but for the mask, the key is not logged")
	require.Contains(t, end.summary, "| 1 | `main.go` | applied |")
}

func TestAJobThatRunsAgainDoesNothingTwice(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	s.comment("maria", "/tenon fix the words in `main.go`")
	e := s.last("issue_comment")
	require.Zero(t, s.job(e).code)
	s.attempt = "2"
	end := s.job(e)
	require.Zero(t, end.code)
	require.Equal(t, s.tip().SHA, end.outputs["commit"])
	require.Contains(t, end.log, "An earlier attempt at this job did it all")
	require.Len(t, s.commits(), 1)
	require.Len(t, s.jobAnswers(), 1)
}

func TestAJobHasNothingToDoForWhatIsNoCommand(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	for text, want := range map[string]string{"looks good": "there is no command in it",
		"```\n/tenon fix it\n```": "there is no command in it"} {
		end := s.told("maria", text)
		require.Zero(t, end.code)
		require.Contains(t, end.log, "Nothing to do: "+want+".\n")
	}
	end := s.job(jobEvent{"push", map[string]any{"ref": "refs/heads/main"}})
	require.Zero(t, end.code)
	require.Contains(t, end.log, "Nothing to do: no command comes by this event.\n")
	require.Empty(t, s.jobAnswers())
}

func TestAStrangerDoesNotMakeAJobFail(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	end := s.told("stranger", "/tenon fix it")
	require.Zero(t, end.code)
	require.Contains(t, end.log, "::warning title=tenon::Refused: ")
	require.Contains(t, s.jobAnswers()[0], "needs write permission")
	require.Empty(t, s.model.questions())
}

func TestAJobWithoutAModelSaysSo(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	end := s.told("maria", "/tenon fix it", "INPUT_MODEL=", "INPUT_BASE_URL=", "INPUT_API_KEY=")
	require.Contains(t, s.jobAnswers()[0], "needs the input `model`")
	require.Contains(t, end.log, "No language model is configured")
}

func TestAJobThatMayNotWriteSaysWhatTheWorkflowLacks(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	s.permissions = map[string]string{"contents": "read"}
	end := s.told("maria", "/tenon fix it")
	require.Equal(t, 1, end.code)
	require.Contains(t, end.log, "::error title=tenon::The token of the job lacks a permission: add ")
	require.Contains(t, end.log, "to `permissions:` of the workflow")
}

func TestAJobOfAForkMustNotHaveItsCode(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	fork := map[string]any{"id": 999, "full_name": "stranger/lathe"}
	e := jobEvent{"pull_request_target", map[string]any{"action": "labeled",
		"repository":   map[string]any{"id": 1, "name": "lathe", "owner": map[string]any{"login": "acme"}},
		"pull_request": map[string]any{"number": 1, "state": "open", "head": map[string]any{"repo": fork}}}}
	workspace := t.TempDir()
	out, err := exec.Command("git", "clone", "-q", s.github.GitURL()+s.repo+".git", workspace).CombinedOutput()
	require.NoError(t, err, string(out))
	end := s.job(e, "GITHUB_WORKSPACE="+workspace)
	require.NotContains(t, end.log, "a fork")
	out, err = exec.Command("git", "-C", workspace, "remote", "add", "fork",
		"https://github.com/stranger/lathe").CombinedOutput()
	require.NoError(t, err, string(out))
	end = s.job(e, "GITHUB_WORKSPACE="+workspace)
	require.Equal(t, 1, end.code)
	require.Contains(t, end.log, "::error title=tenon::Refused: the job of pull_request_target has checked out the code "+
		"of a fork")
}

// The triggers of the documented workflow, each as GitHub delivers it.
func TestEachTriggerOfAWorkflowIsAnswered(t *testing.T) {
	t.Parallel()
	const command = "/tenon fix the words in `main.go`"
	for name, c := range map[string]struct {
		event string
		give  func(s *jobStage) error
	}{
		"a comment on a line": {"pull_request_review_comment", func(s *jobStage) error {
			_, err := s.github.ReviewComment("maria", s.repo, s.pull, sim.Place{Path: "speed.txt", Line: 1}, command)
			return err
		}},
		"a review": {"pull_request_review", func(s *jobStage) error {
			_, err := s.github.Review("maria", s.repo, s.pull, sim.NewReview{Body: command})
			return err
		}},
		"an issue": {"issues", func(s *jobStage) error {
			_, err := s.github.OpenIssue("maria", s.repo, "The words", command)
			return err
		}},
		"a label": {"issues", func(s *jobStage) error {
			number, err := s.github.OpenIssue("maria", s.repo, "The words in main.go", "They are wrong.")
			if err != nil {
				return err
			}
			return s.github.Label("maria", s.repo, number, "tenon")
		}},
		"a label on a pull request": {"pull_request", func(s *jobStage) error {
			return s.github.Label("maria", s.repo, s.pull, "tenon")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newJobStage(t, goodReply)
			require.NoError(t, s.github.AllowJobsToOpenPulls(s.repo, true))
			require.NoError(t, c.give(s))
			end := s.job(s.last(c.event))
			require.Zero(t, end.code)
			require.Len(t, end.outputs["commit"], 40)
			require.NotEmpty(t, end.outputs["answer-url"])
		})
	}
}

// What later commands need is in the answers of the earlier ones.
func TestLaterJobsKnowWhatEarlierOnesDid(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	require.NotEmpty(t, s.told("maria", "/tenon preview the words in `main.go`").outputs["answer-url"])
	require.Empty(t, s.commits())
	s.run = "4712"
	require.Equal(t, "1", s.told("maria", "/tenon apply").outputs["applied"])
	require.Len(t, s.commits(), 1)
	s.run = "4713"
	require.Len(t, s.told("maria", "/tenon undo").outputs["commit"], 40)
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.Len(t, s.model.questions(), 1)
}

func TestATickedBoxStartsAJobThatCommits(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	s.told("maria", "/tenon preview the words in `main.go`")
	list, err := s.github.Comments(s.repo, s.pull)
	require.NoError(t, err)
	shown := list[len(list)-1]
	require.Contains(t, shown.Body, "- [ ] ")
	require.NoError(t, s.github.EditComment("maria", shown.ID, strings.Replace(shown.Body, "- [ ] ", "- [x] ", 1)))
	s.run = "4712"
	end := s.job(s.last("issue_comment"))
	require.Zero(t, end.code)
	require.Equal(t, "1", end.outputs["applied"])
	require.Len(t, s.commits(), 1)
}

// GitHub interrupts the steps of a job that is cancelled.
func TestAJobThatIsCancelledSaysSoInItsAnswer(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, goodReply)
	asked, release := make(chan struct{}), make(chan struct{})
	s.model.before = func() { close(asked); <-release }
	s.started = func(cancel func()) {
		<-asked
		cancel()
	}
	end := s.told("maria", "/tenon fix the words in `main.go`")
	close(release)
	require.Equal(t, 1, end.code)
	require.Contains(t, end.log, "::error title=tenon::The job was cancelled.")
	require.Contains(t, s.jobAnswers()[0], "so tenon gave up")
	require.Empty(t, s.commits())
}

// A model, or a file, may write what the runner would obey.
func TestNothingThatAModelWritesIsACommandOfTheRunner(t *testing.T) {
	t.Parallel()
	s := newJobStage(t, strings.ReplaceAll(goodReply, "main.go", "::set-output name=commit::x\n##[error]y/main.go"))
	end := s.told("maria", "/tenon fix `main.go`\n::error::boo\n##[add-mask]e")
	for line := range strings.Lines(end.log) {
		line = strings.TrimSpace(line)
		ours := strings.HasPrefix(line, "::add-mask::") || strings.Contains(line, " title=tenon::")
		require.True(t, ours || !strings.HasPrefix(line, "::"), line)
		require.NotContains(t, line, "##[")
	}
}

func TestAJobWithoutAnEventIsAMistake(t *testing.T) {
	t.Parallel()
	code, out := ran(t, nil, "action")
	require.Equal(t, exitUsage, code)
	require.Contains(t, out, "GITHUB_EVENT_PATH: is not set")
}
