package store_test

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// lookup looks a run up by its delivery, and requires that its event is found alone, too.
func (s *stage) lookup(delivery string) store.RunInfo {
	info := must(s.Lookup(s.Context(), port.RunID(delivery)))(s)
	ev := must(s.EventOf(s.Context(), port.RunID(delivery)))(s)
	require.Equal(s, info.Event, ev)
	require.Equal(s, delivery, ev.Delivery)
	return info
}

var lookupStories = []story{
	on("all that is known of a run is looked up by its id", store.Options{}, func(s *stage) {
		for _, id := range []string{port.RunID("another"), "", "no id", "aaaabbbbcccc"} {
			require.ErrorIs(s, errorOf(s.Lookup(s.Context(), id)), port.ErrNotFound)
			require.ErrorIs(s, errorOf(s.EventOf(s.Context(), id)), port.ErrNotFound)
		}

		s.submit(event("a", 1), event("b", 1))
		waits := s.lookup("b")
		require.Equal(s, store.EventWaiting, waits.State)
		require.Empty(s, waits.Run.ID, "it was not started")
		require.Equal(s, event("b", 1).Repo, waits.Event.Repo)

		a := s.claim("a").Event
		run := must(s.Start(s.Context(), a))(s)
		require.NoError(s, s.Record(s.Context(), a, run.ID, "open", port.Step{Version: 1, Data: []byte(`{}`)}))
		runs := s.lookup("a")
		require.Equal(s, store.EventRunning, runs.State)
		require.Equal(s, run.ID, runs.Run.ID)
		require.Contains(s, runs.Run.Steps, "open")
		require.Equal(s, s.clock.Now().UnixMilli(), runs.At["open"].UnixMilli())
		require.Nil(s, runs.Ended)

		must(s.Sleep(s.Context(), a,
			store.Sleep{Wait: &port.WaitError{For: port.ModelOutage, After: time.Hour, Err: errors.New("503")}}))(s)
		sleeps := s.lookup("a")
		require.Equal(s, store.EventSleeping, sleeps.State)
		require.Equal(s, port.ModelOutage, sleeps.WaitsFor)
		require.False(s, sleeps.Until.IsZero())

		s.clock.move(2 * time.Hour)
		a = s.claim("a").Event
		s.Ended(a, ended(a, port.EndCommitted))
		require.NoError(s, s.Complete(s.Context(), a))
		done := s.lookup("a")
		require.Equal(s, store.EventDone, done.State)
		require.Equal(s, port.EndCommitted, done.Ended.Outcome)
		require.Equal(s, run.ID, done.Run.ID)

		b := s.claim("b").Event
		s.Ended(b, ended(b, port.EndFailed))
		require.NoError(s, s.DeadLetter(s.Context(), b, errors.New("no use")))
		dead := s.lookup("b")
		require.Equal(s, store.EventDeadLetter, dead.State)
		require.Equal(s, port.EndFailed, dead.Ended.Outcome)
	}),
	// The audit is kept longer than the events.
	on("of a deleted run there is what the audit has", store.Options{}, func(s *stage) {
		s.end("a", func(e *port.Ended) { e.Person = "maria" })
		s.clock.move(store.DefaultRetention + time.Hour)
		k := store.Keeper{Store: s.Store, Forget: func(_ string, step port.Step) port.Step { return step }}
		require.Positive(s, must(k.Pass(s.Context()))(s).Events)
		info := s.lookup("a")
		require.Empty(s, info.State)
		require.Equal(s, "maria", info.Event.Sender.Login)
		require.Equal(s, port.EndAnswered, info.Ended.Outcome)
	}),
}
