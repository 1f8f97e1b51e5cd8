package storetest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func refusals(t *testing.T, open Open) {
	s := open(t, store.Options{})
	large := event("large", 1)
	large.Comment.Body = strings.Repeat("x", store.MaxEvent)
	for want, ev := range map[string]port.Event{
		"delivery id":  event("", 1),
		"plain text":   event("a b", 1),
		"characters":   event(strings.Repeat("d", 101), 1),
		"than the":     large,
		"delivery id ": event("nul\x00", 1),
	} {
		err := s.Submit(t.Context(), ev)
		require.ErrorContains(t, err, want)
		var p interface{ Permanent() bool }
		require.ErrorAs(t, err, &p)
		require.True(t, p.Permanent())
	}
	noClaim(t, s)
}

func submitterGone(t *testing.T, open Open) {
	s := open(t, store.Options{})
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the client hung up"))
	err := s.Submit(gone, event("a", 1))
	// It may have been accepted before anybody looked at the context; if not, the error says why.
	if err != nil {
		require.ErrorContains(t, err, "the client hung up")
	}
	submit(t, s, event("a", 1))
	complete(t, s, "a")
	noClaim(t, s)
}

func manySubmitters(t *testing.T, open Open) {
	s := open(t, store.Options{Now: newClock().Now}) // no lease expires on a slow machine
	const submitters, each = 50, 8
	var all sync.WaitGroup
	for i := range submitters {
		all.Go(func() {
			for k := range each {
				n := (i/2)*each + k // each delivery is sent by two
				if err := s.Submit(t.Context(), event(name(n), n)); err != nil {
					t.Errorf("submitting: %v", err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for range submitters * each / 2 {
		c, ok, err := s.Claim(t.Context())
		require.NoError(t, err)
		require.True(t, ok)
		require.False(t, seen[c.Event.Delivery])
		seen[c.Event.Delivery] = true
	}
	noClaim(t, s)
}

func manyClaimers(t *testing.T, open Open) {
	s := open(t, store.Options{})
	const threads, each = 5, 12
	for i := range threads * each {
		submit(t, s, event(name(i), i%threads))
	}
	var mu sync.Mutex
	busy, last, done := map[int]bool{}, map[int]string{}, 0
	enter := func(c store.Claim) {
		mu.Lock()
		defer mu.Unlock()
		n := c.Event.Thread.Number
		if busy[n] || c.Event.Delivery <= last[n] {
			t.Errorf("%s came out of order, or with another of thread %d", c.Event.Delivery, n)
		}
		busy[n], last[n] = true, c.Event.Delivery
	}
	leave := func(c store.Claim) {
		mu.Lock()
		defer mu.Unlock()
		busy[c.Event.Thread.Number] = false
		done++
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 2 * each {
				c, ok, err := s.Claim(t.Context())
				if err != nil {
					t.Errorf("claiming: %v", err)
				}
				if !ok {
					continue
				}
				enter(c)
				leave(c)
				if err := s.Complete(t.Context(), c.Event); err != nil {
					t.Errorf("completing: %v", err)
				}
			}
		})
	}
	all.Wait()
	for c, ok, err := s.Claim(t.Context()); ok; c, ok, err = s.Claim(t.Context()) { // what nobody was left for
		require.NoError(t, err)
		enter(c)
		leave(c)
		require.NoError(t, s.Complete(t.Context(), c.Event))
	}
	require.Equal(t, threads*each, done)
}

func turns(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i := range 4 {
		submit(t, s, eventOf(1, name(i), i))
	}
	complete(t, s, name(0)) // installation 1 has had its turn
	submit(t, s, eventOf(2, "b0", 1), eventOf(2, "b1", 2), eventOf(3, "c0", 1))
	complete(t, s, "b0", "c0", name(1), "b1", name(2), name(3))
	noClaim(t, s)
}

func turnsBlocked(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, eventOf(1, "a0", 1), eventOf(1, "a1", 1), eventOf(2, "b0", 1), eventOf(2, "b1", 2))
	a0 := claim(t, s, "a0")
	complete(t, s, "b0", "b1") // the next of installation 1 cannot begin
	submit(t, s, eventOf(2, "b2", 3))
	require.NoError(t, s.Complete(t.Context(), a0.Event))
	complete(t, s, "a1", "b2")
}
