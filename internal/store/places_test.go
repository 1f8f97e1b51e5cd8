package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// knownEvent is what is known of an event about its place.
type knownEvent struct {
	turn
	seq, notBefore, leaseUntil, deaths int64
	thread, state                      string
	held, claimable                    bool
	placeAt                            sql.NullInt64
}

// knownTurn is what claims choose an installation by.
type knownTurn struct{ leased, first, fresh int64 }

// CheckPlaces places what is to be placed, and requires that claims then choose by what a look at all events says.
func CheckPlaces(t *testing.T, s *Store) {
	t.Helper()
	if s.db.PingContext(context.Background()) != nil {
		return // the test closed it
	}
	now := placeAll(t, s)
	var events []knownEvent
	queryAll(t, s, func(rows *sql.Rows) error {
		var e knownEvent
		err := rows.Scan(&e.seq, &e.installation, &e.lane, &e.thread, &e.state, &e.notBefore, &e.leaseUntil, &e.deaths,
			&e.held, &e.claimable, &e.placeAt)
		events = append(events, e)
		return err
	}, `SELECT seq, installation, aside, thread, state, not_before, lease_until, deaths, held, claimable IS NOT NULL,
		place_at FROM events ORDER BY seq`)
	firsts := map[string]int64{} // of the threads' queues
	for _, e := range events {
		if e.lane == threadLane && (e.state == stateLeased || e.state == stateReady && firsts[e.thread] == 0 &&
			(!e.held || e.notBefore <= now)) {
			firsts[e.thread] = e.seq
		}
	}
	turns := map[turn]knownTurn{}
	for _, e := range sortedByLane(events) {
		due := e.state == stateReady && e.notBefore <= now
		claimable := due && (e.lane != threadLane || firsts[e.thread] == e.seq)
		require.Equal(t, claimable, e.claimable, "%+v", e)
		require.False(t, due && e.held, "%+v", e)
		switch {
		case e.state == stateLeased:
			require.LessOrEqual(t, e.placeAt.Int64, e.leaseUntil+1, "%+v", e)
			require.Greater(t, e.placeAt.Int64, now, "%+v", e)
		case e.state == stateReady && !due:
			require.Equal(t, e.notBefore, e.placeAt.Int64, "%+v", e)
		default:
			require.False(t, e.placeAt.Valid, "%+v", e)
		}
		of := turns[e.turn]
		if e.state == stateLeased {
			of.leased++
		}
		if claimable && of.first == 0 {
			of.first = e.seq
			of.fresh = map[bool]int64{true: -1}[e.deaths > 0 && e.deaths < suspectDeaths] // 0 is the usual here
		}
		turns[e.turn] = of
	}
	queryAll(t, s, func(rows *sql.Rows) error {
		var of turn
		var has knownTurn
		err := rows.Scan(&of.installation, &of.lane, &has.leased, &has.first, &has.fresh)
		has.fresh--
		if has.first == 0 {
			has.leased = turns[of].leased // it says nothing where nothing can be claimed
		}
		require.Equal(t, turns[of], has, "%+v", of)
		delete(turns, of)
		return err
	}, "SELECT installation, aside, leased, first, fresh FROM turns")
	for of, has := range turns {
		require.Zero(t, has.first, "%+v", of)
	}
}

// placeAll places what is to be placed, and returns the time.
func placeAll(t testing.TB, s *Store) (now int64) {
	t.Helper()
	ctx := context.Background() // that of a test ends before its cleanups
	for more := true; more; {
		require.NoError(t, s.database.claim(ctx, func(tx tx) (err error) {
			now = tx.after(0)
			more, err = s.place(ctx, tx, claimant{})
			return err
		}))
	}
	return now
}

// sortedByLane sorts events by the order in which those of a lane are claimed.
func sortedByLane(events []knownEvent) []knownEvent {
	return slices.SortedStableFunc(slices.Values(events), func(a, b knownEvent) int {
		if a.lane == followingLane && b.lane == followingLane {
			return cmp.Compare(a.notBefore, b.notBefore)
		}
		return cmp.Compare(a.lane, b.lane)
	})
}

func queryAll(t *testing.T, s *Store, scan func(*sql.Rows) error, query string) {
	t.Helper()
	rows, err := s.db.QueryContext(context.Background(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		require.NoError(t, scan(rows))
	}
	require.NoError(t, rows.Err())
}
