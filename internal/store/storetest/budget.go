package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// begun accepts an event, claims it and starts its run.
func begun(t *testing.T, s *store.Store, ev port.Event) (port.Event, string) {
	t.Helper()
	require.NoError(t, s.Submit(t.Context(), ev))
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	run, err := s.Start(t.Context(), c.Event)
	require.NoError(t, err)
	return c.Event, run.ID
}

func budgetEvent(delivery string, thread int) port.Event {
	ev := event(delivery, thread)
	ev.Sender = port.User{ID: 7, Login: "maria"}
	return ev
}

// reservation returns a call of a run, with limits.
func reservation(ev port.Event, run string, call int, tokens int64, limits port.Limits) port.Reservation {
	return port.Reservation{Event: ev, Run: run, Call: call, Tokens: tokens, Limits: limits}
}

func budgetIsOneForAll(t *testing.T, open Open) {
	s := open(t, store.Options{})
	limits := port.Limits{RepositoryTokens: 1000}
	const workers = 20
	var granted atomic.Int64
	var all sync.WaitGroup
	for i := range workers {
		ev, run := begun(t, s, budgetEvent(string(rune('a'+i))+"-delivery", i+1))
		all.Go(func() {
			_, err := s.Reserve(t.Context(), reservation(ev, run, 1, 100, limits))
			var over *port.OverBudget
			switch {
			case err == nil:
				granted.Add(1)
			case !errors.As(err, &over):
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 10, granted.Load(), "two workers cannot overspend together")
}

func budgetLimitIsLowered(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, run := begun(t, s, budgetEvent("d1", 1))
	_, err := s.Reserve(t.Context(), reservation(ev, run, 1, 500, port.Limits{RepositoryTokens: 1000}))
	require.NoError(t, err)
	_, err = s.Reserve(t.Context(), reservation(ev, run, 2, 200, port.Limits{RepositoryTokens: 600}))
	var over *port.OverBudget
	require.ErrorAs(t, err, &over, "what was reserved under a higher limit counts under a lower one")
	require.EqualValues(t, 600, over.Limit)
	_, err = s.Reserve(t.Context(), reservation(ev, run, 2, 200, port.Limits{RepositoryTokens: 1000}))
	require.NoError(t, err)
}
