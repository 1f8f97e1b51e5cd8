package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

const day = 24 * time.Hour

// keeper returns a keeper whose steps lose their data.
func keeper(s *store.Store) *store.Keeper {
	return &store.Keeper{Store: s, Forget: func(name string, step port.Step) port.Step {
		return port.Step{Version: step.Version + 1, Data: []byte(fmt.Sprintf(`"%s was %d"`, name, step.Version))}
	}}
}

// pass requires that a pass of a keeper deletes so much.
func pass(t *testing.T, k *store.Keeper, events, sources int64) {
	t.Helper()
	passed(t, k, store.Deleted{Events: events, Sources: sources})
}

func passed(t *testing.T, k *store.Keeper, want store.Deleted) {
	t.Helper()
	got, err := k.Pass(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// recordedEvent accepts an event, claims it and records a step of its run.
func recordedEvent(t *testing.T, s *store.Store, ev port.Event) port.Event {
	t.Helper()
	ev, run := begun(t, s, ev)
	require.NoError(t, s.Record(t.Context(), ev, run, "open", port.Step{Version: 1, Data: []byte(`{"file":"secret"}`)}))
	return ev
}

func oldEventsAreDeleted(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, event("done", 1))))
	require.NoError(t, s.DeadLetter(t.Context(), recordedEvent(t, s, event("dead", 2)), errors.New("no use")))
	leased := recordedEvent(t, s, event("leased", 3))
	submit(t, s, event("waiting", 3))
	clock.move(day)
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, event("later", 4))))
	k := keeper(s)
	k.Sources = 1000 * day
	clock.move(store.DefaultRetention - day)
	pass(t, k, 0, 0)
	clock.move(time.Hour)
	pass(t, k, 2, 0)
	for _, gone := range []string{"done", "dead"} {
		_, _, err := s.FindRun(t.Context(), port.RunID(gone))
		require.ErrorIs(t, err, port.ErrNotFound)
	}
	_, _, err := s.FindRun(t.Context(), port.RunID("later"))
	require.NoError(t, err)
	require.NoError(t, s.Complete(t.Context(), leased), "what is not finished is not old")
	complete(t, s, "waiting")
	submit(t, s, event("done", 1))
	claim(t, s, "done") // nobody knows any more that it was handled
}

func textsOfStrangersAreForgottenEarly(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	stranger, _ := begun(t, s, event("stranger", 1))
	require.NoError(t, s.Complete(t.Context(), stranger)) // which forgets the text
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, event("maria", 3))))
	dead, _ := begun(t, s, event("dead", 4))
	require.NoError(t, s.DeadLetter(t.Context(), dead, errors.New("no use")))
	submit(t, s, event("cancelled", 5))
	by := stopping(t, s, 5)
	cancelledText := func() string {
		t.Helper()
		queue, err := s.Cancel(t.Context(), by)
		require.NoError(t, err)
		require.Len(t, queue, 1)
		return queue[0].Event.Comment.Body
	}
	require.NotEmpty(t, cancelledText())
	k := keeper(s)
	clock.move(store.StrangerRetention)
	passed(t, k, store.Deleted{})
	require.NotEmpty(t, cancelledText())
	clock.move(time.Hour)
	passed(t, k, store.Deleted{Texts: 1})
	require.Empty(t, cancelledText())
	for delivery, kept := range map[string]bool{"stranger": false, "maria": true, "dead": true} {
		_, ev, err := s.FindRun(t.Context(), port.RunID(delivery))
		require.NoError(t, err)
		require.Equal(t, kept, ev.Comment.Body != "", delivery)
		require.Equal(t, kept, ev.Thread.Title != "", delivery)
		submit(t, s, event(delivery, ev.Thread.Number))
	}
	submit(t, s, event("cancelled", 5))
	claim(t, s, "dead")
	noClaim(t, s) // the others are known, and done
	clock.move(time.Hour)
	passed(t, keeper(s), store.Deleted{}) // another process finds nothing more to do
}

