package store_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// sweep begins a search for missing deliveries, which the story expects to be possible.
func (s *stage) sweep(atOnce bool, why ...any) port.Sweep {
	sweep, ok, err := s.BeginSweep(s.Context(), atOnce)
	require.NoError(s, err)
	require.True(s, ok, why...)
	return sweep
}

// noSweep requires that no search can begin.
func (s *stage) noSweep(atOnce bool, why ...any) {
	_, ok, err := s.BeginSweep(s.Context(), atOnce)
	require.NoError(s, err)
	require.False(s, ok, why...)
}

var sweepStories = []story{
	on("missing deliveries are looked for by one process", store.Options{}, func(s *stage) {
		first := s.sweep(false, "none was done yet")
		require.Zero(s, first.Seen)
		for _, atOnce := range []bool{false, true} {
			s.noSweep(atOnce, "another process does it")
		}
		seen := s.clock.Now().Add(-time.Minute)
		require.NoError(s, s.EndSweep(s.Context(), first, seen, time.Hour))
		require.ErrorIs(s, s.EndSweep(s.Context(), first, seen, time.Hour), port.ErrLeaseLost)

		s.clock.move(59 * time.Minute)
		s.noSweep(false, "it is not due")
		atStart := s.sweep(true)
		require.Equal(s, seen.UnixMilli(), atStart.Seen.UnixMilli())
		require.NoError(s, s.EndSweep(s.Context(), atStart, seen.Add(-time.Hour), time.Minute))
		s.clock.move(time.Minute)
		due := s.sweep(false)
		require.Equal(s, seen.UnixMilli(), due.Seen.UnixMilli(), "what was seen is not forgotten")
	}),
	on("a search that died is taken over", store.Options{}, func(s *stage) {
		dead := s.sweep(true)
		s.clock.move(2 * time.Minute)
		require.NoError(s, s.RecordAsked(s.Context(), dead, "a"), "a sign of life")
		s.clock.move(2 * time.Minute)
		s.noSweep(false)
		s.clock.move(time.Minute)
		next := s.sweep(false, "also when none is due: that one did not end")
		require.ErrorIs(s, errorOf(s.Missing(s.Context(), dead, []string{"a"})), port.ErrLeaseLost)
		require.ErrorIs(s, s.RecordAsked(s.Context(), dead, "a"), port.ErrLeaseLost)
		require.ErrorIs(s, s.EndSweep(s.Context(), dead, time.Time{}, 0), port.ErrLeaseLost)
		require.NoError(s, s.EndSweep(s.Context(), next, time.Time{}, 0))
	}),
	on("deliveries that were not accepted are missing", store.Options{}, func(s *stage) {
		s.submit(event("waiting", 1), event("done", 2))
		require.NoError(s, s.Complete(s.Context(), s.claim("waiting").Event))
		sweep := s.sweep(true)
		missing := must(s.Missing(s.Context(), sweep, []string{"b", "waiting", "a", "done"}))(s)
		require.Equal(s, []port.Missing{{Delivery: "b"}, {Delivery: "a"}}, missing)

		require.NoError(s, s.RecordAsked(s.Context(), sweep, "a"))
		s.clock.move(time.Minute)
		require.NoError(s, s.RecordAsked(s.Context(), sweep, "a"))
		s.clock.move(time.Second)
		missing = must(s.Missing(s.Context(), sweep, []string{"a"}))(s)
		require.Equal(s, []port.Missing{{Delivery: "a", Asked: true, First: 61 * time.Second, Last: time.Second}}, missing)

		require.NoError(s, s.EndSweep(s.Context(), sweep, time.Time{}, 0))
		s.clock.move(32 * 24 * time.Hour)
		sweep = s.sweep(true)
		require.NoError(s, s.EndSweep(s.Context(), sweep, time.Time{}, 0))
		sweep = s.sweep(true)
		missing = must(s.Missing(s.Context(), sweep, []string{"a"}))(s)
		require.Equal(s, []port.Missing{{Delivery: "a"}}, missing, "long ago is forgotten")
	}),
}
