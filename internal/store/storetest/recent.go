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

// end lets the run of a new event end as change says.
func end(t *testing.T, s *store.Store, delivery string, change func(*port.Ended)) {
	t.Helper()
	submit(t, s, event(delivery, 1))
	ev := claim(t, s, delivery).Event
	e := ended(ev, port.EndAnswered)
	change(&e)
	s.Ended(ev, e)
	require.NoError(t, s.Complete(t.Context(), ev))
}

func recent(t *testing.T, s *store.Store, f store.RunFilter, most int) (deliveries []string, last int64) {
	t.Helper()
	list, err := s.Recent(t.Context(), f, most)
	require.NoError(t, err)
	for _, r := range list {
		deliveries, last = append(deliveries, r.Delivery), r.Seq
	}
	return deliveries, last
}

func recentIsListed(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("dead", 9))
	dead := claim(t, s, "dead").Event
	s.Ended(dead, ended(dead, port.EndFailed))
	require.NoError(t, s.DeadLetter(t.Context(), dead, errors.New("no use")))
	for i, change := range []func(*port.Ended){
		func(*port.Ended) {},
		func(e *port.Ended) { e.Owner, e.Repo = "acme", "lathe" },
		func(e *port.Ended) { e.Person = "Maria" },
		func(e *port.Ended) { e.Outcome = port.EndCommitted },
	} {
		clock.move(time.Hour)
		end(t, s, fmt.Sprint(i), change)
	}
	submit(t, s, event("dead", 9), event("writes", 8)) // the dead letter is revived
	again := claim(t, s, "dead").Event
	s.Ended(again, ended(again, port.EndUnchanged))
	require.NoError(t, s.Complete(t.Context(), again))
	writes := claim(t, s, "writes").Event
	require.NoError(t, s.Committing(t.Context(), writes, ended(writes, port.EndCommitting)))

	first, at := recent(t, s, store.RunFilter{}, 3)
	require.Equal(t, []string{"dead", "3", "2"}, first, "each run once, as it ended last, and none that goes on")
	next, _ := recent(t, s, store.RunFilter{Before: at}, 3)
	require.Equal(t, []string{"1", "0"}, next)
	for _, c := range []struct {
		filter store.RunFilter
		want   []string
	}{
		{store.RunFilter{Owner: "ACME"}, []string{"1"}},
		{store.RunFilter{Owner: "octo", Repo: "HELLO", Person: "MARIA"}, []string{"2"}},
		{store.RunFilter{Owner: "octo", Repo: "lathe"}, nil},
		{store.RunFilter{Outcome: port.EndCommitted}, []string{"3"}},
		{store.RunFilter{Outcome: port.EndFailed}, nil},
		{store.RunFilter{Since: clock.Now()}, []string{"dead", "3"}},
		{store.RunFilter{Person: "' OR ''='"}, nil},
	} {
		got, _ := recent(t, s, c.filter, 10)
		require.Equal(t, c.want, got, "%+v", c.filter)
	}
}

func recentIsRead(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	const runs = 3
	for i := range runs {
		clock.move(time.Hour)
		end(t, s, fmt.Sprint(i), func(*port.Ended) {})
	}
	var got []string
	require.NoError(t, s.EachRecent(t.Context(), store.RunFilter{Since: clock.Now().Add(-time.Hour)},
		func(e port.Ended) error { got = append(got, e.Delivery); return nil }))
	require.Equal(t, []string{"1", "2"}, got)
	enough := errors.New("enough")
	require.ErrorIs(t, s.EachRecent(t.Context(), store.RunFilter{}, func(port.Ended) error { return enough }), enough)
}

func recentRepositories(t *testing.T, open Open) {
	s := open(t, store.Options{})
	for i, name := range []string{"lathe", "vise", "Lathe", "plane"} {
		end(t, s, fmt.Sprint(i), func(e *port.Ended) { e.Owner, e.Repo, e.Repository = "acme", name, int64(i) })
	}
	end(t, s, "other", func(*port.Ended) {})
	list, err := s.RecentRepositories(t.Context(), store.RunFilter{Owner: "Acme"}, 2)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []string{"plane", "Lathe"}, []string{list[0].Repo, list[1].Repo})
	require.EqualValues(t, 2, list[1].Repository)
}

func pacesAreTold(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	write := func(installation int64) {
		_, err := s.Pace().Write(t.Context(), installation, port.OtherWrite, func(port.PaceState) time.Duration { return 0 })
		require.NoError(t, err)
	}
	write(7)
	clock.move(40 * time.Minute)
	write(7)
	write(8)
	require.NoError(t, s.Pace().Block(t.Context(), 8, time.Hour))
	clock.move(30 * time.Minute)
	all, err := s.Pace().All(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]store.InstallationPace{
		7: {Writes: 1},
		8: {Writes: 1, BlockedUntil: clock.Now().Add(30 * time.Minute)},
	}, all)
}
