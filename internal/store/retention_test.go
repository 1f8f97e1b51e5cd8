package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestBudgetsOfPeriodsLongPastLeaveNoRow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: folder(t), Now: func() time.Time { return now }, Lease: time.Hour})
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

func TestNothingIsKeptOfACommitThatIsFollowedNoMore(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: folder(t), Now: func() time.Time { return now }, Follow: 5 * time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, delivery := range []string{"looked at", "waiting"} {
		ev := testEvent(strings.ReplaceAll(delivery, " ", "-"))
		ev.Kind, ev.Followed = port.Following, &port.Followed{Commit: "c0ffee"}
		require.NoError(t, s.Follow(t.Context(), ev))
	}
	now = now.Add(time.Hour)
	c, ok, err := s.ClaimFollowing(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, s.Complete(t.Context(), c.Event))
	_, err = s.Reported(t.Context(), port.RepoRef{Installation: 1, ID: 2}, "another")
	require.NoError(t, err)
	k := &Keeper{Store: s}
	for _, want := range []struct {
		after            time.Duration
		watches, reports int
	}{
		{0, 2, 1}, // that of the followed commit is a row without a report
		{2 * time.Hour, 2, 0},
		{4 * time.Hour, 1, 0}, // the other event is not done
	} {
		now = now.Add(want.after)
		_, err := k.Pass(t.Context())
		require.NoError(t, err)
		var watches, reports int
		require.NoError(t, s.db.QueryRow("SELECT (SELECT count(*) FROM watches), (SELECT count(*) FROM reports)").
			Scan(&watches, &reports))
		require.Equal(t, []int{want.watches, want.reports}, []int{watches, reports}, "after %s", want.after)
	}
}

// What is kept may be gigabytes, and the search for what is too old runs each hour.
func TestTheSearchForOldEventsEndsAtTheYoungOnes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: folder(t), Now: func() time.Time { return now }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	const most = maxYoung * deleteBatch
	var all sync.WaitGroup
	for i := range most + 2 {
		all.Go(func() {
			if err := s.Submit(t.Context(), testEvent(fmt.Sprint("event-", i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	k := &Keeper{Store: s}
	k.setDefaults()
	for _, c := range []struct {
		old  int64   // what is older than the rest
		to   []int64 // up to what was deleted
		last int64
	}{
		{1, []int64{1}, 1},
		{most, []int64{most}, most}, // behind young ones that were redelivered
		{most + 1, nil, 0},
	} {
		_, err := s.db.Exec("UPDATE events SET accepted = CASE WHEN seq = ? THEN 0 ELSE 9e15 END", c.old)
		require.NoError(t, err)
		var to []int64
		sum, last, err := k.walk(t.Context(), time.Hour, 0, func(_ tx, _, up int64) (int64, error) {
			to = append(to, up)
			return 7, nil
		})
		require.NoError(t, err)
		require.Equal(t, c.to, to)
		require.Equal(t, c.last, last)
		require.EqualValues(t, 7*len(c.to), sum)
	}
}

func TestThePaceOfAnInstallationLeavesNoRow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	s, err := Open(t.Context(), Options{Dir: folder(t), Now: func() time.Time { return now }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	write := func(installation int64) {
		_, err := s.Pace().Write(t.Context(), installation, port.OtherWrite, func(port.PaceState) time.Duration { return 0 })
		require.NoError(t, err)
	}
	k := &Keeper{Store: s}
	left := func() (writes, paces int) {
		_, err := k.Pass(t.Context())
		require.NoError(t, err)
		err = s.db.QueryRow("SELECT (SELECT count(*) FROM writes), (SELECT count(*) FROM paces)").Scan(&writes, &paces)
		require.NoError(t, err)
		return writes, paces
	}
	write(1)
	now = now.Add(port.PaceMemory)
	write(2)
	writes, paces := left()
	require.Equal(t, []int{2, 2}, []int{writes, paces})
	now = now.Add(time.Hour)
	require.NoError(t, s.Uninstalled(t.Context(), 1))
	writes, paces = left()
	require.Equal(t, []int{1, 1}, []int{writes, paces})
}
