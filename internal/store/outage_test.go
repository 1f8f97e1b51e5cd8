package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// once fails the first time, and notes what is called.
type once struct {
	err     error
	handled atomic.Int32
	parked  atomic.Int32
	attempt atomic.Int32
	done    chan struct{}
}

func (h *once) Handle(_ context.Context, ev port.Event) error {
	h.attempt.Store(int32(ev.Attempt))
	if h.handled.Add(1) == 1 {
		return fmt.Errorf("recording step open: %w", h.err)
	}
	close(h.done)
	return nil
}

func (h *once) DeadLetter(context.Context, port.Event, error) error { h.parked.Add(1); return nil }

// A disk that is full, and whatever else a database cannot do now, uses up no attempt.
func TestAFullDiskIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err     error
		attempt int32 // the second time
	}{
		"SQLite":                      {fullSQLite(t), 1},
		"PostgreSQL":                  {&pgconn.PgError{Code: "53100"}, 1},
		"an error of the statement":   {&pgconn.PgError{Code: "42601"}, 2},
		"an error of SQLite's syntax": {wrongSQLite(t), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := &stage{now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
			s := open(t, store.Options{Dir: t.TempDir(), Now: clock.Now})
			require.NoError(t, s.Submit(t.Context(), port.Event{Delivery: "a", Kind: port.IssueComment}))
			h := &once{err: c.err, done: make(chan struct{})}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				ended <- (&store.Workers{Store: s, Handler: h, Poll: 10 * time.Millisecond}).Run(ctx)
			}()
			require.Eventually(t, func() bool { return h.handled.Load() == 1 }, 20*time.Second, time.Millisecond)
			for waiting := true; waiting; {
				select {
				case <-h.done:
					waiting = false
				case <-time.After(10 * time.Millisecond):
					clock.Pass(time.Second)
				}
			}
			cancel()
			require.NoError(t, <-ended)
			require.Equal(t, c.attempt, h.attempt.Load())
			require.Zero(t, h.parked.Load())
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
