package gitrepo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// restart replaces the client by a new one, as a new process has it.
func (w *world) restart(dir string, limit int64) {
	w.repos = gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, CacheDir: dir, CacheDirBytes: limit})
}

// cacheFiles returns the files of a cache and the sum of their sizes.
func cacheFiles(t *testing.T, dir string) (files []string, size int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "objects-*.cache"))
	require.NoError(t, err)
	for _, name := range files {
		info, err := os.Stat(name)
		require.NoError(t, err)
		size += info.Size()
	}
	return files, size
}

func TestAFolderKeepsTheCacheOverARestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	w := newWorld(t, gitrepo.Options{CacheDir: dir})
	w.tip = w.editAndPush(t)
	w.server.Requests()
	w.restart(dir, 0)
	w.tip = w.editAndPush(t)
	require.Equal(t, []string{pushIt}, w.server.Requests())
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"other.txt": "other\n"}))
	w.restart(dir, 0)
	w.editAndPush(t)
	require.Equal(t, []string{askHost, fetch, pushIt}, w.server.Requests())
}

func TestADamagedCacheIsOnlySlower(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(data []byte) []byte{
		"cut":     func(data []byte) []byte { return data[:len(data)*2/3] },
		"flipped": func(data []byte) []byte { data[len(data)/2] ^= 1; return data },
		"garbled": func(data []byte) []byte {
			for i := range data {
				data[i] ^= byte(i)
			}
			return data
		},
		"empty": func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := newWorld(t, gitrepo.Options{CacheDir: dir})
			w.tip = w.editAndPush(t)
			files, _ := cacheFiles(t, dir)
			require.NotEmpty(t, files)
			for _, file := range files {
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(file, damage(data), 0o600))
			}
			w.restart(dir, 0)
			w.editAndPush(t)
		})
	}
}

func TestAFolderStaysWithinItsBytes(t *testing.T) {
	t.Parallel()
	const limit = 20_000
	dir := t.TempDir()
	w := newWorld(t, gitrepo.Options{CacheDir: dir, CacheDirBytes: limit})
	w.repo.Commit("main", gittest.Files(map[string]string{"README.md": string(make([]byte, 2000))}))
	w.tip = w.repo.Ref("refs/heads/main")
	for range 8 {
		w.tip = w.editAndPush(t)
	}
	_, size := cacheFiles(t, dir)
	require.LessOrEqual(t, size, int64(limit))
	w.restart(dir, limit/4)
	_, size = cacheFiles(t, dir)
	require.LessOrEqual(t, size, int64(limit/4)+limit/8)
	w.editAndPush(t)
}

func TestAFolderThatCannotBeMadeIsDoneWithout(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	w := newWorld(t, gitrepo.Options{CacheDir: filepath.Join(file, "cache")})
	w.editAndPush(t)
}
