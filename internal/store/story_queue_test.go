package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

var queueStories = []story{
	on("an event too large or without a delivery is refused for good", store.Options{}, func(s *stage) {
		large := event("large", 1)
		large.Comment.Body = strings.Repeat("x", store.MaxEvent)
		for want, ev := range map[string]port.Event{
			"delivery id":  event("", 1),
			"plain text":   event("a b", 1),
			"characters":   event(strings.Repeat("d", 101), 1),
			"than the":     large,
			"delivery id ": event("nul\x00", 1),
		} {
			err := s.Submit(s.Context(), ev)
			require.ErrorContains(s, err, want)
			var p interface{ Permanent() bool }
			require.ErrorAs(s, err, &p)
			require.True(s, p.Permanent())
		}
		s.noClaim()
	}),
	on("a submitter whose context ended gets an error", store.Options{}, func(s *stage) {
		gone, cancel := context.WithCancelCause(s.Context())
		cancel(errors.New("the client hung up"))
		err := s.Submit(gone, event("a", 1))
		// It may have been accepted before anybody looked at the context; if not, the error says why.
		if err != nil {
			require.ErrorContains(s, err, "the client hung up")
		}
		s.submit(event("a", 1))
		s.complete("a")
		s.noClaim()
	}),
	// By the clock of the stage, no lease expires on a slow machine.
	on("fifty submitters at once, nothing lost and nothing twice", store.Options{}, func(s *stage) {
		const submitters, each = 50, 8
		var all sync.WaitGroup
		for i := range submitters {
			all.Go(func() {
				for k := range each {
					n := (i/2)*each + k // each delivery is sent by two
					if err := s.Submit(s.Context(), event(name(n), n)); err != nil {
						s.Errorf("submitting: %v", err)
					}
				}
			})
		}
		all.Wait()
		seen := map[string]bool{}
		for range submitters * each / 2 {
			c := s.any(s.Claim)
			require.False(s, seen[c.Event.Delivery])
			seen[c.Event.Delivery] = true
		}
		s.noClaim()
	}),
	on("many workers never share a thread", store.Options{}, func(s *stage) {
		const threads, each = 5, 12
		for i := range threads * each {
			s.submit(event(name(i), i%threads))
		}
		var mu sync.Mutex
		busy, last, done := map[int]bool{}, map[int]string{}, 0
		enter := func(c store.Claim) {
			mu.Lock()
			defer mu.Unlock()
			n := c.Event.Thread.Number
			if busy[n] || c.Event.Delivery <= last[n] {
				s.Errorf("%s came out of order, or with another of thread %d", c.Event.Delivery, n)
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
					c, ok, err := s.Claim(s.Context())
					if err != nil {
						s.Errorf("claiming: %v", err)
					}
					if !ok {
						continue
					}
					enter(c)
					leave(c)
					if err := s.Complete(s.Context(), c.Event); err != nil {
						s.Errorf("completing: %v", err)
					}
				}
			})
		}
		all.Wait()
		for c, ok, err := s.Claim(s.Context()); ok; c, ok, err = s.Claim(s.Context()) { // what nobody was left for
			require.NoError(s, err)
			enter(c)
			leave(c)
			require.NoError(s, s.Complete(s.Context(), c.Event))
		}
		require.Equal(s, threads*each, done)
	}),
	on("installations take turns", store.Options{}, func(s *stage) {
		for i := range 4 {
			s.submit(eventOf(1, name(i), i))
		}
		s.complete(name(0)) // installation 1 has had its turn
		s.submit(eventOf(2, "b0", 1), eventOf(2, "b1", 2), eventOf(3, "c0", 1))
		s.complete("b0", "c0", name(1), "b1", name(2), name(3))
		s.noClaim()
	}),
	on("an installation without a free thread loses no turn to others", store.Options{}, func(s *stage) {
		s.submit(eventOf(1, "a0", 1), eventOf(1, "a1", 1), eventOf(2, "b0", 1), eventOf(2, "b1", 2))
		a0 := s.claim("a0")
		s.complete("b0", "b1") // the next of installation 1 cannot begin
		s.submit(eventOf(2, "b2", 3))
		require.NoError(s, s.Complete(s.Context(), a0.Event))
		s.complete("a1", "b2")
	}),
}
