package storetest

import (
	"errors"
	"strings"
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

func leaseExpired(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("a", 1), event("b", 1))
	first := claim(t, s, "a").Event
	clock.move(store.DefaultLease)
	noClaim(t, s)
	clock.move(time.Millisecond)
	second := claim(t, s, "a").Event // not b: the order is the same
	require.NotEqual(t, first.Lease, second.Lease)
	require.ErrorIs(t, renew(t, s, first), port.ErrLeaseLost)
	require.NoError(t, renew(t, s, second))
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

func lostLeaseWritesNothing(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("a", 1))
	stalled := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), stalled)
	require.NoError(t, err)
	clock.move(time.Minute)
	taken := claim(t, s, "a").Event

	for what, write := range writes(t, s, stalled, run.ID) {
		require.ErrorIs(t, write(), port.ErrLeaseLost, what)
	}
	resumed, err := s.Start(t.Context(), taken)
	require.NoError(t, err)
	require.Empty(t, resumed.Steps)
	require.NoError(t, s.Complete(t.Context(), taken))
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

func runIsResumed(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("a", 1), event("b", 2))
	a := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, port.RunID("a"), run.ID)
	require.True(t, run.Started.Equal(clock.Now()))
	require.False(t, run.Resumed)
	require.Empty(t, run.Steps)
	require.NoError(t, s.Record(t.Context(), a, run.ID, "open", port.Step{Version: 1, Data: []byte(`{"sha": "abc"}`)}))
	require.NoError(t, s.Record(t.Context(), a, run.ID, "ask",
		port.Step{Version: 1, Data: []byte(`"caf\u00e9 \u0000 <"`)}))

	b := claim(t, s, "b").Event
	other, err := s.Start(t.Context(), b)
	require.NoError(t, err)
	require.NotEqual(t, run.ID, other.ID)
	require.Empty(t, other.Steps)

	clock.move(time.Minute) // both workers died
	resumed, err := s.Start(t.Context(), claim(t, s, "a").Event)
	require.NoError(t, err)
	require.Equal(t, run.ID, resumed.ID)
	require.Equal(t, run.Started, resumed.Started)
	require.True(t, resumed.Resumed)
	want := map[string]port.Step{"open": {Version: 1, Data: []byte(`{"sha": "abc"}`)},
		"ask": {Version: 1, Data: []byte(`"caf\u00e9 \u0000 <"`)}}
	require.Equal(t, want, resumed.Steps)
}

func stepOnce(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}))
	require.ErrorContains(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`2`)}),
		"recorded already")
	run, err = s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.Equal(t, map[string]port.Step{"open": {Version: 1, Data: []byte(`1`)}}, run.Steps)
}

func recordBounds(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	largest := []byte(`"` + strings.Repeat("x", store.MaxStep-2) + `"`)
	require.NoError(t, s.Record(t.Context(), ev, run.ID, "largest", port.Step{Version: 1, Data: largest}))
	require.ErrorContains(t,
		s.Record(t.Context(), ev, run.ID, "larger", port.Step{Version: 1, Data: append(largest, ' ')}), "more than")
	require.ErrorContains(t, s.Record(t.Context(), ev, run.ID, "text", port.Step{Version: 1, Data: []byte(`{"a":`)}),
		"not JSON")
	require.ErrorContains(t, s.Record(t.Context(), ev, run.ID, "", port.Step{Version: 1, Data: []byte(`1`)}), "name")
	run, err = s.Start(t.Context(), ev)
	require.NoError(t, err)
	require.Len(t, run.Steps, 1)
	require.Equal(t, len(largest), len(run.Steps["largest"].Data))
}

func hostileText(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	by := stop("stop", 1)
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

func runOfAnother(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1), event("b", 2))
	a, b := claim(t, s, "a").Event, claim(t, s, "b").Event
	run, err := s.Start(t.Context(), a)
	require.NoError(t, err)
	require.ErrorContains(t, s.Record(t.Context(), b, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}),
		"not the run")
	_, err = s.Start(t.Context(), b)
	require.NoError(t, err)
	require.ErrorContains(t, s.Record(t.Context(), b, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}),
		"not the run")
}

func recordingRenews(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	clock.move(20 * time.Second)
	run, err := s.Start(t.Context(), ev)
	require.NoError(t, err)
	clock.move(20 * time.Second)
	noClaim(t, s)
	require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", port.Step{Version: 1, Data: []byte(`1`)}))
	clock.move(20 * time.Second)
	noClaim(t, s)
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
