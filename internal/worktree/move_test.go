package worktree

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMovedFileKeepsItsModeAndLeavesNoEmptyFolders(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	put(t, dir, "old/deep/run.sh", "#!/bin/sh\n")
	require.NoError(t, os.Chmod(filepath.Join(dir, "old/deep/run.sh"), 0o750))
	tree := opened(t, dir)

	require.NoError(t, tree.Move("old/deep/run.sh", "new/er/run.sh"))

	info, err := os.Stat(filepath.Join(dir, "new/er/run.sh"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode().Perm())
	require.NoDirExists(t, filepath.Join(dir, "old"))
	files, err := tree.Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "draft.md", "main.go", "new/er/run.sh", "pkg/a.go"}, files)
	require.NoError(t, tree.Move("pkg/a.go", "pkg/b/a.go"))
	require.FileExists(t, filepath.Join(dir, "pkg/b/a.go"))
}

func TestNothingIsMovedOverAnotherFile(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "link")))
	for _, to := range []string{"main.go", "pkg", "link", "debug.log"} {
		require.ErrorIs(t, tree.Move("pkg/a.go", to), fs.ErrExist, "to %s", to)
	}
	require.ErrorIs(t, tree.Move("gone.go", "new.go"), fs.ErrNotExist)
	data, err := tree.ReadFile("main.go")
	require.NoError(t, err)
	require.Equal(t, "package main\n", string(data))
	require.FileExists(t, filepath.Join(dir, "pkg/a.go"))
}

func TestNothingIsMovedOutOfTheTreeOrIntoIt(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	outside := t.TempDir()
	put(t, outside, "secret", "secret")
	for link, to := range map[string]string{
		"out": outside, "gitlink": ".git", "file": filepath.Join(outside, "secret"),
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	put(t, dir, "nested/.git/HEAD", "ref: refs/heads/main\n")
	tree := opened(t, dir)
	for _, to := range []string{
		"", ".", "/tmp/x", "../up", "pkg/../x", "pkg\\x", ".git/hooks/x", ".GIT/x", "pkg/.git", "out/x", "gitlink/x",
		"main.go/x", "nested/x",
	} {
		require.Error(t, tree.Move("pkg/a.go", to), "to %q", to)
	}
	for _, from := range []string{"../up", ".git/HEAD", "out/secret", "gitlink/HEAD", "file", "pkg", "nested/.git/HEAD"} {
		require.Error(t, tree.Move(from, "taken"), "from %q", from)
	}
	require.FileExists(t, filepath.Join(dir, "pkg/a.go"))
	require.FileExists(t, filepath.Join(outside, "secret"))
	require.NoFileExists(t, filepath.Join(outside, "x"))
	require.NoFileExists(t, filepath.Join(dir, "taken"))
}

// A folder is replaced by a link, again and again, while files are moved into it and out of it.
func TestAMoveThroughASwappedFolderLeadsNowhere(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	outside := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Symlink(outside, at("link-out")))
	require.NoError(t, os.Symlink(".git", at("link-git")))

	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- swap(stop, at("pkg"), at("away"), at("link-out"), at("link-git")) }()
	moved := 0
	for range 300 {
		put(t, dir, "moved.txt", "x")
		if tree.Move("moved.txt", "pkg/moved.txt") == nil {
			moved++
		}
		_ = tree.Move("pkg/HEAD", "stolen")
	}
	close(stop)
	require.NoError(t, <-stopped)

	require.NoFileExists(t, filepath.Join(outside, "moved.txt"))
	require.NoFileExists(t, at(".git/moved.txt"))
	require.NoFileExists(t, at("stolen"))
	require.FileExists(t, at(".git/HEAD"))
	t.Logf("%d of 300 moves went through", moved)
}
