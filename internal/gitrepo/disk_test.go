package gitrepo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// restart replaces the client by a new one, as a new process has it.
func (w *world) restart(o gitrepo.Options) {
	o.BaseURL = w.server.URL
	w.repos = gitrepo.New(o)
	w.server.Requests()
}

// cacheFiles returns the regular files of a cache, and the sum of their sizes.
func cacheFiles(t *testing.T, dir string) (files []string, size int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		files, size = append(files, name), size+info.Size()
		return err
	}))
	return files, size
}

func TestAFolderKeepsTheTreesOverARestart(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	w := newWorld(t, o)
	first := w.tip
	w.open(t)
	w.restart(o)
	c := w.open(t)
	require.Empty(t, w.server.Requests())
	files, err := c.Files()
	require.NoError(t, err)
	require.Len(t, files, 6)

	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"docs/other.txt": "other\n"}))
	w.restart(o)
	w.open(t)
	require.Equal(t, []string{askHost, fetch}, w.server.Requests(), "the difference")
	w.restart(o)
	w.open(t)
	require.Empty(t, w.server.Requests(), "both are kept")
	w.tip = first
	w.open(t)
	require.Empty(t, w.server.Requests())
}

// A cache on the disk is for those who run the server, and has the names of files, not what is in them.
func TestAFolderHasNamesAndNoContents(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	w := newWorld(t, o)
	w.tip = w.editAndPush(t)
	w.editAndPush(t)
	files, _ := cacheFiles(t, o.CacheDir)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(data), "cmd-line.txt")
	require.NotContains(t, string(data), "package main")
	for name, mode := range map[string]fs.FileMode{o.CacheDir: 0o700, filepath.Dir(files[0]): 0o700, files[0]: 0o600} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
}

// What the disk has of one repository is shown to no other one.
func TestAFolderShowsACommitToItsRepositoryOnly(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: t.TempDir()}
	w := newWorld(t, o)
	w.open(t)
	secret := acme
	secret.Name = "secret"
	id := w.server.Create(t, "acme/secret").Commit("main", gittest.Files(map[string]string{"key": "hunter2\n"}))
	_, err := w.repos.Open(t.Context(), secret, "refs/heads/main", id)
	require.NoError(t, err)
	w.restart(o)
	_, err = w.repos.Open(t.Context(), acme, "refs/heads/main", id)
	require.Error(t, err)
	_, err = w.repos.Open(t.Context(), secret, "refs/heads/main", id)
	require.NoError(t, err)
}

func TestADamagedFolderIsOnlySlower(t *testing.T) {
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
		"huge": func(data []byte) []byte { copy(data[bytes.IndexByte(data, '\n')+1:], "\xff\xff\xff\xff"); return data },
		"old":  func(data []byte) []byte { return append([]byte("tenon trees 0\n"), data...) },
		"none": func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := gitrepo.Options{CacheDir: t.TempDir()}
			w := newWorld(t, o)
			w.open(t)
			files, _ := cacheFiles(t, o.CacheDir)
			require.Len(t, files, 1)
			data, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(files[0], damage(data), 0o600))
			w.restart(o)
			w.editAndPush(t)
			w.repo.Fsck()
		})
	}
}

// The file of a repository is not written again for each small change.
func TestAFolderIsWrittenWhenAPartOfItHasChanged(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: t.TempDir()}
	w := newWorld(t, o)
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("d%d/%d/file.go", i/20, i)] = fmt.Sprint(i)
	}
	written := func(more map[string]string) string {
		w.tip = w.repo.Commit("main", gittest.Files(more))
		w.open(t)
		files, _ := cacheFiles(t, o.CacheDir)
		require.Len(t, files, 1)
		data, err := os.ReadFile(files[0])
		require.NoError(t, err)
		return string(data)
	}
	first := written(files)
	require.True(t, first == written(map[string]string{"docs/other.txt": "1"}))
	for name := range files {
		files[name] += "!"
	}
	require.False(t, first == written(files))
}

