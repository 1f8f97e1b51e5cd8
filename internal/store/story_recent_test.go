package store_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// end lets the run of a new event end as change says.
func (s *stage) end(delivery string, change func(*port.Ended)) {
	s.submit(event(delivery, 1))
	ev := s.claim(delivery).Event
	e := ended(ev, port.EndAnswered)
	change(&e)
	s.Ended(ev, e)
	require.NoError(s, s.Complete(s.Context(), ev))
}

func (s *stage) recent(f store.RunFilter, most int) (deliveries []string, last int64) {
	for _, r := range must(s.Recent(s.Context(), f, most))(s) {
		deliveries, last = append(deliveries, r.Delivery), r.Seq
	}
	return deliveries, last
}

var recentStories = []story{
	on("the runs that ended are listed, newest first", store.Options{}, func(s *stage) {
		s.submit(event("dead", 9))
		dead := s.claim("dead").Event
		s.Ended(dead, ended(dead, port.EndFailed))
		require.NoError(s, s.DeadLetter(s.Context(), dead, errors.New("no use")))
		for i, change := range []func(*port.Ended){
			func(*port.Ended) {},
			func(e *port.Ended) { e.Owner, e.Repo = "acme", "lathe" },
			func(e *port.Ended) { e.Person = "Maria" },
			func(e *port.Ended) { e.Outcome = port.EndCommitted },
		} {
			s.clock.move(time.Hour)
			s.end(fmt.Sprint(i), change)
		}
		s.submit(event("dead", 9), event("writes", 8)) // the dead letter is revived
		again := s.claim("dead").Event
		s.Ended(again, ended(again, port.EndUnchanged))
		require.NoError(s, s.Complete(s.Context(), again))
		writes := s.claim("writes").Event
		require.NoError(s, s.Committing(s.Context(), writes, ended(writes, port.EndCommitting)))

		first, at := s.recent(store.RunFilter{}, 3)
		require.Equal(s, []string{"dead", "3", "2"}, first, "each run once, as it ended last, and none that goes on")
		next, _ := s.recent(store.RunFilter{Before: at}, 3)
		require.Equal(s, []string{"1", "0"}, next)
		for _, c := range []struct {
			filter store.RunFilter
			want   []string
		}{
			{store.RunFilter{Owner: "ACME"}, []string{"1"}},
			{store.RunFilter{Owner: "octo", Repo: "HELLO", Person: "MARIA"}, []string{"2"}},
			{store.RunFilter{Owner: "octo", Repo: "lathe"}, nil},
			{store.RunFilter{Outcome: port.EndCommitted}, []string{"3"}},
			{store.RunFilter{Outcome: port.EndFailed}, nil},
			{store.RunFilter{Since: s.clock.Now()}, []string{"dead", "3"}},
			{store.RunFilter{Person: "' OR ''='"}, nil},
		} {
			got, _ := s.recent(c.filter, 10)
			require.Equal(s, c.want, got, "%+v", c.filter)
		}
	}),
	on("the runs that ended are read in order, however many there are", store.Options{}, func(s *stage) {
		const runs = 3
		for i := range runs {
			s.clock.move(time.Hour)
			s.end(fmt.Sprint(i), func(*port.Ended) {})
		}
		var got []string
		require.NoError(s, s.EachRecent(s.Context(), store.RunFilter{Since: s.clock.Now().Add(-time.Hour)},
			func(e port.Ended) error { got = append(got, e.Delivery); return nil }))
		require.Equal(s, []string{"1", "2"}, got)
		enough := errors.New("enough")
		require.ErrorIs(s, s.EachRecent(s.Context(), store.RunFilter{}, func(port.Ended) error { return enough }), enough)
	}),
	on("the repositories with the newest runs are listed", store.Options{}, func(s *stage) {
		for i, name := range []string{"lathe", "vise", "Lathe", "plane"} {
			s.end(fmt.Sprint(i), func(e *port.Ended) { e.Owner, e.Repo, e.Repository = "acme", name, int64(i) })
		}
		s.end("other", func(*port.Ended) {})
		list := must(s.RecentRepositories(s.Context(), store.RunFilter{Owner: "Acme"}, 2))(s)
		require.Len(s, list, 2)
		require.Equal(s, []string{"plane", "Lathe"}, []string{list[0].Repo, list[1].Repo})
		require.EqualValues(s, 2, list[1].Repository)
	}),
	on("what GitHub allows is told of each installation", store.Options{}, func(s *stage) {
		write := func(installation int64) {
			must(s.Pace().Write(s.Context(), installation, port.OtherWrite, func(port.PaceState) time.Duration { return 0 }))(s)
		}
		write(7)
		s.clock.move(40 * time.Minute)
		write(7)
		write(8)
		require.NoError(s, s.Pace().Block(s.Context(), 8, time.Hour))
		s.clock.move(30 * time.Minute)
		all := must(s.Pace().All(s.Context()))(s)
		require.Equal(s, map[int64]store.InstallationPace{
			7: {Writes: 1},
			8: {Writes: 1, BlockedUntil: s.clock.Now().Add(30 * time.Minute)},
		}, all)
	}),
}
