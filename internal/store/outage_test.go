package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// once fails the first time, and notes what is called.
type once struct {
	err     error
	attempt int // the last one; 0 before the first
	dead    bool
	done    func()
}

func (h *once) Handle(_ context.Context, ev port.Event) error {
	first := h.attempt == 0
	h.attempt = ev.Attempt
	if first {
		return fmt.Errorf("recording step open: %w", h.err)
	}
	h.done()
	return nil
}

func (h *once) DeadLetter(context.Context, port.Event, error) error {
	h.dead = true
	h.done()
	return nil
}

// A disk that is full, and whatever else a database cannot do now, uses up no attempt.
func TestAFullDiskIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err     error
		attempt int // the second time
	}{
		"SQLite":                      {fullSQLite(t), 1},
		"PostgreSQL":                  {&pgconn.PgError{Code: "53100"}, 1},
		"an error of the statement":   {&pgconn.PgError{Code: "42601"}, 2},
		"an error of SQLite's syntax": {wrongSQLite(t), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := openSQLite(t, store.Options{})
				require.NoError(t, s.Submit(t.Context(), port.Event{Delivery: "a", Kind: port.IssueComment}))
				ctx, cancel := context.WithCancel(t.Context())
				h := &once{err: c.err, done: cancel}
				require.NoError(t, (&store.Workers{Store: s, Handler: h}).Run(ctx))
				require.Equal(t, c.attempt, h.attempt)
				require.False(t, h.dead)
			})
		})
	}
}

func scratch(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db"))
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// fullSQLite returns the error of a database that has no room left.
func fullSQLite(t *testing.T) error {
	t.Helper()
	db := scratch(t)
	_, err := db.ExecContext(t.Context(), "CREATE TABLE t (x TEXT); PRAGMA max_page_count = 3")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO t VALUES ($1)", strings.Repeat("x", 1<<20))
	require.ErrorContains(t, err, "full")
	return err
}

func wrongSQLite(t *testing.T) error {
	t.Helper()
	_, err := scratch(t).ExecContext(t.Context(), "SELEKT")
	require.Error(t, err)
	return err
}
