package store_test

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// renew renews the lease of an event that nobody cancelled.
func (s *stage) renew(ev port.Event) error {
	cancelled, err := s.Renew(s.Context(), ev)
	require.Nil(s, cancelled)
	return err
}

// writes are all the ways to write about a leased event.
func (s *stage) writes(ev port.Event, run string) map[string]func() error {
	ctx := s.Context()
	return map[string]func() error{
		"renew":       func() error { return s.renew(ev) },
		"complete":    func() error { return s.Complete(ctx, ev) },
		"retry":       func() error { return s.Retry(ctx, ev, errors.New("x"), 0) },
		"dead letter": func() error { return s.DeadLetter(ctx, ev, errors.New("x")) },
		"release":     func() error { return s.Release(ctx, ev) },
		"record":      func() error { return s.Record(ctx, ev, run, "open", port.Step{Version: 1, Data: []byte(`{}`)}) },
		"start": func() error {
			_, err := s.Start(ctx, ev)
			return err
		},
	}
}

var leaseStories = []story{
	on("a renewed lease lasts", store.Options{Lease: time.Minute}, func(s *stage) {
		s.submit(event("a", 1))
		ev := s.claim("a").Event
		for range 5 {
			s.clock.move(50 * time.Second)
			require.NoError(s, s.renew(ev))
			s.noClaim()
		}
		require.NoError(s, s.Complete(s.Context(), ev))
	}),
	on("an event that is done has no lease", store.Options{}, func(s *stage) {
		s.submit(event("a", 1))
		ev := s.claim("a").Event
		run := must(s.Start(s.Context(), ev))(s)
		require.NoError(s, s.Complete(s.Context(), ev))
		for what, write := range s.writes(ev, run.ID) {
			require.ErrorIs(s, write(), port.ErrLeaseLost, what)
		}
		unleased := ev
		unleased.Lease = "" // as in a row without a lease
		require.ErrorIs(s, s.Complete(s.Context(), unleased), port.ErrLeaseLost)
		s.noClaim()
	}),
	on("text that a database refuses is stored without that part", store.Options{}, func(s *stage) {
		s.submit(event("a", 1))
		by := stop(1)
		by.Sender.Login = "mar\x00ia"
		s.submit(by)
		ev := s.claim("a").Event
		run := must(s.Start(s.Context(), ev))(s)
		require.NoError(s, s.Record(s.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte("\"a\xffb\"")}))
		run = must(s.Start(s.Context(), ev))(s)
		require.Equal(s, "\"a\ufffdb\"", string(run.Steps["open"].Data))
		must(s.Cancel(s.Context(), s.claimImmediate("stop").Event))(s)
		require.Equal(s, &port.CancelledError{By: "maria"}, must(s.Renew(s.Context(), ev))(s))
		require.NoError(s, s.Retry(s.Context(), ev, errors.New("x\x00\xff"), 0))
	}),
	on("the queue is counted", store.Options{}, func(s *stage) {
		require.NoError(s, s.Ping(s.Context()))
		st := must(s.Stats(s.Context()))(s)
		require.Equal(s, store.Stats{}, st)
		first := s.clock.Now()
		s.submit(event("a", 1), event("b", 2))
		s.clock.move(time.Second)
		s.submit(event("c", 3), event("d", 3))
		s.complete("a")
		require.NoError(s, s.DeadLetter(s.Context(), s.claim("b").Event, errors.New("x")))
		s.claim("c")
		st = must(s.Stats(s.Context()))(s)
		require.Equal(s, store.Stats{Ready: 1, Leased: 1, DeadLetters: 1, Oldest: first.Add(time.Second)}, st)
	}),
}
