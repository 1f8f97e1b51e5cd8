package store_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

type waitError time.Duration

func (e waitError) Error() string { return "wait" }

func (e waitError) RetryAfter() time.Duration { return time.Duration(e) }

type hopelessError struct{}

func (hopelessError) Error() string { return "hopeless" }

func (hopelessError) Permanent() bool { return true }

var retriesStories = []story{
	inBubble("an error is retried, later each time, and the third makes a dead letter", func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" {
				return fmt.Errorf("attempt %d", ev.Attempt)
			}
			return nil
		}}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{
			"0s handle a", "10s handle a", "1m10s handle a", "1m10s dead letter a: attempt 3", "1m10s handle b",
		}, h.called())
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("an error says when to retry", func(s *stage) {
		s.submit(event("a", 1))
		waits := []time.Duration{10 * time.Minute, 100 * time.Hour}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Attempt <= len(waits) {
				return fmt.Errorf("asking GitHub: %w", waitError(waits[ev.Attempt-1]))
			}
			return nil
		}}
		s.workFor(3*time.Hour, store.Workers{Handler: h, Poll: 2 * time.Minute})
		require.Equal(s, []string{"0s handle a", "10m0s handle a", "1h10m0s handle a"}, h.called()) // an hour is the longest
		require.Equal(s, store.Stats{}, s.queued())
	}),
	inBubble("a permanent error makes a dead letter at once", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(fmt.Errorf("cloning: %w", hopelessError{}))}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "0s dead letter a: cloning: hopeless"}, h.called())
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("an event that crashes the program whenever it is handled is a dead letter", func(s *stage) {
		s.submit(event("a", 1))
		for i := range storetest.LastDeath {
			s.claim("a") // by a process that dies
			time.Sleep(store.DefaultLease + time.Second)
			if deaths := i + 1; deaths >= 3 && deaths < storetest.LastDeath {
				s.noClaim()
				time.Sleep(30 * time.Second)
			}
		}
		h := &handler{}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{
			"0s dead letter a: the program ended 6 times while it worked on this",
		}, h.called())
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("reporting a dead letter is retried, the work is not", func(s *stage) {
		s.submit(event("a", 1))
		h := &handler{handle: always(hopelessError{}), deadLetter: times(1, waitError(time.Minute))}
		s.workFor(10*time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s handle a", "0s dead letter a: hopeless", "1m0s dead letter a: hopeless"}, h.called())
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("reporting a dead letter has an end too", func(s *stage) {
		s.submit(event("a", 1), event("b", 1))
		h := &handler{
			handle: func(_ context.Context, ev port.Event) error {
				if ev.Delivery == "b" {
					return nil
				}
				return errors.New("broken")
			},
			deadLetter: always(errors.New("nobody there")),
		}
		s.workFor(3*time.Hour, store.Workers{Handler: h, Poll: 2 * time.Minute})
		calls := h.called()
		require.Len(s, calls, 3+4+1) // handled three times, reported at the third and three times more, then the next
		require.Contains(s, calls[6], "dead letter a: broken")
		require.Contains(s, calls[7], "handle b")
		require.Equal(s, store.Stats{DeadLetters: 1}, s.queued())
	}),
	inBubble("a crash while reporting loses no cause", func(s *stage) {
		s.submit(event("a", 1))
		ev := s.claim("a").Event
		ev.Attempt = store.MaxAttempts
		require.NoError(s, s.Retry(s.Context(), ev, hopelessError{}, 0))
		s.claim("a") // by a process that dies
		time.Sleep(store.DefaultLease + time.Second)
		h := &handler{}
		s.workFor(time.Minute, store.Workers{Handler: h})
		require.Equal(s, []string{"0s dead letter a: hopeless"}, h.called())
	}),
}
