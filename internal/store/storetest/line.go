package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/store"
)

// told writes what is in line as "a works" and "b waits".
func told(waiting []bot.Waiting) []string {
	all := []string{}
	for _, w := range waiting {
		state := "waits"
		if w.Working {
			state = "works"
		}
		all = append(all, w.Event.Delivery+" "+state)
	}
	return all
}

func lineOf(t *testing.T, s *store.Store, ev bot.Event) []string {
	t.Helper()
	waiting, err := s.Line(t.Context(), ev)
	require.NoError(t, err)
	return told(waiting)
}

func lineIsTold(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1), event("b", 1), event("c", 1), event("other", 2), eventOf(2, "another's", 1), aside("x", 1))
	require.Equal(t, []string{"a waits", "b waits", "c waits"}, lineOf(t, s, aside("x", 1)))
	a := claim(t, s, "a").Event
	require.Equal(t, []string{"a works", "b waits", "c waits"}, lineOf(t, s, aside("x", 1)))
	require.Equal(t, []string{"b waits", "c waits"}, lineOf(t, s, a))
	require.NoError(t, s.Complete(t.Context(), a))
	require.Equal(t, []string{"b waits", "c waits"}, lineOf(t, s, aside("x", 1)))
	require.Empty(t, lineOf(t, s, event("y", 3)))
}

func lineIsBounded(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i := range 120 {
		submit(t, s, event(name(i), 1))
	}
	claim(t, s, name(0))
	line := lineOf(t, s, aside("x", 1))
	require.Len(t, line, 100)
	require.Equal(t, name(0)+" works", line[0])
	require.Len(t, cancel(t, s, stopping(t, s, "x", 1)), 100)
	require.Equal(t, []string{name(0) + " works"}, lineOf(t, s, aside("x", 1)), "all are cancelled, if not all are told")
}

func pastIsTold(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i, ev := range []bot.Event{event("a", 1), event("b", 2), event("silent", 1), event("c", 1), event("d", 1), event("e", 1)} {
		submit(t, s, ev)
		c := claim(t, s, ev.Delivery).Event
		if ev.Delivery != "silent" {
			run, err := s.Start(t.Context(), c)
			require.NoError(t, err)
			require.NoError(t, s.Record(t.Context(), c, run.ID, "open", fmt.Appendf(nil, "%d", i)))
		}
		require.NoError(t, s.Complete(t.Context(), c))
	}
	past, err := s.Past(t.Context(), event("e", 1), 2)
	require.NoError(t, err)
	require.Len(t, past, 2)
	require.Equal(t, event("d", 1), past[0].Event)
	require.Equal(t, bot.RunID("d"), past[0].ID)
	require.Equal(t, map[string][]byte{"open": []byte("4")}, past[0].Steps)
	require.Equal(t, "c", past[1].Event.Delivery)

	past, err = s.Past(t.Context(), event("d", 1), 100)
	require.NoError(t, err)
	require.Len(t, past, 2, "without the later one, the own, and those without a run")
	require.Equal(t, "a", past[1].Event.Delivery)
	past, err = s.Past(t.Context(), event("b", 2), 100)
	require.NoError(t, err)
	require.Empty(t, past)
}

// Anybody may ask for help, or be turned away: that hides no work.
func pastIsNotHidden(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, id := begun(t, s, event("a", 1))
	require.NoError(t, s.Record(t.Context(), ev, id, "open", []byte("1")))
	require.NoError(t, s.Complete(t.Context(), ev))
	for i := range 101 {
		ev, _ := begun(t, s, event(name(i), 1))
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	submit(t, s, aside("help", 1))
	help := claimAside(t, s, "help").Event
	run, err := s.Start(t.Context(), help)
	require.NoError(t, err)
	require.NoError(t, s.Record(t.Context(), help, run.ID, "report", []byte("1")))
	submit(t, s, event("b", 1))
	past, err := s.Past(t.Context(), event("b", 1), 100)
	require.NoError(t, err)
	require.Len(t, past, 1)
	require.Equal(t, "a", past[0].Event.Delivery)
}

func runIsFound(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, id := begun(t, s, event("a", 1))
	require.NoError(t, s.Record(t.Context(), ev, id, "open", []byte("1")))
	run, of, err := s.FindRun(t.Context(), bot.RunID("a"))
	require.NoError(t, err)
	require.Equal(t, event("a", 1), of)
	require.Equal(t, map[string][]byte{"open": []byte("1")}, run.Steps)
	_, _, err = s.FindRun(t.Context(), bot.RunID("b"))
	require.ErrorIs(t, err, bot.ErrNotFound)
}
