package store_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

const day = 24 * time.Hour

// keeper returns a keeper whose steps lose their data.
func keeper(s *stage) *store.Keeper {
	return &store.Keeper{Store: s.Store, Forget: func(name string, step port.Step) port.Step {
		return port.Step{Version: step.Version + 1, Data: []byte(fmt.Sprintf(`"%s was %d"`, name, step.Version))}
	}}
}

// pass requires that a pass of a keeper deletes so much.
func pass(s *stage, k *store.Keeper, events, sources int64) {
	passed(s, k, store.Deleted{Events: events, Sources: sources})
}

func passed(s *stage, k *store.Keeper, want store.Deleted) {
	require.Equal(s, want, must(k.Pass(s.Context()))(s))
}

// recordedEvent accepts an event, claims it and records a step of its run.
func (s *stage) recordedEvent(ev port.Event) port.Event {
	ev, run := s.begun(ev)
	require.NoError(s, s.Record(s.Context(), ev, run, "open", port.Step{Version: 1, Data: []byte(`{"file":"secret"}`)}))
	return ev
}

var retentionStories = []story{
	on("what ended long ago is deleted, with its run", store.Options{Lease: 1000 * day}, func(s *stage) {
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(event("done", 1))))
		require.NoError(s, s.DeadLetter(s.Context(), s.recordedEvent(event("dead", 2)), errors.New("no use")))
		leased := s.recordedEvent(event("leased", 3))
		s.submit(event("waiting", 3))
		s.clock.move(day)
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(event("later", 4))))
		k := keeper(s)
		k.Sources = 1000 * day
		s.clock.move(store.DefaultRetention - day)
		pass(s, k, 0, 0)
		s.clock.move(time.Hour)
		pass(s, k, 2, 0)
		for _, gone := range []string{"done", "dead"} {
			_, _, err := s.FindRun(s.Context(), port.RunID(gone))
			require.ErrorIs(s, err, port.ErrNotFound)
		}
		_, _, err := s.FindRun(s.Context(), port.RunID("later"))
		require.NoError(s, err)
		require.NoError(s, s.Complete(s.Context(), leased), "what is not finished is not old")
		s.complete("waiting")
		s.submit(event("done", 1))
		s.claim("done") // nobody knows any more that it was handled
	}),
	on("what strangers wrote is forgotten early", store.Options{Lease: 1000 * day}, func(s *stage) {
		stranger, _ := s.begun(event("stranger", 1))
		require.NoError(s, s.Complete(s.Context(), stranger)) // which forgets the text
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(event("maria", 3))))
		dead, _ := s.begun(event("dead", 4))
		require.NoError(s, s.DeadLetter(s.Context(), dead, errors.New("no use")))
		s.submit(event("cancelled", 5))
		by := s.stopping(5)
		cancelledText := func() string {
			queue := must(s.Cancel(s.Context(), by))(s)
			require.Len(s, queue, 1)
			return queue[0].Event.Comment.Body
		}
		require.NotEmpty(s, cancelledText())
		k := keeper(s)
		s.clock.move(store.StrangerRetention)
		passed(s, k, store.Deleted{})
		require.NotEmpty(s, cancelledText())
		s.clock.move(time.Hour)
		passed(s, k, store.Deleted{Texts: 1})
		require.Empty(s, cancelledText())
		for delivery, kept := range map[string]bool{"stranger": false, "maria": true, "dead": true} {
			_, ev, err := s.FindRun(s.Context(), port.RunID(delivery))
			require.NoError(s, err)
			require.Equal(s, kept, ev.Comment.Body != "", delivery)
			require.Equal(s, kept, ev.Thread.Title != "", delivery)
			s.submit(event(delivery, ev.Thread.Number))
		}
		s.submit(event("cancelled", 5))
		s.claim("dead")
		s.noClaim() // the others are known, and done
		s.clock.move(time.Hour)
		passed(s, keeper(s), store.Deleted{}) // another process finds nothing more to do
	}),
	on("the sources of a run are deleted before the rest of it", store.Options{Lease: 1000 * day}, func(s *stage) {
		text := "the issue"
		ev := event("done", 1)
		ev.Thread.Text, ev.Before, ev.Comment.Hunk = &text, "before", "@@ -1 +1 @@"
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(ev)))
		leased := s.recordedEvent(event("leased", 2))
		dead := event("dead", 3)
		require.NoError(s, s.DeadLetter(s.Context(), s.recordedEvent(dead), errors.New("no use")))
		s.submit(dead) // it is wanted again
		k := keeper(s)
		s.clock.move(store.DefaultSourceRetention + time.Hour)
		pass(s, k, 0, 1)
		run, stored, err := s.FindRun(s.Context(), port.RunID("done"))
		require.NoError(s, err)
		require.True(s, run.Forgotten)
		require.Equal(s, map[string]port.Step{"open": {Version: 2, Data: []byte(`"open was 1"`)}}, run.Steps)
		ev.Thread.Text, ev.Before, ev.Comment.Hunk = nil, "", ""
		require.Equal(s, ev, stored)
		for _, kept := range []string{"leased", "dead"} {
			run, _, err := s.FindRun(s.Context(), port.RunID(kept))
			require.NoError(s, err)
			require.False(s, run.Forgotten, kept)
			require.JSONEq(s, `{"file":"secret"}`, string(run.Steps["open"].Data))
		}
		require.NoError(s, s.Complete(s.Context(), leased))
		s.clock.move(time.Hour)
		pass(s, k, 0, 0)
	}),
	on("the budgets of periods long past are deleted", store.Options{Lease: 1000 * day}, func(s *stage) {
		ev, run := s.begun(budgetEvent("d1", 1))
		limits := port.Limits{OwnerTokens: 1000}
		must(s.Reserve(s.Context(), reservation(ev, run, 1, 600, limits)))(s)
		k := keeper(s)
		k.Events = 4 * day
		s.clock.move(10 * day) // in the same month
		pass(s, k, 0, 0)
		_, err := s.Reserve(s.Context(), reservation(ev, run, 2, 600, limits))
		var over *port.OverBudget
		require.ErrorAs(s, err, &over, "the month is not over")
	}),
	on("one process deletes for all", store.Options{}, func(s *stage) {
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(event("a", 1))))
		first, second := keeper(s), keeper(s)
		pass(s, first, 0, 0)
		s.clock.move(store.DefaultRetention + 30*time.Minute)
		pass(s, first, 1, 0)
		s.clock.move(59 * time.Minute)
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(event("b", 1))))
		second.Events = time.Nanosecond
		pass(s, second, 0, 0) // the first one did it within the hour
		s.clock.move(time.Minute)
		pass(s, second, 1, 0)
	}),
	on("what belongs to an uninstalled App is deleted", store.Options{Lease: 1000 * day}, func(s *stage) {
		const gone, stays = 1, 2
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(eventOf(gone, "done", 1))))
		require.NoError(s, s.Complete(s.Context(), s.recordedEvent(eventOf(stays, "other", 1))))
		running := s.recordedEvent(eventOf(gone, "running", 2))
		for i := range 120 {
			s.submit(eventOf(gone, fmt.Sprint("waiting-", i), 3))
		}
		k := keeper(s)
		pass(s, k, 0, 0)
		for range 2 { // GitHub may deliver it twice
			require.NoError(s, s.Uninstalled(s.Context(), gone))
		}
		pass(s, k, 121, 0)
		s.noClaim()
		require.NoError(s, s.Complete(s.Context(), running), "what is being handled ends first")
		pass(s, k, 1, 0)
		s.submit(eventOf(gone, "late", 4))
		pass(s, k, 1, 0)
		_, _, err := s.FindRun(s.Context(), port.RunID("other"))
		require.NoError(s, err)
		s.clock.move(store.StrangerRetention + time.Hour)
		pass(s, k, 0, 0)
		s.submit(eventOf(gone, "much-later", 4))
		pass(s, k, 0, 0)
	}),
}
