package bot_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// writesOf returns the names of the calls that wrote to GitHub, or tried to.
func writesOf(calls []bottest.Call) (list []string) {
	for _, c := range calls {
		switch c.Op {
		case "Post", "Announce", "Edit", "Progress", "React", "Upload", "CreateCheck", "UpdateCheck":
			list = append(list, c.Op)
		}
	}
	return list
}

// Near GitHub's limits, a fix takes four writes: the eyes, the answer, the commit and the answer's last form.
func TestUnderPressureWhatAddsNothingIsLeftOut(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.GitHub.Wrote(24)
	s.Run()
	require.Equal(t, []string{"eyes"}, reactions(c))
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1)
	require.Len(t, s.Commits("speed"), 1)
	require.Empty(t, s.Repo.CheckRuns())
	require.Len(t, s.Calls("Edit"), 1, "the answer was there from the start")
}

// Very near them, it takes three: the answer is made when there is a result.
func TestUnderHardPressureTheAnswerComesWithTheResult(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.Wrote(32)
	s.while(func() { require.Empty(t, s.pull.Answers()) })
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes"}, reactions(c))
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1)
	require.Empty(t, s.Calls("Edit"))
	require.ElementsMatch(t, []string{"React", "Announce", "Upload", "Post", "CreateCheck", "React"},
		writesOf(s.Calls("")), "three of them are refused")
}

// A refusal of the model, a cancel: they are told under pressure too.
func TestUnderHardPressureAFailureIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(&port.UserError{Text: "The key is wrong."})
	s.GitHub.Wrote(32)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "The key is wrong.")
	require.Len(t, s.pull.Answers(), 1)
}

// A command that waits for another one has its eyes, and no notice where that would take room from commits and answers.
func TestUnderPressureNobodyIsToldThatTheyWait(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		second := s.pull.Comment("maria", "/tenon fix `speed.txt`")
		s.GitHub.Wrote(24)
		require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
		s.NotifyQueued()
		require.Equal(t, []string{"eyes"}, reactions(second))
		require.Len(t, s.pull.Answers(), 1)
		require.NotContains(t, s.Logged(), "a queued notice was not sent")
	})
	s.Model.Says(faster)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
	require.Len(t, s.pull.Answers(), 2)
}

// Of many commands that wait in a thread, one has a notice; and of many threads, those that have a notice are few.
func TestNoticesAreFew(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		for range 5 {
			s.pull.Comment("maria", "/tenon fix `speed.txt`")
		}
		s.NotifyQueued()
		s.NotifyQueued()
		require.Equal(t, 1, s.saying("⏳ **Waiting**"))
		require.Len(t, s.Calls("Notify"), 1)
	})
	s.Model.Says(faster)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Zero(t, s.saying("⏳ **Waiting**"), "the notice is an answer now")
	require.Len(t, s.pull.Answers(), 6)
}

// Whoever may give the command sees that it was received before there is a worker for it, once.
func TestACommandThatWaitsForAWorkerIsAcknowledged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
	require.Equal(t, []string{"eyes"}, reactions(c))
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(c))
	require.Len(t, s.Calls("React"), 2, "the run does not do it again")

	stranger := s.pull.Comment("stranger", "/tenon fix `main.go`")
	require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
	require.Empty(t, reactions(stranger))
	s.pull.Comment("maria", "nothing for @tenon-fan")
	require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
	require.Len(t, s.Calls("React"), 2)
}

// An attempt that died after the eyes does not add them again.
func TestTheEyesAreAddedOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Complete").Kill()
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(c))
	require.Len(t, s.Calls("React"), 2)
}

// Where there is no room for the eyes there is none for anything else: the run sleeps, and shows them first.
func TestARunWithoutRoomForItsEyesComesBack(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("React").Of("eyes").Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute,
		Err: errors.New("GitHub's rate limit is reached")})
	given := s.Clock.Now()
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(c))
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.Commits("speed"), 1)
	require.GreaterOrEqual(t, s.Clock.Now().Sub(given), time.Minute)
	require.Empty(t, s.Queue.DeadLetters())
}
