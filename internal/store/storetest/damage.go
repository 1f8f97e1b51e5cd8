package storetest

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// openBeside opens the SQLite database in a folder, which a server may be using.
func openBeside(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db")+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Execute executes a statement in the SQLite database in a folder, which a server may be using.
func Execute(t *testing.T, dir, statement string) {
	t.Helper()
	_, err := openBeside(t, dir).ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// LastDeath is the death by which an event becomes a dead letter that kills the process whenever it is handled.
const LastDeath = 6

// MakeGuilty has the next death be the last of the event in a folder that was leased when the third process died, so
// that no test waits for the pauses in between. No process may be using the folder.
func MakeGuilty(t *testing.T, dir string) {
	t.Helper()
	db := openBeside(t, dir)
	res, err := db.ExecContext(t.Context(),
		"UPDATE events SET deaths = $1, strikes = 2, tried = changed WHERE deaths = 2 AND state = 'working'", LastDeath-1)
	require.NoError(t, err)
	n, err := res.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
	require.NoError(t, db.Close())
}

// Damage overwrites the first page of a table or an index in the SQLite database in a folder, which a server may be
// using: it reads that page again.
func Damage(t *testing.T, dir, name string) {
	t.Helper()
	db := openBeside(t, dir)
	var page, size, busy, log, moved int64
	find := "SELECT rootpage FROM sqlite_master WHERE name = $1"
	require.NoError(t, db.QueryRowContext(t.Context(), find, name).Scan(&page))
	require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size))
	for busy = 1; busy != 0; { // what is written goes to the file
		truncate := db.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
		require.NoError(t, truncate.Scan(&busy, &log, &moved))
	}
	f, err := os.OpenFile(filepath.Join(dir, "tenon.db"), os.O_WRONLY, 0) //nolint:gosec // a test's own
	require.NoError(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, int(size)), (page-1)*size)
	require.NoError(t, errors.Join(err, f.Close()))
	// A write by another connection makes the server read again what it has in memory.
	_, err = db.ExecContext(t.Context(), "INSERT INTO pulse VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET beat = beat + 1")
	require.NoError(t, err)
}
