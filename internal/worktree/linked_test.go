package worktree

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// linked creates a second work tree of a repository, whose .git is a file.
func linked(t *testing.T) (dir, first string) {
	t.Helper()
	first = repository(t)
	dir = filepath.Join(t.TempDir(), "second")
	git(t, first, "worktree", "add", "--quiet", "-b", "second", dir)
	return dir, first
}

func TestALinkedWorkTreeHasAnIndexOfItsOwn(t *testing.T) {
	t.Parallel()
	dir, first := linked(t)
	tree := opened(t, dir)
	require.Equal(t, dir, tree.Dir())
	require.NoError(t, tree.WriteFile("new.go", []byte("package main\n")))
	require.NoError(t, tree.Stage(t.Context(), []string{"new.go"}))
	require.Equal(t, "new.go\n", git(t, dir, "diff", "--cached", "--name-only"))
	require.Empty(t, git(t, first, "diff", "--cached", "--name-only"))
}

// A reply that can create a file named .git could direct git to a repository with hooks.
func TestTheFileThatNamesTheRepositoryIsNeverTouched(t *testing.T) {
	t.Parallel()
	dir, _ := linked(t)
	require.NoError(t, os.Link(filepath.Join(dir, ".git"), filepath.Join(dir, "innocent.txt")))
	before, err := os.ReadFile(filepath.Join(dir, ".git"))
	require.NoError(t, err)
	tree := opened(t, dir)
	for _, name := range []string{".git", ".Git", "innocent.txt"} {
		require.ErrorIs(t, tree.WriteFile(name, []byte("gitdir: /evil\n")), errDotGit, name)
		_, err := tree.ReadFile(name)
		require.ErrorIs(t, err, errDotGit, name)
	}
	after, err := os.ReadFile(filepath.Join(dir, ".git"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

func TestNamesThatNoTreeHoldsHaveNoKind(t *testing.T) {
	t.Parallel()
	tree := opened(t, repository(t))
	for _, name := range []string{"", ".", "..", "../x", "/etc", "a//b", "a/./b", "a/../b", "nul\x00", "a\\b", "\xff"} {
		_, err := tree.Kind(name)
		require.ErrorIs(t, err, errBadName, "%q", name)
	}
}

func TestStrangeNamesAreListedAsTheyAre(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	for _, name := range []string{"two\nlines.txt", "\"quoted\".txt", "größe.txt", "\tblank", "\xffbroken.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o600); err != nil {
			t.Skip("this file system has no such names: ", err)
		}
	}
	files, err := opened(t, dir).Files()
	require.NoError(t, err)
	require.Subset(t, files, []string{"two\nlines.txt", "\"quoted\".txt", "größe.txt", "\tblank"})
	require.NotContains(t, files, "\xffbroken.txt", "no edit can name it")
}

func TestAReadOnlyFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	file := filepath.Join(dir, "main.go")
	require.NoError(t, os.Chmod(file, 0o400))
	if f, err := os.OpenFile(file, os.O_WRONLY, 0); err == nil {
		_ = f.Close()
		t.Skip("this user may write everything")
	}
	tree := opened(t, dir)
	require.ErrorIs(t, tree.WriteFile("main.go", []byte("changed\n")), os.ErrPermission)
	require.Empty(t, leftovers(t, dir))
}

func TestNothingToStageAsksNothingOfGit(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	require.NoError(t, opened(t, dir).Stage(t.Context(), nil))
	require.Empty(t, git(t, dir, "diff", "--cached", "--name-only"), "`git add --` alone would be an error or everything")
}
