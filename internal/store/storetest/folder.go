// Package storetest gives tests of programs folders with the SQLite database of a store, reads what is in such a
// database, and damages it.
package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store"
)

const sqliteFile = "tenon.db"

// emptySQLite returns the file of an SQLite database of the present schema.
var emptySQLite = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "tenon-store-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, sqliteFile))
})

// Folder returns a temporary folder with an empty SQLite database, for store.Options. The database is a copy, because
// the migrations of a new one take longer than most tests.
func Folder(t testing.TB) string {
	t.Helper()
	data, err := emptySQLite()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, sqliteFile), data, 0o600))
	return dir
}
