package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// keptBy returns the statements that the connection of a store keeps.
func keptBy(t *testing.T, s *Store) (kept map[string]statement) {
	t.Helper()
	conn, err := s.db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, conn.Raw(func(c any) error {
		kept = c.(*keepingConn).kept
		return nil
	}))
	require.NoError(t, conn.Close())
	return kept
}

func TestAStatementIsPreparedOnce(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	first := keptBy(t, s)[insertEvent]
	require.NotNil(t, first)
	require.NoError(t, s.Submit(t.Context(), testEvent("b")))
	require.Same(t, first, keptBy(t, s)[insertEvent])
}

func TestRowsOfOneStatementAreReadSideBySide(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.write(t.Context(), "reading", func(tx tx) error {
		const query = "WITH RECURSIVE n (i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n"
		var all []*sql.Rows
		for range 3 {
			rows, err := tx.QueryContext(t.Context(), query, 1)
			require.NoError(t, err)
			require.NoError(t, rows.Err())
			defer func() { require.NoError(t, rows.Close()) }()
			all = append(all, rows)
		}
		for want := 1; want <= 10; want++ {
			for _, rows := range all {
				var got int
				require.True(t, rows.Next())
				require.NoError(t, rows.Scan(&got))
				require.Equal(t, want, got)
			}
		}
		return nil
	}))
}

func TestKeptStatementsAreBounded(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	for i := range maxKept + 50 {
		var n int
		require.NoError(t, s.db.QueryRow(fmt.Sprintf("SELECT $1 + %d", i), 1).Scan(&n))
		require.Equal(t, i+1, n)
	}
	require.Len(t, keptBy(t, s), maxKept)
}

// SQLite removes its log when the last connection is closed, which one with open statements is not.
func TestAClosedDatabaseIsOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	require.NoError(t, s.Close())
	_, err := os.Stat(filepath.Join(dir, databaseFile+"-wal"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
