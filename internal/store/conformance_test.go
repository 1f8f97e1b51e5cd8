package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// engines open a store on a new database of each engine, and close it when the test ends.
var engines = map[string]storetest.Open{"SQLite": openSQLite, "PostgreSQL": openPostgres}

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, openSQLite)
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	storetest.Run(t, openPostgres)
}

// schema gives tests PostgreSQL databases of the present schema.
var schema = pgtest.Schema{Prepare: func(databaseURL string) error {
	s, err := store.Open(context.Background(), store.Deaf(store.Options{DatabaseURL: databaseURL}))
	if err != nil {
		return err
	}
	return s.Close()
}}

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

func openSQLite(t *testing.T, opts store.Options) *store.Store {
	t.Helper()
	opts.Dir = t.TempDir()
	data, err := emptySQLite()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(opts.Dir, sqliteFile), data, 0o600))
	return checked(t, open(t, opts))
}

func openPostgres(t *testing.T, opts store.Options) *store.Store {
	t.Helper()
	opts.DatabaseURL = schema.URL(t)
	return checked(t, open(t, store.Deaf(opts)))
}

// checked checks the places of a store that has a database of its own, when the test ends.
func checked(t *testing.T, s *store.Store) *store.Store {
	t.Helper()
	t.Cleanup(func() { store.CheckPlaces(t, s) })
	return s
}

// open opens a store and closes it when the test ends, unless the test did.
func open(t *testing.T, opts store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
