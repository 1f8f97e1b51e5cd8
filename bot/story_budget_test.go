package bot_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
)

// spent returns the tokens today that are booked for the repository.
func (s *story) spent() int64 {
	all, err := s.Budget.Usage(s.t.Context(), s.LastEvent(), port.Limits{})
	require.NoError(s.t, err)
	return all[2].Used
}

// reserved returns what is reserved for each attempt at the newest question.
func (s *story) reserved() int64 {
	all := s.Model.Requests()
	return conversation.TokensToReserve(all[len(all)-1])
}

// usual is what an answer of the model takes, unless a story says otherwise.
const usual = 1200 + 345

func TestAnAttemptThatBrokeOffStaysBooked(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Model.BreaksOff(2)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Calls("Reserve"), 3)
	require.Equal(t, 2*s.reserved()+usual, s.spent(), "the provider said of the last one only what it took")
}

func TestACallThatFailedIsNotFreeTheNextTime(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Model.Fails(bottest.Retryable(0))
	s.Model.Says(goodbye)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(t, s.reserved()+usual, s.spent())
}

func TestACallWhoseProcessDiedStaysBooked(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Charge").Kill()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(t, s.reserved()+usual, s.spent())
}

func TestACancelledCallStaysBooked(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.say("/tenon fix `main.go`")
	require.Equal(t, s.reserved(), s.spent())
}

func TestTheLimitsAreCheckedBeforeEachAttempt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Model.BreaksOff(5)
	s.settings("budget: {repository: {tokens: 40000}}\n")
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, "The budget for this repository's tokens today is used up (40000)")
	require.LessOrEqual(t, s.spent(), int64(40000))
	require.Len(t, s.Calls("Reserve"), int(40000/s.reserved())+1)
	require.Empty(t, s.Commits("speed"))

	s = newStory(t, goodbye)
	s.Model.BreaksOff(5)
	s.settings("limits: {tokens: 40000}\n")
	require.Regexp(t, `This would take about \d\d,\d{3} tokens, and one command may take 40,000 here`,
		s.say("/tenon fix `main.go`").answer)
	require.LessOrEqual(t, s.spent(), int64(40000))
}

func TestACallThatWasNeverMadeCostsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Complete").Fail(bottest.Retryable(0))
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.EqualValues(t, usual, s.spent())
}

// An answer has been paid for; that the sum cannot be written is no reason to ask for another.
func TestAnAnswerWhoseCostCannotBeWrittenIsUsed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Charge").Fail(errors.New("the database is away"))
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Model.Requests(), 1)
	require.Equal(t, s.reserved(), s.spent())
	require.Contains(t, s.Logged(), "its reservation remains booked")
}
