package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

func budgetResets(t *testing.T, open Open) {
	var clock atomic.Int64
	clock.Store(time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC).UnixNano())
	now := func() time.Time { return time.Unix(0, clock.Load()).UTC() }
	s := open(t, store.Options{Now: now, Lease: 24 * time.Hour})
	limits := port.Limits{UserCommands: 1, OwnerTokens: 500}
	ev, run := begun(t, s, budgetEvent("d1", 1))
	first, err := s.Reserve(t.Context(), reservation(ev, run, 1, 500, limits))
	require.NoError(t, err)
	other, second := begun(t, s, budgetEvent("d2", 2))
	_, err = s.Reserve(t.Context(), reservation(other, second, 1, 500, limits))
	var over *port.OverBudget
	require.ErrorAs(t, err, &over)
	require.Equal(t, time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), over.Resets)
	clock.Add(int64(2 * time.Minute))
	booked, err := s.Reserve(t.Context(), reservation(other, second, 1, 500, limits))
	require.NoError(t, err, "a new day, and a new month")
	require.Equal(t, 100, booked.Use.Percent)
	require.NoError(t, s.Charge(t.Context(), ev, first, 0, port.ModelUse{}), "charged in the month of its reservation")
	left, err := s.Usage(t.Context(), other, limits)
	require.NoError(t, err)
	require.EqualValues(t, 500, left[3].Used)
}

func budgetRequiresTheLease(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, run := begun(t, s, budgetEvent("d1", 1))
	ev.Lease = "another's"
	_, err := s.Reserve(t.Context(), reservation(ev, run, 1, 1, port.Limits{}))
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.ErrorIs(t, s.Charge(t.Context(), ev, port.Booking{Run: run, Call: 1, Attempt: 1}, 1, port.ModelUse{}),
		port.ErrLeaseLost)
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

func budgetIsShown(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	limits := port.Limits{UserCommands: 5, RepositoryCommands: 6, RepositoryTokens: 1000}
	ev, run := begun(t, s, budgetEvent("d1", 1))
	booked, err := s.Reserve(t.Context(), reservation(ev, run, 1, 400, limits))
	require.NoError(t, err)
	require.NoError(t, s.Charge(t.Context(), ev, booked, 300, port.ModelUse{}))

	tomorrow, nextMonth := time.Date(2026, 2, 4, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	other := budgetEvent("d2", 2) // not leased: reading reserves nothing
	other.Sender.ID++
	for range 2 {
		left, err := s.Usage(t.Context(), other, limits)
		require.NoError(t, err)
		require.Equal(t, []port.BudgetState{
			{Of: "your commands today", Used: 0, Limit: 5, Resets: tomorrow},
			{Of: "this repository's commands today", Used: 1, Limit: 6, Resets: tomorrow},
			{Of: "this repository's tokens today", Used: 300, Limit: 1000, Resets: tomorrow},
			{Of: "this owner's tokens of the month", Used: 300, Limit: 40_000_000, Resets: nextMonth},
		}, left)
	}
}
