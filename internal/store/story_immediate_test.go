package store_test

import (
	"context"
	"errors"
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
func (s *stage) claimImmediate(delivery string) store.Claim {
	return s.next(s.ClaimImmediate, delivery)
}

func (s *stage) noClaimImmediate() { s.none(s.ClaimImmediate) }

var immediateStories = []story{
	on("an immediate event has a lease, retries and redeliveries like others", store.Options{}, func(s *stage) {
		s.submit(immediate("x", 1))
		first := s.claimImmediate("x").Event
		run := must(s.Start(s.Context(), first))(s)
		s.clock.move(store.DefaultLease + time.Millisecond)
		second := s.claimImmediate("x").Event
		require.Equal(s, 1, second.Attempt, "a death is no failure")
		for what, write := range s.writes(first, run.ID) {
			require.ErrorIs(s, write(), port.ErrLeaseLost, what)
		}
		require.NoError(s, s.Retry(s.Context(), second, errors.New("GitHub is away"), time.Minute))
		s.noClaimImmediate()
		s.clock.move(time.Minute)
		third := s.claimImmediate("x")
		require.Equal(s, "GitHub is away", third.LastError)
		require.NoError(s, s.DeadLetter(s.Context(), third.Event, errors.New("no use")))
		s.submit(immediate("x", 1)) // a redelivery
		require.NoError(s, s.Complete(s.Context(), s.claimImmediate("x").Event))
		s.noClaimImmediate()
	}),
	on("installations take turns with immediate events too, separately", store.Options{}, func(s *stage) {
		s.submit(immediateOf(1, "1x", 1), immediateOf(1, "1y", 1), immediateOf(1, "1z", 1), immediateOf(2, "2x", 1),
			eventOf(1, "1a", 2), eventOf(2, "2a", 2))
		s.claimImmediate("1x")
		s.claimImmediate("2x") // not the flood of another
		s.claimImmediate("1y")
		s.claim("1a") // an immediate event uses no turn of the thread queues
		s.claim("2a")
		s.claimImmediate("1z")
	}),
	inBubble("immediate events have workers of their own", func(s *stage) {
		for i := range 8 {
			s.submit(event(name(i), i))
		}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if !ev.Immediate {
				time.Sleep(10 * time.Minute)
			}
			return nil
		}}
		go func() {
			time.Sleep(time.Minute)
			s.submit(immediate("x", 0), immediate("y", 0), immediate("z", 1))
		}()
		s.workFor(15*time.Minute, store.Workers{Handler: h, Count: 8, Poll: time.Hour})
		calls := h.called()
		require.Len(s, calls, 11)
		require.ElementsMatch(s, []string{"1m0s handle x", "1m0s handle y", "1m0s handle z"}, calls[8:],
			"at once, while all other workers are busy")
		require.Equal(s, store.Stats{}, s.queued())
	}),
}
