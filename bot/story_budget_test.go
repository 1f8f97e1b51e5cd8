package bot_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

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

// usedUp is a budget that is used up.
type usedUp struct{ port.Budget }

func (usedUp) Reserve(context.Context, port.Reservation) (port.Booking, error) {
	return port.Booking{}, &port.OverBudget{Of: "acme/lathe", Limit: 20}
}

// crowdedModel answers other commands for an hour before it begins with one. It is used in a bubble of
// testing/synctest.
type crowdedModel struct{ port.Model }

func (m crowdedModel) Complete(ctx context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	defer port.Busy(ctx)()
	select {
	case <-ctx.Done():
		return port.Answer{}, context.Cause(ctx)
	case <-time.After(time.Hour):
	}
	return m.Model.Complete(ctx, r, onText)
}

func TestACommandWithoutABudgetDoesNotWaitForTheModelToBeToldSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		s.bot.Model, s.bot.Budget = crowdedModel{s.Model}, usedUp{s.bot.Budget}
		begun := time.Now()
		require.Contains(t, s.say("/tenon fix `main.go`").answer, "used up")
		require.Less(t, time.Since(begun), time.Minute)
	})
}
