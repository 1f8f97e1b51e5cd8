package gitrepo_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// commitNoise adds ten files of 10 kB that cannot be compressed, and returns their names.
func (w *world) commitNoise() (names []string) {
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{}
	for i := range 10 {
		data := make([]byte, 10_000)
		for j := range data {
			data[j] = byte(random.Uint32())
		}
		name := fmt.Sprintf("src/m%d.bin", i)
		files[name], names = string(data), append(names, name)
	}
	w.tip = w.repo.Commit("main", gittest.Files(files))
	return names
}

// readable counts the files that were loaded.
func readable(t *testing.T, c *gitrepo.Checkout, names []string) (n int) {
	t.Helper()
	for _, name := range names {
		_, err := c.ReadFile(name)
		if err == nil {
			n++
			continue
		}
		require.ErrorIs(t, err, gitrepo.ErrNotLoaded, "it is not too large")
	}
	return n
}

// Files that are only of use may be too large to be fetched together. That says nothing about each of them.
func TestFilesThatAreTooLargeTogetherCanBeLoadedOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{Limits: gitrepo.Limits{PackBytes: 40_000}})
	names := w.commitNoise()
	c := w.open(t)
	err := c.LoadSome(t.Context(), 1<<20, names...)
	require.ErrorAs(t, err, new(*port.UserError))
	require.ErrorContains(t, err, "the git server sends more")
	require.Zero(t, readable(t, c, names))
	for _, name := range names {
		require.NoError(t, c.LoadSome(t.Context(), 1<<20, name))
	}
	require.Equal(t, len(names), readable(t, c, names))
}

// A server without protocol v2 sends all files, whatever was asked for.
func TestAServerWithoutFiltersDoesNotExceedTheBoundOfSomeFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{CacheBytes: 100_000}) // for the trees, and too little for the files
	w.server.Wrap(dropV2)
	names := w.commitNoise()
	w.open(t)
	c := w.open(t)
	require.Zero(t, readable(t, c, names))
	require.NoError(t, c.LoadSome(t.Context(), 35_000, names...))
	require.Equal(t, 3, readable(t, c, names))
	require.NoError(t, c.LoadSome(t.Context(), 0, names...))
	require.Equal(t, 3, readable(t, c, names))
	require.NoError(t, c.Load(t.Context(), names...))
	require.Equal(t, len(names), readable(t, c, names))
}
