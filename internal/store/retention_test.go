package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestBudgetsOfPeriodsLongPastLeaveNoRow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: t.TempDir(), Now: func() time.Time { return now }, Lease: time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	c, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	run, err := s.Start(t.Context(), c.Event)
	require.NoError(t, err)
	_, err = s.Reserve(t.Context(), port.Reservation{Event: c.Event, Run: run.ID, Call: 1, Tokens: 5})
	require.NoError(t, err)
	k := &Keeper{Store: s, Events: 30 * 24 * time.Hour}
	for _, want := range []struct {
		at   time.Time
		rows int
	}{
		{time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC), 4}, // 30 days later
		{time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC), 1}, // the day's are gone
		{time.Date(2026, 3, 30, 0, 0, 0, 0, time.UTC), 1},
		{time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC), 0}, // and the month's
	} {
		now = want.at
		_, err := k.Pass(t.Context())
		require.NoError(t, err)
		var rows int
		require.NoError(t, s.db.QueryRow("SELECT count(*) FROM budgets").Scan(&rows))
		require.Equal(t, want.rows, rows, want.at)
	}
}
