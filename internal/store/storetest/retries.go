package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func retriesGrow(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1))
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Delivery == "a" {
				return fmt.Errorf("attempt %d", ev.Attempt)
			}
			return nil
		}}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{
			"0s handle a", "10s handle a", "1m10s handle a", "1m10s dead letter a: attempt 3", "1m10s handle b",
		}, h.called())
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

type waitError time.Duration

func (e waitError) Error() string             { return "wait" }
func (e waitError) RetryAfter() time.Duration { return time.Duration(e) }

func retryAfter(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		waits := []time.Duration{10 * time.Minute, 100 * time.Hour}
		h := &handler{handle: func(_ context.Context, ev port.Event) error {
			if ev.Attempt <= len(waits) {
				return fmt.Errorf("asking GitHub: %w", waitError(waits[ev.Attempt-1]))
			}
			return nil
		}}
		workFor(t, 3*time.Hour, store.Workers{Store: s, Handler: h, Poll: 2 * time.Minute})
		require.Equal(t, []string{"0s handle a", "10m0s handle a", "1h10m0s handle a"}, h.called()) // an hour is the longest
		require.Equal(t, store.Stats{}, queued(t, s))
	})
}

type hopelessError struct{}

func (hopelessError) Error() string   { return "hopeless" }
func (hopelessError) Permanent() bool { return true }

func permanent(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(context.Context, port.Event) error { return fmt.Errorf("cloning: %w", hopelessError{}) }}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "0s dead letter a: cloning: hopeless"}, h.called())
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func crashed(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		for i := range LastDeath {
			claim(t, s, "a") // by a process that dies
			time.Sleep(store.DefaultLease + time.Second)
			if deaths := i + 1; deaths >= 3 && deaths < LastDeath {
				noClaim(t, s)
				time.Sleep(30 * time.Second)
			}
		}
		h := &handler{}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{
			"0s dead letter a: the program ended 6 times while it worked on this",
		}, h.called())
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func deadLetterReportIsRetried(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		h := &handler{handle: func(context.Context, port.Event) error { return hopelessError{} }}
		h.deadLetter = func(context.Context, port.Event, error) error {
			if len(h.called()) < 3 {
				return waitError(time.Minute)
			}
			return nil
		}
		workFor(t, 10*time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s handle a", "0s dead letter a: hopeless", "1m0s dead letter a: hopeless"}, h.called())
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func deadLetterReportNeverWorks(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1), event("b", 1))
		h := &handler{
			handle: func(_ context.Context, ev port.Event) error {
				if ev.Delivery == "b" {
					return nil
				}
				return errors.New("broken")
			},
			deadLetter: func(context.Context, port.Event, error) error { return errors.New("nobody there") },
		}
		workFor(t, 3*time.Hour, store.Workers{Store: s, Handler: h, Poll: 2 * time.Minute})
		calls := h.called()
		require.Len(t, calls, 3+4+1) // handled three times, reported at the third and three times more, then the next
		require.Contains(t, calls[6], "dead letter a: broken")
		require.Contains(t, calls[7], "handle b")
		require.Equal(t, store.Stats{DeadLetters: 1}, queued(t, s))
	})
}

func crashedWhileReporting(t *testing.T, open Open) {
	bubble(t, open, func(t *testing.T, s *store.Store) {
		submit(t, s, event("a", 1))
		ev := claim(t, s, "a").Event
		ev.Attempt = store.MaxAttempts
		require.NoError(t, s.Retry(t.Context(), ev, hopelessError{}, 0))
		claim(t, s, "a") // by a process that dies
		time.Sleep(store.DefaultLease + time.Second)
		h := &handler{}
		workFor(t, time.Minute, store.Workers{Store: s, Handler: h})
		require.Equal(t, []string{"0s dead letter a: hopeless"}, h.called())
	})
}
