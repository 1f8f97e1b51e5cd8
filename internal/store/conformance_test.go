package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// engines open a store on a new database of each engine, and close it when the test ends.
var engines = map[string]opener{"SQLite": openSQLite, "PostgreSQL": openPostgres}

func TestSQLite(t *testing.T) {
	t.Parallel()
	playStories(t, openSQLite)
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	playStories(t, openPostgres)
}

func openSQLite(t *testing.T, opts store.Options) *store.Store {
	t.Helper()
	opts.Dir = storetest.Folder(t)
	return checked(t, open(t, opts))
}

func openPostgres(t *testing.T, opts store.Options) *store.Store {
	t.Helper()
	opts.DatabaseURL = store.Schema.URL(t)
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
