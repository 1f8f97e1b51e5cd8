//go:build unix

package gitrepo_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo"
)

func TestAFolderForTheCacheIsTried(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "cache")
	require.NoError(t, gitrepo.CheckCacheDir(dir))
	files, _ := cacheFiles(t, dir)
	require.Empty(t, files)
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	const unwritable = "/proc/self" // for root, too
	for _, wrong := range []string{file, filepath.Join(file, "cache"), unwritable} {
		require.Error(t, gitrepo.CheckCacheDir(wrong), wrong)
	}
}

// What is not a regular file could have no end, or none to come.
func TestAPipeInTheFolderIsNeitherReadNorWaitedFor(t *testing.T) {
	t.Parallel()
	for name, written := range map[string]bool{"with a writer": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := gitrepo.Options{CacheDir: t.TempDir()}
			w := newWorld(t, o)
			w.open(t)
			files, _ := cacheFiles(t, o.CacheDir)
			require.Len(t, files, 1)
			data, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.NoError(t, os.Remove(files[0]))
			require.NoError(t, syscall.Mkfifo(files[0], 0o600))
			if written {
				pipe, err := os.OpenFile(files[0], os.O_RDWR, 0)
				require.NoError(t, err)
				defer func() { _ = pipe.Close() }()
				_, err = pipe.Write(append(data, "\xff\xff\xff\xff"...)) // after which nothing more is read
				require.NoError(t, err)
			}
			w.restart(o)
			w.open(t)
			require.Equal(t, []string{askHost, fetch}, w.server.Requests())
		})
	}
}
