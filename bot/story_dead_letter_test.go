package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What the app may not do is for a maintainer to put right, and told so; what GitHub did not do, for time.
func TestADeadLetterNamesItsCause(t *testing.T) {
	t.Parallel()
	for says, err := range map[string]error{
		"GitHub does not let this app finish this":         port.ErrDenied,
		"An internal error kept tenon from finishing this": errors.New("secret of the server"),
	} {
		s := newStory(t, goodbye)
		s.Before("PullRequest").Every().Fail(err)
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, []string{"eyes", "confused"}, got.reactions)
		require.Contains(t, got.answer, says)
		require.Contains(t, got.answer, s.LastEvent().Delivery)
		require.NotContains(t, got.answer, "secret")
		require.Empty(t, s.Model.Questions())
		require.Len(t, s.Calls("PullRequest"), bottest.MaxAttempts)
	}
}

// A dead letter is no last word: a redelivery finishes what it can.
func TestARedeliveryOfADeadLetterFinishesTheRun(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for i := range bottest.MaxDeaths {
		s.Before("Upload").Nth(i + 1).Kill()
	}
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "An internal error")
	require.Contains(t, s.pull.LastAnswer(), "<sub>@maria · run ")
	require.Empty(t, s.Repo.CheckRuns())
	s.Redeliver(s.LastEvent())
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1)
	require.Equal(t, []string{"eyes", "confused", "rocket"}, reactions(c))
	require.Len(t, s.Commits("speed"), 1)
	require.Len(t, s.Model.Questions(), 1, "the answer of the model is on record")
}

func TestADeadLetterThatCannotBeDeliveredIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("PullRequest").Every().Fail(errors.New("broken"))
	s.Before("Post").Nth(1).Fail(bottest.Retryable(time.Minute))
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "An internal error")
	require.Len(t, s.Queue.DeadLetters(), 1)
}

// The run was reported before it failed: there is nothing more to tell.
func TestADeadLetterAfterTheReportSaysNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Record").Of("check.closed").Every().Fail(errors.New("broken"))
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Len(t, s.Queue.DeadLetters(), 1)
}

// A label that may be none of ours becomes a dead letter in silence.
func TestADeadLetterOfAForeignLabelSaysNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Permission").Every().Fail(errors.New("broken"))
	s.pull.Label("maria", "bug")
	s.Run()
	require.Len(t, s.Queue.DeadLetters(), 1)
	require.Empty(t, s.pull.Answers())
}

func TestADeadLetterOfADeletedIssueIsNoError(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	issue := s.issue("")
	s.Before("Permission").Every().Fail(errors.New("broken"))
	issue.Comment("maria", "/tenon fix `main.go`")
	issue.Delete()
	s.Run()
	require.NotContains(t, s.Logged(), "nobody could be told")
}

func TestWhatGitHubFailsAtOnceWorksLater(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"Permission", "PullRequest", "ChangedFiles", "Comments", "Open", "Load", "Announce",
		"Sibling", "Reserve", "Complete", "Charge",
		"Upload", "Edit", "Start"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.Before(op).Fail(bottest.Retryable(time.Minute))
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "rocket", got.verdict)
			require.Len(t, s.Commits("speed"), 1)
			require.Len(t, s.pull.Answers(), 1)
			require.LessOrEqual(t, len(s.Model.Questions()), 2)
		})
	}
}

func TestWhatIsNiceToHaveStopsNothing(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"React", "CreateCheck"} {
		s := newStory(t, goodbye)
		s.Before(op).Fail(errors.New("no"))
		require.Contains(t, s.say("/tenon fix `main.go`").answer, " · 1 edit committed")
		require.Equal(t, 1, strings.Count(s.Logged(), "level=WARN"), op)
	}
}

// The commit is made, and the answer cannot be edited until the run is given up: nobody is asked to have it made again.
func TestADeadLetterTellsOfTheCommit(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"a failure": errors.New("broken"),
		"an outage": bottest.Retryable(time.Hour),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.Before("Edit").Of(" · 1 edit committed").Every().Fail(err)
			got := s.say("/tenon fix `main.go`")
			require.Len(t, s.Commits("speed"), 1)
			require.Len(t, s.Queue.DeadLetters(), 1)
			require.Contains(t, got.answer, "**Committed**: [`")
			require.NotContains(t, got.answer, "Give the command again")
			require.Contains(t, got.answer, s.LastEvent().Delivery)
			require.Equal(t, []string{"eyes", "rocket"}, got.reactions)
		})
	}
}

// The process died each time that it committed, so only the branch tells whether there is a commit.
func TestADeadLetterLooksForTheCommit(t *testing.T) {
	t.Parallel()
	t.Run("there is none", func(t *testing.T) {
		t.Parallel()
		s := newStory(t, goodbye)
		for i := range bottest.MaxDeaths {
			s.Before("Upload").Nth(i + 1).Kill()
		}
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, got.answer, "Nothing was committed: `speed` has no commit of this command. Give the command")
		require.Equal(t, []string{"eyes", "confused"}, got.reactions)
	})
	t.Run("there is one", func(t *testing.T) {
		t.Parallel()
		s := newStory(t, goodbye)
		s.After("Upload").Kill()
		for i := range bottest.MaxDeaths - 1 {
			s.Before("FindCommit").Nth(i + 1).Kill()
		}
		got := s.say("/tenon fix `main.go`")
		require.Len(t, s.Commits("speed"), 1)
		require.Contains(t, got.answer, "**Committed**: [`")
		require.Equal(t, []string{"eyes", "rocket"}, got.reactions)
	})
	t.Run("nobody can tell", func(t *testing.T) {
		t.Parallel()
		s := newStory(t, goodbye)
		s.After("Upload").Kill()
		for i := range bottest.MaxDeaths - 1 {
			s.Before("FindCommit").Nth(i + 1).Kill()
		}
		s.Before("FindCommit").Nth(bottest.MaxDeaths).Fail(errors.New("broken"))
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, got.answer, "Look at the commits of `speed` first: this may have been committed")
	})
}
