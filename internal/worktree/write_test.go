package worktree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteKeepsTheModeAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	script := filepath.Join(dir, "run.sh")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"), 0o600))
	require.NoError(t, os.Chmod(script, 0o750))
	tree := opened(t, dir)

	require.NoError(t, tree.WriteFile("run.sh", []byte("#!/bin/sh\nexit 0\n")))
	require.NoError(t, tree.WriteFile("deep/er/new.go", []byte("package er\n")))

	info, err := os.Stat(script)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode().Perm())
	data, err := tree.ReadFile("deep/er/new.go")
	require.NoError(t, err)
	require.Equal(t, "package er\n", string(data))
	files, err := tree.Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "deep/er/new.go", "draft.md", "main.go", "pkg/a.go", "run.sh"}, files)
	require.Empty(t, leftovers(t, dir))
}

func TestAFailedWriteLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	require.Error(t, replace(tree.root, "pkg", nil, []byte("a folder is there")))
	require.Empty(t, leftovers(t, dir))
}

func TestWhatMustNotBeTouched(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	outside := t.TempDir()
	put(t, outside, "secret", "secret")
	for link, to := range map[string]string{
		"out": outside, "in": "pkg", "gitlink": ".git", "file": filepath.Join(outside, "secret"), "near": "main.go",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	put(t, dir, "nested/.git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, "nested/x.go", "package nested\n")
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",vendored")

	tree := opened(t, dir)
	for name, want := range map[string]error{
		"":                 errBadName,
		".":                errBadName,
		"/etc/passwd":      errBadName,
		"../up":            errBadName,
		"pkg/../main.go":   errBadName,
		"pkg//a.go":        errBadName,
		"pkg\\a.go":        errBadName,
		"nul\x00":          errBadName,
		".git/config":      errDotGit,
		".GIT/config":      errDotGit,
		".git /config":     errDotGit,
		"git~1/config":     errDotGit,
		"pkg/.git/config":  errDotGit,
		"out/secret":       errNotFolder,
		"out/new":          errNotFolder,
		"in/a.go":          errNotFolder,
		"gitlink/config":   errNotFolder,
		"main.go/x":        errNotFolder,
		"file":             errNotFile,
		"near":             errNotFile,
		"pkg":              errNotFile,
		"nested/x.go":      errSubmodule,
		"nested/deep/x.go": errSubmodule,
		"vendored/x.go":    errSubmodule,
	} {
		require.ErrorIs(t, tree.WriteFile(name, []byte("hacked")), want, "writing %q", name)
		_, err := tree.ReadFile(name)
		require.Error(t, err, "reading %q", name)
	}
	secret, err := os.ReadFile(filepath.Join(outside, "secret"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(secret))
	require.NoFileExists(t, filepath.Join(outside, "new"))
	require.NoDirExists(t, filepath.Join(dir, "vendored"))
}

// The folder is replaced between Lstat and OpenRoot.
func TestAFolderThatIsNotTheOneSeenIsNotEntered(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	seen, err := tree.root.Lstat("pkg")
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(dir, "pkg"), filepath.Join(dir, "away")))
	require.NoError(t, os.Symlink(".git", filepath.Join(dir, "pkg")))

	folder, err := tree.root.OpenRoot("pkg")
	require.NoError(t, err)
	defer func() { _ = folder.Close() }()
	require.ErrorIs(t, checkEntered(folder, seen), errSwapped)
}

// A folder is replaced by a link, again and again, while files are written through it.
func TestASwappedFolderLeadsNowhere(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	outside := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Symlink(outside, at("link-out")))
	require.NoError(t, os.Symlink(".git", at("link-git")))

	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- swap(stop, at("pkg"), at("away"), at("link-out"), at("link-git")) }()
	written := 0
	for range 500 {
		if tree.WriteFile("pkg/swapped.txt", []byte("x")) == nil {
			written++
		}
	}
	close(stop)
	require.NoError(t, <-stopped)

	require.NoFileExists(t, filepath.Join(outside, "swapped.txt"))
	require.NoFileExists(t, at(".git/swapped.txt"))
	require.Empty(t, leftovers(t, outside))
	require.Empty(t, leftovers(t, dir))
	t.Logf("%d of 500 writes went through", written)
}

// swap replaces the folder by each link and back, until stop is closed.
func swap(stop <-chan struct{}, folder, away string, links ...string) error {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		default:
		}
		link := links[i%len(links)]
		err := errors.Join(move(folder, away), move(link, folder), move(folder, link), move(away, folder))
		if err != nil {
			return err
		}
	}
}

// move renames, also over a folder that the writer created meanwhile.
func move(from, to string) error {
	var err error
	for range 100 {
		if err = os.Rename(from, to); err == nil {
			return nil
		}
		_ = os.RemoveAll(to)
	}
	return err
}

func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(name), ".tenon-") {
			found = append(found, name)
		}
		return err
	}))
	return found
}
