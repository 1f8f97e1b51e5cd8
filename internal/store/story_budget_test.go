package store_test

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// begun accepts an event, claims it and starts its run.
func (s *stage) begun(ev port.Event) (port.Event, string) {
	require.NoError(s, s.Submit(s.Context(), ev))
	c := s.any(s.Claim)
	return c.Event, must(s.Start(s.Context(), c.Event))(s).ID
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

var budgetStories = []story{
	on("a budget is one for all workers", store.Options{}, func(s *stage) {
		limits := port.Limits{RepositoryTokens: 1000}
		const workers = 20
		var granted atomic.Int64
		var all sync.WaitGroup
		for i := range workers {
			ev, run := s.begun(budgetEvent(string(rune('a'+i))+"-delivery", i+1))
			all.Go(func() {
				_, err := s.Reserve(s.Context(), reservation(ev, run, 1, 100, limits))
				var over *port.OverBudget
				switch {
				case err == nil:
					granted.Add(1)
				case !errors.As(err, &over):
					s.Error(err)
				}
			})
		}
		all.Wait()
		require.EqualValues(s, 10, granted.Load(), "two workers cannot overspend together")
	}),
	on("the limit of a budget can be lowered from call to call", store.Options{}, func(s *stage) {
		ev, run := s.begun(budgetEvent("d1", 1))
		must(s.Reserve(s.Context(), reservation(ev, run, 1, 500, port.Limits{RepositoryTokens: 1000})))(s)
		_, err := s.Reserve(s.Context(), reservation(ev, run, 2, 200, port.Limits{RepositoryTokens: 600}))
		var over *port.OverBudget
		require.ErrorAs(s, err, &over, "what was reserved under a higher limit counts under a lower one")
		require.EqualValues(s, 600, over.Limit)
		must(s.Reserve(s.Context(), reservation(ev, run, 2, 200, port.Limits{RepositoryTokens: 1000})))(s)
	}),
}
