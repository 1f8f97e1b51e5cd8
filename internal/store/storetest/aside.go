package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/store"
)

// aside makes an event that does not wait for its thread.
func aside(delivery string, thread int) bot.Event { return asideOf(1, delivery, thread) }

func asideOf(installation int64, delivery string, thread int) bot.Event {
	ev := eventOf(installation, delivery, thread)
	ev.Aside = true
	return ev
}

// claimAside takes the event aside that the test expects.
func claimAside(t *testing.T, s *store.Store, delivery string) store.Claim {
	t.Helper()
	c, ok, err := s.ClaimAside(t.Context())
	require.NoError(t, err)
	require.True(t, ok, "nothing to claim, %s was expected", delivery)
	require.Equal(t, delivery, c.Event.Delivery)
	return c
}

func noClaimAside(t *testing.T, s *store.Store) {
	t.Helper()
	c, ok, err := s.ClaimAside(t.Context())
	require.NoError(t, err)
	require.False(t, ok, "%s was claimed", c.Event.Delivery)
}

func asideDoesNotWait(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1), event("b", 1), aside("x", 1), aside("y", 1), event("c", 1))
	a := claim(t, s, "a").Event
	x, y := claimAside(t, s, "x").Event, claimAside(t, s, "y").Event
	require.NotEqual(t, x.Lease, y.Lease)
	require.True(t, x.Aside)
	noClaimAside(t, s)
	noClaim(t, s) // b waits for a, no more and no less
	require.NoError(t, s.Complete(t.Context(), a))
	require.NoError(t, s.Complete(t.Context(), claim(t, s, "b").Event))
	claim(t, s, "c")
}

func asideHoldsNothingUp(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, aside("x", 1), aside("y", 1), event("a", 1))
	claimAside(t, s, "x")
	complete(t, s, "a") // with one aside in work, and one before it
	claimAside(t, s, "y")
}

func asideIsLeased(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, aside("x", 1))
	first := claimAside(t, s, "x").Event
	run, err := s.Start(t.Context(), first)
	require.NoError(t, err)
	clock.move(store.DefaultLease + time.Millisecond)
	second := claimAside(t, s, "x").Event
	require.Equal(t, 2, second.Attempt)
	for what, write := range writes(t, s, first, run.ID) {
		require.ErrorIs(t, write(), bot.ErrLeaseLost, what)
	}
	require.NoError(t, s.Retry(t.Context(), second, errors.New("GitHub is away"), time.Minute))
	noClaimAside(t, s)
	clock.move(time.Minute)
	third := claimAside(t, s, "x")
	require.Equal(t, "GitHub is away", third.LastError)
	require.NoError(t, s.Park(t.Context(), third.Event, errors.New("no use")))
	submit(t, s, aside("x", 1)) // a redelivery heals it
	require.NoError(t, s.Complete(t.Context(), claimAside(t, s, "x").Event))
	noClaimAside(t, s)
}

func asideTurns(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, asideOf(1, "1x", 1), asideOf(1, "1y", 1), asideOf(1, "1z", 1), asideOf(2, "2x", 1),
		eventOf(1, "1a", 2), eventOf(2, "2a", 2))
	claimAside(t, s, "1x")
	claimAside(t, s, "2x") // not the flood of another
	claimAside(t, s, "1y")
	claim(t, s, "1a") // and what is aside costs no turn in the line
	claim(t, s, "2a")
	claimAside(t, s, "1z")
}

func asideHasItsPlaces(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		for i := range 8 {
			submit(t, s, event(name(i), i))
		}
		h := &handler{handle: func(_ context.Context, ev bot.Event) error {
			if !ev.Aside {
				time.Sleep(10 * time.Minute)
			}
			return nil
		}}
		go func() {
			time.Sleep(time.Minute)
			submit(t, s, aside("x", 0), aside("y", 0), aside("z", 1))
		}()
		workFor(t, 15*time.Minute, store.Workers{Store: s, Handler: h, Count: 8, Poll: time.Hour})
		calls := h.called()
		require.Len(t, calls, 11)
		require.ElementsMatch(t, []string{"1m0s handle x", "1m0s handle y", "1m0s handle z"}, calls[8:], "at once, while all others work")
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}
