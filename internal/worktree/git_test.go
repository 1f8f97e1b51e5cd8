package worktree

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStageAddsTheNamedFilesAndNoOthers(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	require.NoError(t, tree.WriteFile("*.go", []byte("a name, no pattern\n")))
	require.NoError(t, tree.WriteFile("-n", []byte("a name, no option\n")))
	require.NoError(t, tree.WriteFile("main.go", []byte("package main // changed\n")))

	require.NoError(t, tree.Stage(t.Context(), []string{"*.go", "-n"}))
	require.Equal(t, "*.go\n-n\n", git(t, dir, "diff", "--cached", "--name-only"))
}

func TestStageSaysWhatGitSays(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	require.NoError(t, tree.WriteFile("new.log", []byte("ignored\n")))
	err := tree.Stage(t.Context(), []string{"new.log"})
	require.ErrorContains(t, err, "git add: ")
	require.ErrorContains(t, err, "ignored by one of your .gitignore files")
}

func TestStageWithoutGit(t *testing.T) {
	t.Parallel()
	tree := withoutGit(t, repository(t))
	require.ErrorIs(t, tree.Stage(t.Context(), []string{"main.go"}), ErrNoGit)
}

// A hook runs programs with GIT_DIR and GIT_INDEX_FILE set, which are those of another tree.
func TestTheEnvironmentOfAHookDoesNotLeadAstray(t *testing.T) {
	dir, other := repository(t), repository(t)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git/index"))
	tree := opened(t, dir)
	require.NoError(t, tree.WriteFile("here.go", []byte("package here\n")))
	require.NoError(t, tree.Stage(t.Context(), []string{"here.go"}))

	files, err := tree.Files()
	require.NoError(t, err)
	require.Contains(t, files, "here.go")
	staged, err := tree.run(t.Context(), "diff", "--cached", "--name-only")
	require.NoError(t, err)
	require.Equal(t, "here.go\n", staged)
}
