package store

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// queue is of what events wait: of how many installations and threads they are, and how long their texts are. Of
// commits that are followed all but dueCommits sleep.
type queue struct {
	waiting, installations, threads, text int
	lane                                  lane
}

// dueCommits is how many of the commits of a queue that are followed are due: fewer than a test claims.
const dueCommits = 5

// queuesOf returns the queues in which so many events can wait, by names.
func queuesOf(waiting, text int) map[string]queue {
	return map[string]queue{
		"one_thread":         {waiting, 1, 1, text, threadLane},
		"one_installation":   {waiting, 1, waiting, text, threadLane},
		"many_installations": {waiting, min(waiting, 10_000), waiting, text, threadLane},
		"followed_commits":   {waiting, 1, waiting, text, followingLane},
	}
}

// fill adds the events of a queue to one that has none. They have been placed when it returns.
func fill(t testing.TB, s *Store, q queue) {
	t.Helper()
	const add = `
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < %d)
INSERT INTO events (delivery, thread, installation, version, body, state, attempts, not_before, lease_token,
	lease_until, error, accepted, changed, place_at, aside)
SELECT 'waiting-' || i, '7#' || (i %% %[3]d), i %% %[2]d + 1, 6,
	'{"delivery":"waiting-' || i || '","repo":{"installation":' || (i %% %[2]d + 1)
		|| ',"id":7},"thread":{"number":' || (i %% %[3]d) || '},"comment":{"body":"%[4]s"}}',
	'ready', 0, CASE WHEN %[5]d = %[6]d AND i >= %[7]d THEN 9000000000000 ELSE 0 END, '', 0, '', 1, 1, 0, %[5]d
FROM numbers`
	_, err := s.db.ExecContext(t.Context(),
		fmt.Sprintf(add, q.waiting, q.installations, q.threads, strings.Repeat("x", q.text), q.lane, followingLane,
			dueCommits))
	require.NoError(t, err)
	placeAll(t, s)
}

// next claims an event, which is nil if there is none to claim.
func next(t testing.TB, s *Store) *port.Event {
	t.Helper()
	return nextOf(t, s, threadLane)
}

// nextOf is next for a lane.
func nextOf(t testing.TB, s *Store, l lane) *port.Event {
	t.Helper()
	c, ok, err := s.claimNext(t.Context(), claimant{lane: l})
	require.NoError(t, err)
	if !ok {
		return nil
	}
	return &c.Event
}

// smallPages is an SQLite database of small pages, so that few rows fill one.
func smallPages(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, databaseFile))
	require.NoError(t, err)
	_, err = db.Exec(fmt.Sprintf("PRAGMA page_size = 512; PRAGMA application_id = %d; VACUUM", applicationID))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return Options{Dir: dir}
}

// pages returns how many pages an SQLite database has looked at.
func pages(t *testing.T, s *Store) (n int) {
	t.Helper()
	conn, err := s.db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, conn.Raw(func(c any) error {
		status := c.(*keepingConn).sqliteConn.(sqlite.DBStatus)
		for _, op := range []sqlite.DBStatusOp{sqlite.DBStatusCacheHit, sqlite.DBStatusCacheMiss} {
			of, _, err := status.Status(op, false)
			if err != nil {
				return err
			}
			n += of
		}
		return nil
	}))
	require.NoError(t, conn.Close())
	return n
}

func TestAClaimInSQLiteLooksAtNoMoreWhenMoreWait(t *testing.T) {
	t.Parallel()
	work := func(t *testing.T, q queue) int {
		s, err := Open(t.Context(), smallPages(t))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		fill(t, s, q)
		before := pages(t, s)
		for range 10 {
			one, other := nextOf(t, s, q.lane), nextOf(t, s, q.lane)
			_, _, err := s.claimNext(t.Context(), claimant{lane: q.lane, newcomers: true})
			require.NoError(t, err)
			for _, ev := range []*port.Event{one, other} {
				if ev != nil {
					require.NoError(t, s.Complete(t.Context(), *ev))
				}
			}
		}
		return pages(t, s) - before
	}
	few, many := queuesOf(100, 10), queuesOf(5000, 10)
	for name := range few {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := work(t, few[name]), work(t, many[name])
			require.Less(t, other, 2*one, "a tree of more pages is deeper")
		})
	}
}

// The work is counted in the rows and the entries of indexes that the server has looked at.
func TestAClaimInPostgreSQLLooksAtFewOfThoseThatWait(t *testing.T) {
	t.Parallel()
	const waiting = 3000
	for name, q := range queuesOf(waiting, 10) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openURL(t, pgtest.URL(t))
			fill(t, s, q)
			// Transactions in other databases may keep the server from passing by dead entries of the indexes.
			_, err := s.db.ExecContext(t.Context(), "VACUUM ANALYZE")
			require.NoError(t, err)
			for range 5 {
				var leased []port.Event
				for range 2 {
					require.NoError(t, s.database.claim(t.Context(), func(tx tx) error {
						before := rowsRead(t, tx)
						c, _, err := s.claimOrRefuse(t.Context(), tx, claimant{lane: q.lane}, rand.Text())
						require.Less(t, rowsRead(t, tx)-before, waiting/10)
						if c.Event.Lease != "" {
							leased = append(leased, c.Event)
						}
						return err
					}))
				}
				for _, ev := range leased {
					require.NoError(t, s.Complete(t.Context(), ev))
				}
			}
		})
	}
}

// rowsRead returns how many rows, and entries of indexes, a transaction and those before it have looked at.
func rowsRead(t *testing.T, tx tx) (n int) {
	t.Helper()
	require.NoError(t, tx.QueryRow(`
		SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))
		FROM pg_class WHERE relnamespace = 'public'::regnamespace`).Scan(&n))
	return n
}
