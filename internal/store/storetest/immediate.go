package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// immediate returns an event that does not wait for its thread.
func immediate(delivery string, thread int) port.Event { return immediateOf(1, delivery, thread) }

func immediateOf(installation int64, delivery string, thread int) port.Event {
	ev := eventOf(installation, delivery, thread)
	ev.Immediate = true
	return ev
}

// claimImmediate claims the immediate event that the test expects.
func claimImmediate(t *testing.T, s *store.Store, delivery string) store.Claim {
	t.Helper()
	c, ok, err := s.ClaimImmediate(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "nothing to claim, %s was expected", delivery)
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noClaimImmediate(t *testing.T, s *store.Store) {
	t.Helper()
	c, ok, err := s.ClaimImmediate(t.Context())
	require.NoError(t, err)
	require.False(t, ok, "%s was claimed", c.Event.Delivery)
}

func immediateIsLeased(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, immediate("x", 1))
	first := claimImmediate(t, s, "x").Event
	run, err := s.Start(t.Context(), first)
	require.NoError(t, err)
	clock.move(store.DefaultLease + time.Millisecond)
	second := claimImmediate(t, s, "x").Event
	require.Equal(t, 1, second.Attempt, "a death is no failure")
	for what, write := range writes(t, s, first, run.ID) {
		require.ErrorIs(t, write(), port.ErrLeaseLost, what)
	}
	require.NoError(t, s.Retry(t.Context(), second, errors.New("GitHub is away"), time.Minute))
	noClaimImmediate(t, s)
	clock.move(time.Minute)
	third := claimImmediate(t, s, "x")
	require.Equal(t, "GitHub is away", third.LastError)
	require.NoError(t, s.DeadLetter(t.Context(), third.Event, errors.New("no use")))
	submit(t, s, immediate("x", 1)) // a redelivery
	require.NoError(t, s.Complete(t.Context(), claimImmediate(t, s, "x").Event))
	noClaimImmediate(t, s)
}

func immediateTurns(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, immediateOf(1, "1x", 1), immediateOf(1, "1y", 1), immediateOf(1, "1z", 1), immediateOf(2, "2x", 1),
		eventOf(1, "1a", 2), eventOf(2, "2a", 2))
	claimImmediate(t, s, "1x")
	claimImmediate(t, s, "2x") // not the flood of another
	claimImmediate(t, s, "1y")
	claim(t, s, "1a") // an immediate event uses no turn of the thread queues
	claim(t, s, "2a")
	claimImmediate(t, s, "1z")
}

func immediateHasItsWorkers(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 8 {
			submit(t, s, event(name(i), i))
		}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if !ev.Immediate {
				time.Sleep(10 * time.Minute)
			}
			return nil
		}}
		go func() {
			time.Sleep(time.Minute)
			submit(t, s, immediate("x", 0), immediate("y", 0), immediate("z", 1))
		}()
		workFor(t, 15*time.Minute, store.Workers{Store: s, Handler: h, Count: 8, Poll: time.Hour})
		calls := h.called()
		require.Len(t, calls, 11)
		require.ElementsMatch(t, []string{"1m0s handle x", "1m0s handle y", "1m0s handle z"}, calls[8:],
			"at once, while all other workers are busy")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}
