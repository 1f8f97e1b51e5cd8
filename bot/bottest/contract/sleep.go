package contract

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// away is what the events of these stories wait for.
func away(after time.Duration) *port.WaitError {
	return &port.WaitError{For: port.GitHubOutage, After: after, Err: errors.New("GitHub is away")}
}

var sleepStories = []story[QueueStage]{
	{"a sleep waits as a retry does, and uses up no attempt", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1), queueEvent("b", 1))
		for range 5 {
			a := claim(t, s, false, "a").Event
			require.Equal(t, 1, a.Attempt)
			a.Attempt = 0 // the worker does not count it
			require.True(t, must(s.Sleep(t.Context(), a, away(10*time.Minute), away(0), bottest.Patience, ""))(t))
			require.Equal(t, port.GitHubOutage, must(s.Queued(t.Context(), queueEvent("b", 1)))(t)[0].WaitsFor)
			s.Pass(9 * time.Minute)
			noClaim(t, s, false)
			s.Pass(2 * time.Minute)
		}
		a := claim(t, s, false, "a").Event
		require.Empty(t, must(s.Queued(t.Context(), queueEvent("b", 1)))(t)[0].WaitsFor, "it runs")
		require.NoError(t, s.Complete(t.Context(), a))
		require.ErrorIs(t, errorOf(s.Sleep(t.Context(), a, away(0), away(0), bottest.Patience, "")), port.ErrLeaseLost)
		claim(t, s, false, "b")
	}},
	{"patience is that of all sleeps of an event", func(t *testing.T, s QueueStage) {
		submit(t, s, queueEvent("a", 1))
		for range 2 {
			ok := must(s.Sleep(t.Context(), claim(t, s, false, "a").Event, away(50*time.Minute), away(0), time.Hour, ""))(t)
			require.True(t, ok)
			s.Pass(52 * time.Minute)
		}
		late := claim(t, s, false, "a")
		require.Empty(t, late.GaveUp)
		ok := must(s.Sleep(t.Context(), late.Event, away(0), away(0), time.Hour, ""))(t)
		require.False(t, ok)
		late.Event.Attempt = bottest.MaxAttempts // its end has to be reported
		ok, err := s.Sleep(t.Context(), late.Event, away(0), errors.New("the model is away"), 2*time.Hour, port.ModelOutage)
		require.NoError(t, err)
		require.True(t, ok)
		s.Pass(10 * time.Minute)
		again := claim(t, s, false, "a")
		require.Equal(t, port.ModelOutage, again.GaveUp)
		require.EqualError(t, again.LastError, "the model is away")
		require.NoError(t, s.DeadLetter(t.Context(), again.Event, errors.New("the model is away")))
		submit(t, s, queueEvent("a", 1))
		ok = must(s.Sleep(t.Context(), claim(t, s, false, "a").Event, away(0), away(0), time.Hour, ""))(t)
		require.True(t, ok, "a redelivery has all its patience")
		s.Pass(10 * time.Minute)
		require.Empty(t, claim(t, s, false, "a").GaveUp)
	}},
}
