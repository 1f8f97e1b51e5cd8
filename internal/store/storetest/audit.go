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

// ended is what a handler says that the run of an event came to.
func ended(ev port.Event, outcome port.EndOutcome) port.Ended {
	return port.Ended{Run: port.RunID(ev.Delivery), Delivery: ev.Delivery, Owner: "Octo", Repo: "Hello", Thread: 1,
		Person: "Ada", PersonID: 3, Installation: ev.Repo.Installation, Permission: port.PermissionWrite, Command: "fix",
		Outcome: outcome}
}

// audit returns what is in the audit that fits a filter.
func audit(t *testing.T, s *store.Store, f store.AuditFilter) (all []port.Ended) {
	t.Helper()
	require.NoError(t, s.Audit(t.Context(), f, func(e port.Ended) error { all = append(all, e); return nil }))
	return all
}

// outcomes are those of what is in the audit, by delivery and in order.
func outcomes(t *testing.T, s *store.Store, f store.AuditFilter) (all []string) {
	t.Helper()
	for _, e := range audit(t, s, f) {
		all = append(all, e.Delivery+" "+string(e.Outcome))
	}
	return all
}

func endIsKeptOnce(t *testing.T, open Open) {
	clock := newClock()
	var told []port.Ended
	s := open(t, store.Options{Now: clock.Now, Ended: func(e port.Ended) { told = append(told, e) }})
	submit(t, s, event("a", 1))
	first := claim(t, s, "a").Event
	s.Ended(first, ended(first, port.EndFailed))
	require.NoError(t, s.Retry(t.Context(), first, errors.New("again"), 0))
	require.Empty(t, audit(t, s, store.AuditFilter{}), "the event has not ended")

	second := claim(t, s, "a").Event
	s.Ended(first, ended(first, port.EndRefused))
	want := ended(second, port.EndCommitted)
	want.Commits = []port.MadeCommit{{Branch: "speed", SHA: "c0ffee", Files: 1, Paths: []string{"a\u0000\x1b.go"}}}
	s.Ended(second, want)
	require.ErrorIs(t, s.Complete(t.Context(), first), port.ErrLeaseLost)
	require.Empty(t, told)
	clock.move(time.Minute)
	require.NoError(t, s.Complete(t.Context(), second))
	require.ErrorIs(t, s.Complete(t.Context(), second), port.ErrLeaseLost)
	want.At = clock.Now()
	require.Equal(t, []port.Ended{want}, audit(t, s, store.AuditFilter{}))
	require.Equal(t, []port.Ended{want}, told)

	submit(t, s, event("b", 1))
	none := claim(t, s, "b").Event
	require.NoError(t, s.Complete(t.Context(), none))
	require.Len(t, audit(t, s, store.AuditFilter{}), 1, "it gave no command")
}

func commitIsAnnounced(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	ev := claim(t, s, "a").Event
	for range 2 {
		require.NoError(t, s.Committing(t.Context(), ev, ended(ev, port.EndCommitting)))
	}
	require.Equal(t, []string{"a committing"}, outcomes(t, s, store.AuditFilter{}), "the process may die here")
	unknown := ended(ev, port.EndFailed)
	unknown.Permission = ""
	other := ev
	other.Lease = "of another worker"
	require.ErrorIs(t, s.Committing(t.Context(), other, ended(ev, port.EndCommitting)), port.ErrLeaseLost)
	s.Ended(ev, unknown)
	require.NoError(t, s.DeadLetter(t.Context(), ev, errors.New("no use")))
	require.Equal(t, []string{"a failed"}, outcomes(t, s, store.AuditFilter{}))
	require.Equal(t, port.PermissionWrite, audit(t, s, store.AuditFilter{})[0].Permission, "as it was then")
}

func deadLetterEndsAgain(t *testing.T, open Open) {
	s := open(t, store.Options{})
	submit(t, s, event("a", 1))
	for _, end := range []func(port.Event) error{
		func(ev port.Event) error { return s.DeadLetter(t.Context(), ev, errors.New("no use")) },
		func(ev port.Event) error { return s.Complete(t.Context(), ev) },
	} {
		ev := claim(t, s, "a").Event
		outcome := port.EndCommitted
		if len(audit(t, s, store.AuditFilter{})) == 0 {
			outcome = port.EndFailed
		}
		s.Ended(ev, ended(ev, outcome))
		require.NoError(t, end(ev))
		submit(t, s, event("a", 1)) // which revives a dead letter
	}
	require.Equal(t, []string{"a failed", "a committed"}, outcomes(t, s, store.AuditFilter{}))
	require.Equal(t, []string{"a committed"}, outcomes(t, s, store.AuditFilter{Latest: true}))
}

func auditIsFiltered(t *testing.T, open Open) {
	clock := newClock()
	began := clock.Now()
	s := open(t, store.Options{Now: clock.Now})
	for i, change := range []func(*port.Ended){
		func(*port.Ended) {},
		func(e *port.Ended) { e.Owner, e.Repo = "acme", "lathe" },
		func(e *port.Ended) { e.Person = "maria" },
		func(e *port.Ended) { e.Command, e.Outcome = "undo", port.EndCommitted },
	} {
		submit(t, s, event(fmt.Sprint(i), i+1))
		ev := claim(t, s, fmt.Sprint(i)).Event
		e := ended(ev, port.EndAnswered)
		change(&e)
		s.Ended(ev, e)
		require.NoError(t, s.Complete(t.Context(), ev))
		clock.move(time.Hour)
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
		for _, e := range audit(t, s, c.filter) {
			got = append(got, e.Delivery)
		}
		require.Equal(t, c.want, got, "%+v", c.filter)
	}
	failed := errors.New("the pipe is closed")
	require.ErrorIs(t, s.Audit(t.Context(), store.AuditFilter{}, func(port.Ended) error { return failed }), failed)
}

