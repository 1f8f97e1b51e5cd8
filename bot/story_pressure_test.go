package bot_test

import (
	"errors"
	"fmt"
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
	s.GitHub.Wrote(36)
	s.Run()
	require.Equal(t, []string{"eyes"}, reactions(c))
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1)
	require.Len(t, s.Commits("speed"), 1)
	require.Greater(t, len(s.Calls("CreateCheck")), 1, "it is left out, and comes later")
	require.Len(t, s.Calls("Edit"), 1, "the answer was there from the start")
}

// The check run comes when there is room for it, once, with its buttons.
func TestACheckThatThereIsNoRoomForIsMadeLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.Wrote(36)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	checks := s.Repo.CheckRuns()
	require.Len(t, checks, 1)
	require.Equal(t, s.Repo.Branch("speed"), checks[0].SHA)
	require.Equal(t, "success", checks[0].Conclusion)
	require.NotEmpty(t, checks[0].Buttons)
	require.Greater(t, len(s.Calls("CreateCheck")), 1)
}

// One that GitHub refuses for good is not tried for ever.
func TestALateCheckThatIsRefusedIsLogged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.Wrote(36)
	s.Before("CreateCheck").Nth(2).Fail(fmt.Errorf("the check: %w", port.ErrDenied))
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Empty(t, s.Repo.CheckRuns())
	require.Len(t, s.Calls("CreateCheck"), 2)
	require.Contains(t, s.Logged(), "check not made")
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
}

// Very near them, it takes three: the answer is made when there is a result.
func TestUnderHardPressureTheAnswerComesWithTheResult(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.Wrote(40)
	s.while(func() { require.Empty(t, s.pull.Answers()) })
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes"}, reactions(c))
	require.Contains(t, s.pull.LastAnswer(), " · 1 edit committed")
	require.Len(t, s.pull.Answers(), 1)
	require.Empty(t, s.Calls("Edit"))
	require.ElementsMatch(t, []string{"React", "Announce", "Upload", "Post", "CreateCheck", "React"},
		writesOf(s.Calls(""))[:6], "three of them are refused")
	require.Len(t, s.Repo.CheckRuns(), 1, "it comes later")
}

// A refusal of the model, a cancel: they are told under pressure too.
func TestUnderHardPressureAFailureIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(&port.UserError{Text: "The key is wrong."})
	s.GitHub.Wrote(40)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "The key is wrong.")
	require.Len(t, s.pull.Answers(), 1)
}

// A command that waits for another one has its eyes, and no notice as long as that would take room from commits and
// answers.
func TestUnderPressureNobodyIsToldThatTheyWait(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		second := s.pull.Comment("maria", "/tenon fix `speed.txt`")
		s.GitHub.Wrote(36)
		require.NoError(t, s.bot.Acknowledge(t.Context(), s.LastEvent()))
		s.NotifyQueued()
		require.Equal(t, []string{"eyes"}, reactions(second))
		require.Len(t, s.pull.Answers(), 1)
		s.Clock.Advance(2 * time.Minute)
		s.NotifyQueued()
		require.Equal(t, 1, s.saying("⏳ **Waiting**"), "there is room again")
	})
	s.Model.Says(faster)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
	require.Len(t, s.pull.Answers(), 2)
}

// GitHub is away when a command has to wait, or does not say that it took the notice: there is one notice in the end,
// which becomes the answer.
func TestANoticeIsSentAfterAnOutage(t *testing.T) {
	t.Parallel()
	outage := &port.WaitError{For: port.GitHubOutage, Err: errors.New("GitHub answered 503")}
	for name, plant := range map[string]func(*story){
		"nothing was asked": func(s *story) { s.Before("Permission").Fail(outage) },
		"it was not taken":  func(s *story) { s.Before("Notify").Fail(outage) },
		"it was taken":      func(s *story) { s.After("Notify").Fail(outage) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.while(func() {
				s.pull.Comment("maria", "/tenon fix `speed.txt`")
				plant(s)
				s.NotifyQueued()
				s.NotifyQueued()
				s.NotifyQueued()
				require.Equal(t, 1, s.saying("⏳ **Waiting**"))
			})
			s.Model.Says(faster)
			s.pull.Comment("maria", "/tenon fix `main.go`")
			s.Run()
			require.Zero(t, s.saying("⏳ **Waiting**"))
			require.Len(t, s.pull.Answers(), 2)
		})
	}
}

// The command is handled before it is known whether it has a notice.
func TestANoticeThatWasPerhapsSentIsTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix `speed.txt`")
		s.After("Notify").Fail(&port.WaitError{For: port.GitHubOutage, Err: errors.New("GitHub answered 502")})
		s.NotifyQueued()
	})
	s.Model.Says(faster)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Zero(t, s.saying("⏳ **Waiting**"))
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
