package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// repository creates a git work tree with some files and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=main", "--template=")
	for name, text := range map[string]string{
		".gitignore":  "*.log\n",
		"main.go":     "package main\n",
		"pkg/a.go":    "package pkg\n",
		"pkg/gone.go": "package pkg\n",
		"debug.log":   "noise\n",
		"draft.md":    "not added yet\n",
	} {
		put(t, dir, name, text)
	}
	git(t, dir, "add", "main.go", "pkg", ".gitignore")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "start")
	require.NoError(t, os.Remove(filepath.Join(dir, "pkg/gone.go")))
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func opened(t *testing.T, dir string) *Tree {
	t.Helper()
	tree, err := Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

func withoutGit(t *testing.T, dir string) *Tree {
	t.Helper()
	tree, err := open(t.Context(), dir, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}

func TestFilesAreThoseThatGitTracksOrWouldAdd(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	require.NoError(t, os.Symlink("main.go", filepath.Join(dir, "link.go")))
	put(t, dir, "other/.git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, "other/x.go", "package other\n")

	files, err := opened(t, dir).Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "draft.md", "main.go", "pkg/a.go"}, files)
}

func TestFilesWithoutGitAreAllOutsideDotGit(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	put(t, dir, "other/.git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, "other/x.go", "package other\n")

	files, err := withoutGit(t, dir).Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "debug.log", "draft.md", "main.go", "pkg/a.go"}, files)
}

func TestATrackedFileBehindALinkIsNotListed(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	require.NoError(t, os.Rename(filepath.Join(dir, "pkg"), filepath.Join(dir, "moved")))
	require.NoError(t, os.Symlink("moved", filepath.Join(dir, "pkg")))

	files, err := opened(t, dir).Files()
	require.NoError(t, err)
	require.NotContains(t, files, "pkg/a.go")
	require.Contains(t, files, "moved/a.go")
}

func TestTheTopIsFoundFromASubfolder(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, filepath.Join(dir, "pkg"))
	data, err := tree.ReadFile("main.go")
	require.NoError(t, err)
	require.Equal(t, "package main\n", string(data))
	require.Equal(t, dir, tree.Dir())
}

func TestAFolderOutsideAnyWorkTreeIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Open(t.Context(), dir)
	require.ErrorIs(t, err, ErrNoWorkTree)
	require.ErrorContains(t, err, dir)
}

func TestABrokenRepositoryIsRefusedInGitsWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, ".git", "gitdir: nowhere\n")
	_, err := Open(t.Context(), dir)
	require.ErrorContains(t, err, "not a git repository")
}

func TestKinds(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	require.NoError(t, os.Symlink("main.go", filepath.Join(dir, "link.go")))
	require.NoError(t, os.Symlink("pkg", filepath.Join(dir, "linked")))
	put(t, dir, "nested/.git/HEAD", "ref: refs/heads/main\n")
	put(t, dir, "nested/x.go", "package nested\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "vendored"), 0o755))
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",vendored")

	tree := opened(t, dir)
	for name, want := range map[string]engine.Kind{
		"main.go":      engine.File,
		"debug.log":    engine.File,
		"pkg":          engine.Folder,
		"pkg/gone.go":  engine.Absent,
		"no/such/file": engine.Absent,
		"main.go/x":    engine.Absent,
		"link.go":      engine.Symlink,
		"linked":       engine.Symlink,
		"linked/a.go":  engine.Absent,
		"nested":       engine.Submodule,
		"nested/x.go":  engine.Absent,
		"vendored":     engine.Submodule,
		"vendored/new": engine.Absent,
		".git/config":  engine.Symlink,
	} {
		kind, err := tree.Kind(name)
		require.NoError(t, err, name)
		require.Equal(t, want, kind, name)
	}
}