func sourcesAreDeletedBeforeTheRest(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	text := "the issue"
	ev := event("done", 1)
	ev.Thread.Text, ev.Before, ev.Comment.Hunk = &text, "before", "@@ -1 +1 @@"
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, ev)))
	leased := recordedEvent(t, s, event("leased", 2))
	dead := event("dead", 3)
	require.NoError(t, s.DeadLetter(t.Context(), recordedEvent(t, s, dead), errors.New("no use")))
	submit(t, s, dead) // it is wanted again
	k := keeper(s)
	clock.move(store.DefaultSourceRetention + time.Hour)
	pass(t, k, 0, 1)
	run, stored, err := s.FindRun(t.Context(), port.RunID("done"))
	require.NoError(t, err)
	require.True(t, run.Forgotten)
	require.Equal(t, map[string]port.Step{"open": {Version: 2, Data: []byte(`"open was 1"`)}}, run.Steps)
	ev.Thread.Text, ev.Before, ev.Comment.Hunk = nil, "", ""
	require.Equal(t, ev, stored)
	for _, kept := range []string{"leased", "dead"} {
		run, _, err := s.FindRun(t.Context(), port.RunID(kept))
		require.NoError(t, err)
		require.False(t, run.Forgotten, kept)
		require.JSONEq(t, `{"file":"secret"}`, string(run.Steps["open"].Data))
	}
	require.NoError(t, s.Complete(t.Context(), leased))
	clock.move(time.Hour)
	pass(t, k, 0, 0)
}

func oldBudgetsAreDeleted(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	ev, run := begun(t, s, budgetEvent("d1", 1))
	limits := port.Limits{OwnerTokens: 1000}
	_, err := s.Reserve(t.Context(), reservation(ev, run, 1, 600, limits))
	require.NoError(t, err)
	k := keeper(s)
	k.Events = 4 * day
	clock.move(10 * day) // in the same month
	pass(t, k, 0, 0)
	_, err = s.Reserve(t.Context(), reservation(ev, run, 2, 600, limits))
	var over *port.OverBudget
	require.ErrorAs(t, err, &over, "the month is not over")
}

func oneProcessDeletesForAll(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, event("a", 1))))
	first, second := keeper(s), keeper(s)
	pass(t, first, 0, 0)
	clock.move(store.DefaultRetention + 30*time.Minute)
	pass(t, first, 1, 0)
	clock.move(59 * time.Minute)
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, event("b", 1))))
	second.Events = time.Nanosecond
	pass(t, second, 0, 0) // the first one did it within the hour
	clock.move(time.Minute)
	pass(t, second, 1, 0)
}

func uninstalledIsDeleted(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 1000 * day})
	const gone, stays = 1, 2
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, eventOf(gone, "done", 1))))
	require.NoError(t, s.Complete(t.Context(), recordedEvent(t, s, eventOf(stays, "other", 1))))
	running := recordedEvent(t, s, eventOf(gone, "running", 2))
	for i := range 120 {
		submit(t, s, eventOf(gone, fmt.Sprint("waiting-", i), 3))
	}
	k := keeper(s)
	pass(t, k, 0, 0)
	for range 2 { // GitHub may deliver it twice
		require.NoError(t, s.Uninstalled(t.Context(), gone))
	}
	pass(t, k, 121, 0)
	noClaim(t, s)
	require.NoError(t, s.Complete(t.Context(), running), "what is being handled ends first")
	pass(t, k, 1, 0)
	submit(t, s, eventOf(gone, "late", 4))
	pass(t, k, 1, 0)
	_, _, err := s.FindRun(t.Context(), port.RunID("other"))
	require.NoError(t, err)
	clock.move(store.StrangerRetention + time.Hour)
	pass(t, k, 0, 0)
	submit(t, s, eventOf(gone, "much-later", 4))
	pass(t, k, 0, 0)
}
