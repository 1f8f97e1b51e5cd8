package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func sweepIsOne(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	first, ok, err := s.BeginSweep(t.Context(), false)
	require.NoError(t, err)
	require.True(t, ok, "none was done yet")
	require.Zero(t, first.Seen)
	for _, atOnce := range []bool{false, true} {
		_, ok, err = s.BeginSweep(t.Context(), atOnce)
		require.NoError(t, err)
		require.False(t, ok, "another process does it")
	}
	seen := clock.Now().Add(-time.Minute)
	require.NoError(t, s.EndSweep(t.Context(), first, seen, time.Hour))
	require.ErrorIs(t, s.EndSweep(t.Context(), first, seen, time.Hour), port.ErrLeaseLost)

	clock.move(59 * time.Minute)
	_, ok, err = s.BeginSweep(t.Context(), false)
	require.NoError(t, err)
	require.False(t, ok, "it is not due")
	atStart, ok, err := s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, seen.UnixMilli(), atStart.Seen.UnixMilli())
	require.NoError(t, s.EndSweep(t.Context(), atStart, seen.Add(-time.Hour), time.Minute))
	clock.move(time.Minute)
	due, ok, err := s.BeginSweep(t.Context(), false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, seen.UnixMilli(), due.Seen.UnixMilli(), "what was seen is not forgotten")
}

func sweepIsTakenOver(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	dead, ok, err := s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
	clock.move(2 * time.Minute)
	require.NoError(t, s.RecordAsked(t.Context(), dead, "a"), "a sign of life")
	clock.move(2 * time.Minute)
	_, ok, err = s.BeginSweep(t.Context(), false)
	require.NoError(t, err)
	require.False(t, ok)
	clock.move(time.Minute)
	next, ok, err := s.BeginSweep(t.Context(), false)
	require.NoError(t, err)
	require.True(t, ok, "also when none is due: that one did not end")
	_, err = s.Missing(t.Context(), dead, []string{"a"})
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.ErrorIs(t, s.RecordAsked(t.Context(), dead, "a"), port.ErrLeaseLost)
	require.ErrorIs(t, s.EndSweep(t.Context(), dead, time.Time{}, 0), port.ErrLeaseLost)
	require.NoError(t, s.EndSweep(t.Context(), next, time.Time{}, 0))
}

func missingDeliveries(t *testing.T, open Open) {
	clock := newClock()
	s := open(t, store.Options{Now: clock.Now})
	submit(t, s, event("waiting", 1), event("done", 2))
	require.NoError(t, s.Complete(t.Context(), claim(t, s, "waiting").Event))
	sweep, ok, err := s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.True(t, ok)
	missing, err := s.Missing(t.Context(), sweep, []string{"b", "waiting", "a", "done"})
	require.NoError(t, err)
	require.Equal(t, []port.Missing{{Delivery: "b"}, {Delivery: "a"}}, missing)

	require.NoError(t, s.RecordAsked(t.Context(), sweep, "a"))
	clock.move(time.Minute)
	require.NoError(t, s.RecordAsked(t.Context(), sweep, "a"))
	clock.move(time.Second)
	missing, err = s.Missing(t.Context(), sweep, []string{"a"})
	require.NoError(t, err)
	require.Equal(t, []port.Missing{{Delivery: "a", Asked: true, First: 61 * time.Second, Last: time.Second}}, missing)

	require.NoError(t, s.EndSweep(t.Context(), sweep, time.Time{}, 0))
	clock.move(32 * 24 * time.Hour)
	sweep, _, err = s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	require.NoError(t, s.EndSweep(t.Context(), sweep, time.Time{}, 0))
	sweep, _, err = s.BeginSweep(t.Context(), true)
	require.NoError(t, err)
	missing, err = s.Missing(t.Context(), sweep, []string{"a"})
	require.NoError(t, err)
	require.Equal(t, []port.Missing{{Delivery: "a"}}, missing, "long ago is forgotten")
}