// The repositories that were used least recently go first.
func TestAFolderStaysWithinItsBytes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	o := gitrepo.Options{CacheDir: t.TempDir(), CacheDirBytes: 10_000, Now: func() time.Time { return now }}
	w := newWorld(t, o)
	var tips []string
	open := func(i int) {
		now = now.Add(time.Minute)
		ref := acme
		ref.Name = fmt.Sprint("repo", i)
		_, err := w.repos.Open(t.Context(), ref, "refs/heads/main", tips[i])
		require.NoError(t, err)
	}
	kept, trimmed := 0, 0
	for i := range 40 {
		tips = append(tips, w.server.Create(t, fmt.Sprint("acme/repo", i)).Commit("main",
			gittest.Files(map[string]string{strings.Repeat("n", 200): fmt.Sprint(i)})))
		open(i)
		files, size := cacheFiles(t, o.CacheDir)
		require.LessOrEqual(t, size, o.CacheDirBytes)
		if len(files) <= kept {
			trimmed++
		}
		kept = len(files)
	}
	require.Less(t, trimmed, 12, "some are deleted at once, so that not all are looked at for each that is written")
	before, _ := cacheFiles(t, o.CacheDir)
	require.Greater(t, len(before), 10, "there is room for some")
	o.CacheDirBytes /= 2
	w.restart(o)
	after, size := cacheFiles(t, o.CacheDir)
	require.LessOrEqual(t, size, o.CacheDirBytes)
	require.Subset(t, before, after)
	require.Greater(t, len(after), 4)
	open(39)
	require.Empty(t, w.server.Requests(), "the last one is still there")
}

// A repository that nobody uses is deleted, while the server runs and when it starts.
func TestAFolderForgetsWhatNobodyUses(t *testing.T) {
	t.Parallel()
	now := time.Now()
	o := gitrepo.Options{CacheDir: t.TempDir(), Now: func() time.Time { return now }}
	w := newWorld(t, o)
	w.open(t)
	left := filepath.Join(o.CacheDir, "0", "new-1.trees") // by a process that was killed
	require.NoError(t, os.WriteFile(left, []byte("tree"), 0o600))
	foreign := filepath.Join(o.CacheDir, "0", "new-notes.txt")
	require.NoError(t, os.WriteFile(foreign, []byte("by somebody else"), 0o600))

	now = now.Add(gitrepo.DiskTime - time.Minute)
	w.restart(o)
	w.open(t) // which counts as use
	files, _ := cacheFiles(t, o.CacheDir)
	require.Len(t, files, 3)
	now = now.Add(2 * time.Minute)
	w.restart(o)
	files, _ = cacheFiles(t, o.CacheDir)
	require.Len(t, files, 2)
	require.NotContains(t, files, left)

	now = now.Add(gitrepo.DiskTime)
	other := acme
	other.Name = "other"
	tip := w.server.Create(t, "acme/other").Commit("main", gittest.Files(map[string]string{"a": "a"}))
	_, err := w.repos.Open(t.Context(), other, "refs/heads/main", tip)
	require.NoError(t, err)
	files, _ = cacheFiles(t, o.CacheDir)
	require.Len(t, files, 2, "the other one, and what is not of the cache")
	require.Contains(t, files, foreign)
}

// A server may run for months, in which it reads a file of a repository that is used each day no more than once.
func TestWhatIsUsedEachDayStaysInTheFolder(t *testing.T) {
	t.Parallel()
	now := time.Now()
	o := gitrepo.Options{CacheDir: t.TempDir(), Now: func() time.Time { return now }}
	w := newWorld(t, o)
	for age := time.Duration(0); age <= gitrepo.DiskTime; age += 24 * time.Hour {
		w.open(t)
		now = now.Add(24 * time.Hour)
	}
	w.restart(o)
	w.open(t)
	require.Empty(t, w.server.Requests(), "it was used yesterday")
}

