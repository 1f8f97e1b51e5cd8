package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// ended is what a handler says that the run of an event came to.
func ended(ev port.Event, outcome port.EndOutcome) port.Ended {
	return port.Ended{Run: port.RunID(ev.Delivery), Delivery: ev.Delivery, Owner: "Octo", Repo: "Hello", Thread: 1,
		Person: "Ada", PersonID: 3, Installation: ev.Repo.Installation, Permission: port.PermissionWrite, Command: "fix",
		Outcome: outcome}
}

// audit returns what is in the audit that fits a filter.
func (s *stage) audit(f store.AuditFilter) (all []port.Ended) {
	require.NoError(s, s.Audit(s.Context(), f, func(e port.Ended) error { all = append(all, e); return nil }))
	return all
}

// outcomes are those of what is in the audit, by delivery and in order.
func (s *stage) outcomes(f store.AuditFilter) (all []string) {
	for _, e := range s.audit(f) {
		all = append(all, e.Delivery+" "+string(e.Outcome))
	}
	return all
}

var auditStories = []story{
	{"the end of a run is kept once, when its event ends", func(t *testing.T, open opener) {
		var told []port.Ended
		s := newStage(t, open, store.Options{Ended: func(e port.Ended) { told = append(told, e) }})
		s.submit(event("a", 1))
		first := s.claim("a").Event
		s.Ended(first, ended(first, port.EndFailed))
		require.NoError(s, s.Retry(s.Context(), first, errors.New("again"), 0))
		require.Empty(s, s.audit(store.AuditFilter{}), "the event has not ended")

		second := s.claim("a").Event
		s.Ended(first, ended(first, port.EndRefused))
		want := ended(second, port.EndCommitted)
		want.Commits = []port.MadeCommit{{Branch: "speed", SHA: "c0ffee", Files: 1, Paths: []string{"a\u0000\x1b.go"}}}
		s.Ended(second, want)
		require.ErrorIs(s, s.Complete(s.Context(), first), port.ErrLeaseLost)
		require.Empty(s, told)
		s.clock.move(time.Minute)
		require.NoError(s, s.Complete(s.Context(), second))
		require.ErrorIs(s, s.Complete(s.Context(), second), port.ErrLeaseLost)
		want.At = s.clock.Now()
		require.Equal(s, []port.Ended{want}, s.audit(store.AuditFilter{}))
		require.Equal(s, []port.Ended{want}, told)

		s.submit(event("b", 1))
		none := s.claim("b").Event
		require.NoError(s, s.Complete(s.Context(), none))
		require.Len(s, s.audit(store.AuditFilter{}), 1, "it gave no command")
	}},
	on("that a run is about to commit is kept before it does", store.Options{}, func(s *stage) {
		s.submit(event("a", 1))
		ev := s.claim("a").Event
		for range 2 {
			require.NoError(s, s.Committing(s.Context(), ev, ended(ev, port.EndCommitting)))
		}
		require.Equal(s, []string{"a committing"}, s.outcomes(store.AuditFilter{}), "the process may die here")
		unknown := ended(ev, port.EndFailed)
		unknown.Permission = ""
		other := ev
		other.Lease = "of another worker"
		require.ErrorIs(s, s.Committing(s.Context(), other, ended(ev, port.EndCommitting)), port.ErrLeaseLost)
		s.Ended(ev, unknown)
		require.NoError(s, s.DeadLetter(s.Context(), ev, errors.New("no use")))
		require.Equal(s, []string{"a failed"}, s.outcomes(store.AuditFilter{}))
		require.Equal(s, port.PermissionWrite, s.audit(store.AuditFilter{})[0].Permission, "as it was then")
	}),
	on("a dead letter that is tried again ends again", store.Options{}, func(s *stage) {
		s.submit(event("a", 1))
		for _, end := range []func(port.Event) error{
			func(ev port.Event) error { return s.DeadLetter(s.Context(), ev, errors.New("no use")) },
			func(ev port.Event) error { return s.Complete(s.Context(), ev) },
		} {
			ev := s.claim("a").Event
			outcome := port.EndCommitted
			if len(s.audit(store.AuditFilter{})) == 0 {
				outcome = port.EndFailed
			}
			s.Ended(ev, ended(ev, outcome))
			require.NoError(s, end(ev))
			s.submit(event("a", 1)) // which revives a dead letter
		}
		require.Equal(s, []string{"a failed", "a committed"}, s.outcomes(store.AuditFilter{}))
		require.Equal(s, []string{"a committed"}, s.outcomes(store.AuditFilter{Latest: true}))
	}),
	on("the audit is filtered", store.Options{}, func(s *stage) {
		began := s.clock.Now()
		for i, change := range []func(*port.Ended){
			func(*port.Ended) {},
			func(e *port.Ended) { e.Owner, e.Repo = "acme", "lathe" },
			func(e *port.Ended) { e.Person = "maria" },
			func(e *port.Ended) { e.Command, e.Outcome = "undo", port.EndCommitted },
		} {
			s.submit(event(fmt.Sprint(i), i+1))
			ev := s.claim(fmt.Sprint(i)).Event
			e := ended(ev, port.EndAnswered)
			change(&e)
			s.Ended(ev, e)
			require.NoError(s, s.Complete(s.Context(), ev))
			s.clock.move(time.Hour)
		}
		for _, c := range []struct {
			filter store.AuditFilter
			want   []string
		}{
			{store.AuditFilter{}, []string{"0", "1", "2", "3"}},
			{store.AuditFilter{Owner: "ACME"}, []string{"1"}},
			{store.AuditFilter{Owner: "octo", Repo: "hello", Person: "ADA"}, []string{"0", "3"}},
			{store.AuditFilter{Command: "undo"}, []string{"3"}},
			{store.AuditFilter{Outcome: port.EndAnswered, Since: began.Add(time.Hour)}, []string{"1", "2"}},
			{store.AuditFilter{Since: began, Until: began.Add(time.Hour)}, []string{"0"}},
			{store.AuditFilter{Run: port.RunID("2")}, []string{"2"}},
			{store.AuditFilter{Owner: "%"}, nil},
		} {
			var got []string
			for _, e := range s.audit(c.filter) {
				got = append(got, e.Delivery)
			}
			require.Equal(s, c.want, got, "%+v", c.filter)
		}
		failed := errors.New("the pipe is closed")
		require.ErrorIs(s, s.Audit(s.Context(), store.AuditFilter{}, func(port.Ended) error { return failed }), failed)
	}),
	on("strangers do not fill the audit", store.Options{}, func(s *stage) {
		n := 0
		refuse := func(person int64, permission port.Permission) {
			n++
			s.submit(event(fmt.Sprint(n), n))
			ev := s.claim(fmt.Sprint(n)).Event
			e := ended(ev, port.EndRefused)
			e.PersonID, e.Permission = person, permission
			s.Ended(ev, e)
			require.NoError(s, s.Complete(s.Context(), ev))
		}
		for range 22 {
			refuse(7, port.PermissionRead)
		}
		require.Len(s, s.audit(store.AuditFilter{}), 20)
		refuse(8, port.PermissionNone)
		refuse(7, port.PermissionWrite)
		require.Len(s, s.audit(store.AuditFilter{}), 22, "neither another person nor one who may write is left out")
		left := must(s.Unlisted(s.Context(), store.AuditFilter{}))(s)
		require.Equal(s, []store.Unlisted{{Day: "2026-02-03", Installation: 1, Count: 2}}, left)
		left = must(s.Unlisted(s.Context(), store.AuditFilter{Since: s.clock.Now().Add(day)}))(s)
		require.Empty(s, left)
		s.clock.move(day)
		refuse(7, port.PermissionRead)
		require.Len(s, s.audit(store.AuditFilter{}), 23, "on the next day")
	}),
	{"the audit outlives events and installations, and is deleted when it is old", func(t *testing.T, open opener) {
		s := newStage(t, open, store.Options{Lease: 10000 * day})
		s.Describe(func(ev port.Event, run port.Run) port.Ended {
			e := ended(ev, port.EndAnswered)
			e.Unsure = len(run.Steps) > 0
			return e
		})
		old := s.recordedEvent(event("old", 1))
		s.Ended(old, ended(old, port.EndCommitted))
		require.NoError(s, s.Complete(s.Context(), old))
		asleep := s.recordedEvent(event("asleep", 2))
		require.NoError(s, s.Retry(s.Context(), asleep, errors.New("later"), time.Hour))
		s.submit(event("waiting", 3))
		require.NoError(s, s.Uninstalled(s.Context(), 1))
		k := keeper(s)
		pass(s, k, 3, 0)
		require.Equal(s, []string{"old committed", "asleep dropped"}, s.outcomes(store.AuditFilter{}))
		require.True(s, s.audit(store.AuditFilter{})[1].Unsure, "from its record")

		s.clock.move(store.DefaultAuditRetention)
		passed(s, k, store.Deleted{})
		require.Len(s, s.audit(store.AuditFilter{}), 2)
		s.clock.move(time.Hour)
		passed(s, k, store.Deleted{Audit: 2})
		require.Empty(s, s.audit(store.AuditFilter{}))
	}},
	on("an end that no handler tells is kept as the record tells it", store.Options{}, func(s *stage) {
		s.Describe(func(ev port.Event, _ port.Run) port.Ended {
			e := ended(ev, port.EndAnswered)
			if ev.Delivery == "quote" {
				e.Command = ""
			}
			return e
		})
		s.submit(event("dead", 1))
		require.NoError(s, s.DeadLetter(s.Context(), s.claim("dead").Event, errors.New("no use")))
		s.submit(event("quote", 2), event("dropped", 2)) // the first one gives no command
		by := s.stopping(2)
		for range 2 {
			must(s.Cancel(s.Context(), by))(s)
		}
		require.Equal(s, []string{"dead failed", "dropped cancelled"}, s.outcomes(store.AuditFilter{}))
		require.Equal(s, "maria", s.audit(store.AuditFilter{})[1].By)
	}),
	on("the cost of each attempt is kept exactly, by model", store.Options{}, func(s *stage) {
		ev, run := s.begun(event("a", 1))
		price := port.Price{Input: 0.15, Cached: 0.0375, Output: 0.6}
		for i, c := range []struct {
			model string
			used  port.Usage
			price port.Price
		}{
			{"small", port.Usage{In: 1001, Cached: 2, Out: 3}, price}, {"large", port.Usage{In: 5, Out: 5}, port.Price{}},
			{"small", port.Usage{In: 1, Out: 1}, price},
		} {
			b := must(s.Reserve(s.Context(), port.Reservation{Event: ev, Run: run, Call: 1 + i/2, Tokens: 9000}))(s)
			used := port.ModelUse{Model: c.model}
			used.Add(c.used, c.price)
			require.NoError(s, s.Charge(s.Context(), ev, b, int64(c.used.In+c.used.Out), used))
		}
		_, err := s.Reserve(s.Context(), port.Reservation{Event: ev, Run: run, Call: 3, Tokens: 77})
		require.NoError(s, err, "the process dies during this call")
		e := ended(ev, port.EndAnswered)
		e.Permission = port.PermissionRead
		s.Ended(ev, e)
		require.NoError(s, s.Complete(s.Context(), ev))
		require.Equal(s, []port.ModelUse{
			{Model: "small", Calls: 2, In: 1002, Cached: 2, Out: 4, Nanos: 152_475},
			{Model: "large", Calls: 1, In: 5, Out: 5, Unpriced: true},
			{Calls: 1, Reserved: 77, Unpriced: true},
		}, s.audit(store.AuditFilter{})[0].Models)
	}),
}
