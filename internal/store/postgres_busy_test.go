package store

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// changing begins a transaction that changes an event, as a cancel does with one event of a thread after another.
func changing(t *testing.T, s *Store, delivery string) *sql.Tx {
	t.Helper()
	tx, err := s.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	change(t, tx, delivery)
	return tx
}

func change(t *testing.T, tx *sql.Tx, delivery string) {
	t.Helper()
	const cancel = "UPDATE events SET cancelled_in = 'z', place_at = 0 WHERE delivery = $1"
	_, err := tx.ExecContext(t.Context(), cancel, delivery)
	require.NoError(t, err)
}

// waitsForEvent reports whether a transaction waits for an event that another one is changing.
func waitsForEvent(t *testing.T, s *Store) (waits bool) {
	t.Helper()
	require.NoError(t, s.db.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'advisory')`).Scan(&waits))
	return waits
}

// A claim has the second event of a thread and needs the first, while a cancel has the first and needs the second. The
// server would find out only when it looks for deadlocks, which it does for the cancel here.
func TestAClaimAndACancelDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	databaseURL := withSettings(t, Schema.URL(t), "idle_in_transaction_session_timeout", "0")
	s, claims := openURL(t, databaseURL), openURL(t, withSettings(t, databaseURL, "deadlock_timeout", "1h"))
	submitAll(t, s, commandIn(1, 1, "first"))
	placeAll(t, s)
	submitAll(t, s, commandIn(1, 1, "second"))
	cancel := changing(t, s, "first")
	type result struct {
		delivery string
		err      error
	}
	claimed := make(chan result, 1)
	go func() {
		for {
			c, ok, err := claims.claimNext(t.Context(), claimant{})
			if ok || err != nil {
				claimed <- result{c.Event.Delivery, err}
				return
			}
		}
	}()
	for !waitsForEvent(t, s) {
	}
	change(t, cancel, "second")
	require.NoError(t, cancel.Commit())
	require.Equal(t, result{"first", nil}, <-claimed)
	CheckPlaces(t, s)
}

// Something, such as a person with a shell, changes an event for a long time.
func TestAClaimFindsNothingWhileAnEventThatItNeedsIsBusy(t *testing.T) {
	t.Parallel()
	var failures []error
	s, err := Open(t.Context(), Options{
		DatabaseURL: withSettings(t, Schema.URL(t), "idle_in_transaction_session_timeout", "0"),
		Failed:      func(err error) { failures = append(failures, err) }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	submitAll(t, s, commandIn(1, 1, "first"))
	placeAll(t, s)
	submitAll(t, s, commandIn(1, 1, "second"))
	other := changing(t, s, "first")
	require.Nil(t, next(t, s))
	require.Empty(t, failures, "the database is well")
	require.NoError(t, other.Rollback())
	require.Equal(t, "first", nameOf(next(t, s)))
	CheckPlaces(t, s)
}

// Two events of a thread could be claimed in the view of a claim: an earlier one is ready again, and the one that was
// first is being cancelled.
func TestAClaimThatWaitedForACancelTakesTheFirstOfTheThread(t *testing.T) {
	t.Parallel()
	s := openURL(t, withSettings(t, Schema.URL(t), "idle_in_transaction_session_timeout", "0"))
	submitAll(t, s, commandIn(1, 1, "earlier"), commandIn(1, 1, "cancelled"))
	require.NoError(t, s.DeadLetter(t.Context(), *next(t, s), errors.New("no")))
	placeAll(t, s)
	submitAll(t, s, commandIn(1, 1, "earlier")) // a redelivery
	cancel := changing(t, s, "cancelled")
	_, err := cancel.ExecContext(t.Context(), "UPDATE events SET state = 'done' WHERE delivery = 'cancelled'")
	require.NoError(t, err)
	claimed := make(chan error)
	var c Claim
	go func() { // a claim that waits as long as it has to
		claimed <- s.write(t.Context(), "claiming", func(tx tx) (err error) {
			c, _, err = s.claimOrRefuse(t.Context(), tx, claimant{}, "token")
			return err
		})
	}()
	for !waitsForEvent(t, s) {
	}
	require.NoError(t, cancel.Commit())
	require.NoError(t, <-claimed)
	require.Equal(t, "earlier", c.Event.Delivery)
	CheckPlaces(t, s)
}
