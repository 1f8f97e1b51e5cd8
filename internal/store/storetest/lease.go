package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// renew renews the lease of an event that nobody cancelled.
func renew(t *testing.T, s *store.Store, ev port.Event) error {
	t.Helper()
	cancelled, err := s.Renew(t.Context(), ev)
	require.Nil(t, cancelled)
	return err
}

func leaseRenewed(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: time.Minute})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	for range 5 {
		clock.move(50 * time.Second)
		require.NoError(t, renew(t, s, ev))
		noClaim(t, s)
	}
	require.NoError(t, s.Complete(t.Context(), ev))
}

func doneHasNoLease(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.NoError(t, s.Complete(t.Context(), ev))
	for what, write := range writes(t, s, ev, run.ID) {
		require.ErrorIs(t, write(), port.ErrLeaseLost, what)
	}
	unleased := ev
	unleased.Lease = "" // as in a row without a lease
	require.ErrorIs(t, s.Complete(t.Context(), unleased), port.ErrLeaseLost)
	noClaim(t, s)
}

// writes are all the ways to write about a leased event.
func writes(t *testing.T, s *store.Store, ev port.Event, run string) map[string]func() error {
	ctx := t.Context()
	return map[string]func() error{
		"renew":       func() error { return renew(t, s, ev) },
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

func hostileText(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	by := stop(1)
	by.Sender.Login = "mar\x00ia"
	submit(t, s, by)
	ev := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte("\"a\xffb\"")}))
	run, err = s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.Equal(t, "\"a\ufffdb\"", string(run.Steps["open"].Data))
	_, err = s.Cancel(t.Context(), claimImmediate(t, s, "stop").Event)
	require.NoError(t, err)
	cancelled, err := s.Renew(t.Context(), ev)
	require.NoError(t, err)
	require.Equal(t, &port.CancelledError{By: "maria"}, cancelled)
	require.NoError(t, s.Retry(t.Context(), ev, errors.New("x\x00\xff"), 0))
}

func stats(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	require.NoError(t, s.Ping(t.Context()))
	st, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, store.Stats{}, st)
	first := clock.Now()
	submit(t, s, event("a", 1), event("b", 2))
	clock.move(time.Second)
	submit(t, s, event("c", 3), event("d", 3))
	complete(t, s, "a")
	require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "b").Event, errors.New("x")))
	claim(t, s, "c")
	st, err = s.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, store.Stats{Ready: 1, Leased: 1, DeadLetters: 1, Oldest: first.Add(time.Second)}, st)
}
