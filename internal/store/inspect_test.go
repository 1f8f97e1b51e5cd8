package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

func TestADatabaseIsInspectedWithoutBeingChanged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "not", "yet")
	c, err := store.Inspect(ctx, store.Options{Dir: dir})
	require.NoError(t, err)
	require.Zero(t, c.Schema, "no server has used it")
	require.NotZero(t, c.Known)
	require.NoDirExists(t, filepath.Dir(dir))

	s, err := store.Open(ctx, store.Options{Dir: dir})
	require.NoError(t, err)
	c, err = store.Inspect(ctx, store.Options{Dir: dir})
	require.NoError(t, err, "beside a running server")
	require.Equal(t, c.Known, c.Schema)
	c, err = store.Inspect(ctx, store.Options{Dir: dir})
	require.NoError(t, err, "nothing is left of the first time")
	require.Equal(t, c.Known, c.Schema)
	require.NoError(t, s.Close())
	left, err := filepath.Glob(filepath.Join(dir, ".tenon*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAPostgreSQLDatabaseIsInspectedWithoutBeingChanged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	opts := store.Options{DatabaseURL: pgtest.URL(t)}
	c, err := store.Inspect(ctx, opts)
	require.NoError(t, err)
	require.Zero(t, c.Schema, "no server has used it")
	s, err := store.Open(ctx, opts)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for range 2 {
		c, err = store.Inspect(ctx, opts)
		require.NoError(t, err)
		require.Equal(t, c.Known, c.Schema)
	}
}

func TestADatabaseThatCannotBeUsedIsNamed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := store.Inspect(ctx, store.Options{Dir: file})
	require.ErrorContains(t, err, "make it a folder of the user that runs tenon, or name another")
	require.ErrorContains(t, err, "is not a folder")
	_, err = store.Inspect(ctx, store.Options{Dir: filepath.Join(file, "below")})
	require.ErrorContains(t, err, "cannot be written")

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tenon.db"), []byte("no database at all, but long enough"), 0o600))
	_, err = store.Inspect(ctx, store.Options{Dir: dir})
	require.ErrorContains(t, err, "not a database")
	_, err = store.Inspect(ctx, store.Options{DatabaseURL: "postgres://tenon:hunter2@127.0.0.1:1/tenon"})
	require.ErrorContains(t, err, "127.0.0.1")
	require.NotContains(t, err.Error(), "hunter2")
}
