package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// listed returns the events of a queue as "a leased" and "b ready".
func listed(queue []port.QueuedEvent) []string {
	all := []string{}
	for _, w := range queue {
		state := "ready"
		if w.Running {
			state = "leased"
		}
		all = append(all, w.Event.Delivery+" "+state)
	}
	return all
}

func queueOf(t *testing.T, s *store.Store, ev port.Event) []string {
	t.Helper()
	queue, err := s.Queued(t.Context(), ev)
	require.NoError(t, err)
	return listed(queue)
}

func queueIsListed(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1), event("b", 1), event("c", 1), event("other", 2),
		eventOf(2, "another's", 1), immediate("x", 1))
	require.Equal(t, []string{"a ready", "b ready", "c ready"}, queueOf(t, s, immediate("x", 1)))
	a := claim(t, s, "a").Event
	require.Equal(t, []string{"a leased", "b ready", "c ready"}, queueOf(t, s, immediate("x", 1)))
	require.Equal(t, []string{"b ready", "c ready"}, queueOf(t, s, a))
	require.NoError(t, s.Complete(t.Context(), a))
	require.Equal(t, []string{"b ready", "c ready"}, queueOf(t, s, immediate("x", 1)))
	require.Empty(t, queueOf(t, s, event("y", 3)))
}

func queueIsBounded(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i := range 120 {
		submit(t, s, event(name(i), 1))
	}
	claim(t, s, name(0))
	queue := queueOf(t, s, immediate("x", 1))
	require.Len(t, queue, 100)
	require.Equal(t, name(0)+" leased", queue[0])
	require.Len(t, cancel(t, s, stopping(t, s, "x", 1)), 100)
	require.Equal(t, []string{name(0) + " leased"}, queueOf(t, s, immediate("x", 1)),
		"all are cancelled, not only those that are listed")
}

func pastRunsAreListed(t *testing.T, open Open) {
	s := open(t, store.Options{})
	events := []port.Event{event("a", 1), event("b", 2), event("silent", 1), event("c", 1), event("d", 1), event("e", 1)}
	for i, ev := range events {
		submit(t, s, ev)
		c := claim(t, s, ev.Delivery).Event
		if ev.Delivery != "silent" {
			run, err := s.Start(t.Context(), c)
			require.NoError(t, err)
			require.NoError(t, s.Record(t.Context(), c, run.ID, "open", port.Step{Version: 1, Data: fmt.Appendf(nil, "%d", i)}))
		}
		require.NoError(t, s.Complete(t.Context(), c))
	}
	past, err := s.Past(t.Context(), event("e", 1), 2)
	require.NoError(t, err)
	require.Len(t, past, 2)
	require.Equal(t, event("d", 1), past[0].Event)
	require.Equal(t, port.RunID("d"), past[0].ID)
	require.Equal(t, map[string]port.Step{"open": {Version: 1, Data: []byte("4")}}, past[0].Steps)
	require.Equal(t, "c", past[1].Event.Delivery)

	past, err = s.Past(t.Context(), event("d", 1), 100)
	require.NoError(t, err)
	require.Len(t, past, 2, "without the later one, the own, and those without a run")
	require.Equal(t, "a", past[1].Event.Delivery)
	past, err = s.Past(t.Context(), event("b", 2), 100)
	require.NoError(t, err)
	require.Empty(t, past)
	for since, want := range map[string][]string{"silent": {"e", "d"}, "d": {"e", "d"}, "e": {"e"}, "unknown": nil} {
		later, err := s.Since(t.Context(), event("any", 1), since, 2)
		require.NoError(t, err)
		var got []string
		for _, p := range later {
			got = append(got, p.Event.Delivery)
		}
		require.Equal(t, want, got, "since %s", since)
	}
}

// Anybody may ask for help, or lack the permission for a command: that hides no other run.
func pastRunsAreNotHidden(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, id := begun(t, s, event("a", 1))
	require.NoError(t, s.Record(t.Context(), ev, id, "open", port.Step{Version: 1, Data: []byte("1")}))
	require.NoError(t, s.Complete(t.Context(), ev))
	for i := range 101 {
		ev, _ := begun(t, s, event(name(i), 1))
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	submit(t, s, immediate("help", 1))
	help := claimImmediate(t, s, "help").Event
	run, err := s.Start(t.Context(), help)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), help, run.ID, "report", port.Step{Version: 1, Data: []byte("1")}))
	submit(t, s, event("b", 1))
	past, err := s.Past(t.Context(), event("b", 1), 100)
	require.NoError(t, err)
	require.Len(t, past, 1)
	require.Equal(t, "a", past[0].Event.Delivery)
}

func runIsFound(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, id := begun(t, s, event("a", 1))
	require.NoError(t, s.Record(t.Context(), ev, id, "open", port.Step{Version: 1, Data: []byte("1")}))
	run, of, err := s.FindRun(t.Context(), port.RunID("a"))
	require.NoError(t, err)
	require.Equal(t, event("a", 1), of)
	require.Equal(t, map[string]port.Step{"open": {Version: 1, Data: []byte("1")}}, run.Steps)
	_, _, err = s.FindRun(t.Context(), port.RunID("b"))
	require.ErrorIs(t, err, port.ErrNotFound)
}