// With DynamicUser=, systemd makes CacheDirectory= a symbolic link to a folder in a private one.
func TestAFolderBehindALinkIsKeptInOrder(t *testing.T) {
	t.Parallel()
	now := time.Now()
	folder, link := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	require.NoError(t, os.Symlink(folder, link))
	o := gitrepo.Options{CacheDir: link, Now: func() time.Time { return now }}
	w := newWorld(t, o)
	w.open(t)
	w.restart(o)
	files, size := cacheFiles(t, folder)
	require.Len(t, files, 1)
	o.CacheDirBytes = size - 1
	w.restart(o)
	files, _ = cacheFiles(t, folder)
	require.Empty(t, files, "it is larger than all may be")

	o.CacheDirBytes = 0
	w.restart(o)
	w.open(t)
	files, _ = cacheFiles(t, folder)
	require.Len(t, files, 1)
	now = now.Add(gitrepo.DiskTime + time.Minute)
	w.restart(o)
	files, _ = cacheFiles(t, folder)
	require.Empty(t, files, "nobody has used it")
}

// What is read of a large file is admitted like a pack.
func TestALargeFileIsReadWhenThereIsRoomInMemory(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: t.TempDir()}
	w := newWorld(t, o)
	w.open(t)
	files, _ := cacheFiles(t, o.CacheDir)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	data = append(binary.BigEndian.AppendUint32(data, 9<<20), make([]byte, 9<<20)...)
	require.NoError(t, os.WriteFile(files[0], data, 0o600))
	asked, released := []int64{}, 0
	o.Admit = func(_ context.Context, bytes int64) (func(), error) {
		asked = append(asked, bytes)
		return func() { released++ }, nil
	}
	w.restart(o)
	w.open(t)
	require.Empty(t, w.server.Requests())
	require.Equal(t, []int64{int64(len(data))}, asked)
	require.Equal(t, 1, released)
}

// So it is while the server has nothing to do.
func TestAFolderIsKeptInOrderWithoutRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "7", "a.trees")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("tree"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, os.Chtimes(file, time.Now(), time.Now()))
		repos := gitrepo.New(gitrepo.Options{CacheDir: dir})
		ctx, cancel := context.WithCancel(t.Context())
		go repos.Keep(ctx)
		time.Sleep(gitrepo.DiskTime)
		synctest.Wait()
		require.FileExists(t, file)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.NoFileExists(t, file)
		cancel()
	})
}

func TestAnInstallationIsForgottenOnTheDisk(t *testing.T) {
	t.Parallel()
	o := gitrepo.Options{CacheDir: t.TempDir()}
	w := newWorld(t, o)
	for installation := range int64(3) {
		ref := acme
		ref.Installation = installation
		w.restart(o)
		_, err := w.repos.Open(t.Context(), ref, "refs/heads/main", w.tip)
		require.NoError(t, err)
	}
	foreign := filepath.Join(o.CacheDir, "2", "report.pdf")
	require.NoError(t, os.WriteFile(foreign, []byte("by somebody else"), 0o600))
	for _, installation := range []int64{1, 2, 9} {
		w.repos.Forget(installation)
	}
	files, _ := cacheFiles(t, o.CacheDir)
	require.Len(t, files, 2)
	require.Equal(t, "0", filepath.Base(filepath.Dir(files[0])))
	require.Equal(t, foreign, files[1])
	require.NoDirExists(t, filepath.Join(o.CacheDir, "1"))
}

func TestAFolderThatCannotBeMadeIsDoneWithoutAndTriedAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	now, log := time.Now(), &bytes.Buffer{}
	o := gitrepo.Options{CacheDir: filepath.Join(file, "cache"), Now: func() time.Time { return now },
		Log: slog.New(slog.NewTextHandler(log, nil))}
	w := newWorld(t, o)
	w.repos.Forget(9)
	log.Reset()
	for i := range 4 {
		now = now.Add(29 * time.Minute)
		w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"new.txt": strconv.Itoa(i)}))
		w.open(t)
		require.Equal(t, 1+i/3, strings.Count(log.String(), "cannot write to the cache of trees"), "once in an hour")
	}
	require.NoError(t, os.Remove(file))
	w.open(t)
	require.NoFileExists(t, file)
	now = now.Add(time.Hour)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"new.txt": "last"}))
	w.open(t)
	files, _ := cacheFiles(t, o.CacheDir)
	require.Len(t, files, 1)
}