func strangersFillNoAudit(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	n := 0
	refuse := func(person int64, permission port.Permission) {
		n++
		submit(t, s, event(fmt.Sprint(n), n))
		ev := claim(t, s, fmt.Sprint(n)).Event
		e := ended(ev, port.EndRefused)
		e.PersonID, e.Permission = person, permission
		s.Ended(ev, e)
		require.NoError(t, s.Complete(t.Context(), ev))
	}
	for range 22 {
		refuse(7, port.PermissionRead)
	}
	require.Len(t, audit(t, s, store.AuditFilter{}), 20)
	refuse(8, port.PermissionNone)
	refuse(7, port.PermissionWrite)
	require.Len(t, audit(t, s, store.AuditFilter{}), 22, "neither another person nor one who may write is left out")
	left, err := s.Unlisted(t.Context(), store.AuditFilter{})
	require.NoError(t, err)
	require.Equal(t, []store.Unlisted{{Day: "2026-02-03", Installation: 1, Count: 2}}, left)
	left, err = s.Unlisted(t.Context(), store.AuditFilter{Since: clock.Now().Add(day)})
	require.NoError(t, err)
	require.Empty(t, left)
	clock.move(day)
	refuse(7, port.PermissionRead)
	require.Len(t, audit(t, s, store.AuditFilter{}), 23, "on the next day")
}

func auditOutlivesTheRest(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now, Lease: 10000 * day})
	s.Describe(func(ev port.Event, run port.Run) port.Ended {
		e := ended(ev, port.EndAnswered)
		e.Unsure = len(run.Steps) > 0
		return e
	})
	old := recordedEvent(t, s, event("old", 1))
	s.Ended(old, ended(old, port.EndCommitted))
	require.NoError(t, s.Complete(t.Context(), old))
	asleep := recordedEvent(t, s, event("asleep", 2))
	require.NoError(t, s.Retry(t.Context(), asleep, errors.New("later"), time.Hour))
	submit(t, s, event("waiting", 3))
	require.NoError(t, s.Uninstalled(t.Context(), 1))
	k := keeper(s)
	pass(t, k, 3, 0)
	require.Equal(t, []string{"old committed", "asleep dropped"}, outcomes(t, s, store.AuditFilter{}))
	require.True(t, audit(t, s, store.AuditFilter{})[1].Unsure, "from its record")

	clock.move(store.DefaultAuditRetention)
	passed(t, k, store.Deleted{})
	require.Len(t, audit(t, s, store.AuditFilter{}), 2)
	clock.move(time.Hour)
	passed(t, k, store.Deleted{Audit: 2})
	require.Empty(t, audit(t, s, store.AuditFilter{}))
}

func whatNobodySays(t *testing.T, open Open) {
	s := open(t, store.Options{})
	s.Describe(func(ev port.Event, _ port.Run) port.Ended {
		e := ended(ev, port.EndAnswered)
		if ev.Delivery == "quote" {
			e.Command = ""
		}
		return e
	})
	submit(t, s, event("dead", 1))
	require.NoError(t, s.DeadLetter(t.Context(), claim(t, s, "dead").Event, errors.New("no use")))
	submit(t, s, event("quote", 2), event("dropped", 2)) // the first one gives no command
	by := stopping(t, s, 2)
	for range 2 {
		_, err := s.Cancel(t.Context(), by)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"dead failed", "dropped cancelled"}, outcomes(t, s, store.AuditFilter{}))
	require.Equal(t, "maria", audit(t, s, store.AuditFilter{})[1].By)
}

func costIsExact(t *testing.T, open Open) {
	s := open(t, store.Options{})
	ev, run := begun(t, s, event("a", 1))
	price := port.Price{Input: 0.15, Cached: 0.0375, Output: 0.6}
	for i, c := range []struct {
		model string
		used  port.Usage
		price port.Price
	}{
		{"small", port.Usage{In: 1001, Cached: 2, Out: 3}, price}, {"large", port.Usage{In: 5, Out: 5}, port.Price{}},
		{"small", port.Usage{In: 1, Out: 1}, price},
	} {
		b, err := s.Reserve(t.Context(), port.Reservation{Event: ev, Run: run, Call: 1 + i/2, Tokens: 9000})
		require.NoError(t, err)
		used := port.ModelUse{Model: c.model}
		used.Add(c.used, c.price)
		require.NoError(t, s.Charge(t.Context(), ev, b, int64(c.used.In+c.used.Out), used))
	}
	_, err := s.Reserve(t.Context(), port.Reservation{Event: ev, Run: run, Call: 3, Tokens: 77})
	require.NoError(t, err, "the process dies during this call")
	e := ended(ev, port.EndAnswered)
	e.Permission = port.PermissionRead
	s.Ended(ev, e)
	require.NoError(t, s.Complete(t.Context(), ev))
	require.Equal(t, []port.ModelUse{
		{Model: "small", Calls: 2, In: 1002, Cached: 2, Out: 4, Nanos: 152_475},
		{Model: "large", Calls: 1, In: 5, Out: 5, Unpriced: true},
		{Calls: 1, Reserved: 77, Unpriced: true},
	}, audit(t, s, store.AuditFilter{})[0].Models)
}
