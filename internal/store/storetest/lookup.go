package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// lookup looks a run up by its delivery, and requires that its event is found alone, too.
func lookup(t *testing.T, s *store.Store, delivery string) store.RunInfo {
	t.Helper()
	info, err := s.Lookup(t.Context(), port.RunID(delivery))
	require.NoError(t, err)
	ev, err := s.EventOf(t.Context(), port.RunID(delivery))
	require.NoError(t, err)
	require.Equal(t, info.Event, ev)
	require.Equal(t, delivery, ev.Delivery)
	return info
}

func runsAreLookedUp(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	for _, id := range []string{port.RunID("another"), "", "no id", "aaaabbbbcccc"} {
		_, err := s.Lookup(t.Context(), id)
		require.ErrorIs(t, err, port.ErrNotFound)
		_, err = s.EventOf(t.Context(), id)
		require.ErrorIs(t, err, port.ErrNotFound)
	}

	submit(t, s, event("a", 1), event("b", 1))
	waits := lookup(t, s, "b")
	require.Equal(t, store.EventWaiting, waits.State)
	require.Empty(t, waits.Run.ID, "it was not started")
	require.Equal(t, event("b", 1).Repo, waits.Event.Repo)

	a := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), a)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), a, run.ID, "open", port.Step{Version: 1, Data: []byte(`{}`)}))
	runs := lookup(t, s, "a")
	require.Equal(t, store.EventRunning, runs.State)
	require.Equal(t, run.ID, runs.Run.ID)
	require.Contains(t, runs.Run.Steps, "open")
	require.Equal(t, clock.Now().UnixMilli(), runs.At["open"].UnixMilli())
	require.Nil(t, runs.Ended)

	_, err = s.Sleep(t.Context(), a,
		store.Sleep{Wait: &port.WaitError{For: port.ModelOutage, After: time.Hour, Err: errors.New("503")}})
	require.NoError(t, err)
	sleeps := lookup(t, s, "a")
	require.Equal(t, store.EventSleeping, sleeps.State)
	require.Equal(t, port.ModelOutage, sleeps.WaitsFor)
	require.False(t, sleeps.Until.IsZero())

	clock.move(2 * time.Hour)
	a = claim(t, s, "a").Event
	s.Ended(a, ended(a, port.EndCommitted))
	require.NoError(t, s.Complete(t.Context(), a))
	done := lookup(t, s, "a")
	require.Equal(t, store.EventDone, done.State)
	require.Equal(t, port.EndCommitted, done.Ended.Outcome)
	require.Equal(t, run.ID, done.Run.ID)

	b := claim(t, s, "b").Event
	s.Ended(b, ended(b, port.EndFailed))
	require.NoError(t, s.DeadLetter(t.Context(), b, errors.New("no use")))
	dead := lookup(t, s, "b")
	require.Equal(t, store.EventDeadLetter, dead.State)
	require.Equal(t, port.EndFailed, dead.Ended.Outcome)
}

// The audit is kept longer than the events.
func deletedRunsAreLookedUp(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	end(t, s, "a", func(e *port.Ended) { e.Person = "maria" })
	clock.move(store.DefaultRetention + time.Hour)
	k := store.Keeper{Store: s, Forget: func(_ string, step port.Step) port.Step { return step }}
	deleted, err := k.Pass(t.Context())
	require.NoError(t, err)
	require.Positive(t, deleted.Events)
	info := lookup(t, s, "a")
	require.Empty(t, info.State)
	require.Equal(t, "maria", info.Event.Sender.Login)
	require.Equal(t, port.EndAnswered, info.Ended.Outcome)
}
