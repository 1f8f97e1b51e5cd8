package localrepo

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// workTree makes a repository with a commit of some files, and returns its folder.
func workTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=main", "--template=")
	git(t, dir, "config", "user.name", "Maria")
	git(t, dir, "config", "user.email", "maria@example.com")
	for name, text := range files {
		put(t, dir, name, text)
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--allow-empty", "-m", "start")
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

func text(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(data)
}

func opened(t *testing.T, dir string, opts Options) *Repo {
	t.Helper()
	r, err := Open(t.Context(), dir, opts)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func checkout(t *testing.T, r *Repo, load ...string) repo.Checkout {
	t.Helper()
	c, err := r.Checkout(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Load(t.Context(), load...))
	return c
}

// commit commits what was staged in a checkout.
func commit(t *testing.T, r *Repo, c repo.Checkout) (string, error) {
	t.Helper()
	changes, err := c.Changes()
	require.NoError(t, err)
	return r.Commit(t.Context(), port.Upload{Branch: "main", Parent: c.SHA(), Tree: c.Tree(), Changes: changes,
		Message: "Say goodbye\n\nTenon-Run: 1\n"})
}

func made(t *testing.T, r *Repo) Made {
	t.Helper()
	m, ok := r.Made()
	require.True(t, ok)
	require.NoError(t, m.Unstaged)
	return m
}

func TestTheTreeIsAsItIsOnTheDisk(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{".gitignore": ".env\nbuild/\n", "main.go": "package main\n", "gone.go": "x\n",
		"run.sh": "true\n", "sparse.go": "x\n"})
	put(t, dir, "main.go", "package changed\n")
	put(t, dir, "new.go", "package new\n")
	put(t, dir, ".env", "KEY=secret\n")
	put(t, dir, "build/out.txt", "x\n")
	git(t, dir, "init", "--quiet", "other")
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.go")))
	require.NoError(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o755))
	require.NoError(t, os.Symlink("main.go", filepath.Join(dir, "link.go")))
	git(t, dir, "update-index", "--skip-worktree", "sparse.go")
	require.NoError(t, os.Remove(filepath.Join(dir, "sparse.go")))

	c := checkout(t, opened(t, dir, Options{}), "main.go", ".env", "new.go")
	names, err := c.Files()
	require.NoError(t, err)
	require.Equal(t, []string{".gitignore", "main.go", "new.go", "run.sh"}, names)
	data, err := c.ReadFile("main.go")
	require.NoError(t, err)
	require.Equal(t, "package changed\n", string(data))
	_, err = c.ReadFile(".env")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = c.ReadFile("run.sh")
	require.Error(t, err, "it was not loaded")
	for name, want := range map[string]engine.Kind{"main.go": engine.File, "gone.go": engine.Absent,
		"link.go": engine.Symlink, ".env": engine.Ignored, "sparse.go": engine.Ignored, "build": engine.Folder,
		"build/out.txt": engine.Ignored,
		"build/new.txt": engine.Absent, "other": engine.Submodule, "none": engine.Absent} {
		kind, err := c.Kind(name)
		require.NoError(t, err, name)
		require.Equal(t, want, kind, name)
	}
	links, err := c.Links("")
	require.NoError(t, err)
	require.Equal(t, []string{"link.go", "other"}, links)
	executable, err := c.Executable("run.sh")
	require.NoError(t, err)
	require.True(t, executable)
	require.Len(t, c.SHA(), 40)
}

func TestTheIDsChangeWithTheFiles(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	before := checkout(t, opened(t, dir, Options{}))
	require.Equal(t, before.SHA(), checkout(t, opened(t, dir, Options{})).SHA())
	put(t, dir, "a.txt", "other\n")
	after := checkout(t, opened(t, dir, Options{}))
	require.NotEqual(t, before.SHA(), after.SHA())
	for name, same := range map[string]bool{"a.txt": false, "b.txt": true} {
		old, _ := before.Blob(name)
		now, ok := after.Blob(name)
		require.True(t, ok)
		require.Equal(t, same, old == now, name)
	}
}

func TestARepositoryWithoutACommitHasItsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=trunk")
	put(t, dir, "a.txt", "one\n")
	r := opened(t, dir, Options{})
	require.Equal(t, worktree.Head{Branch: "trunk"}, r.Head())
	c := checkout(t, r, "a.txt")
	require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	_, err := commit(t, r, c)
	require.NoError(t, err)
	require.Equal(t, "two\n", text(t, dir, "a.txt"))
	require.Equal(t, "A  a.txt\n", git(t, dir, "status", "--porcelain"))
}

func TestWithoutGitNobodyKnowsWhatIsIgnored(t *testing.T) {
	dir := workTree(t, nil)
	t.Setenv("PATH", t.TempDir())
	_, err := Open(t.Context(), dir, Options{})
	require.ErrorIs(t, err, worktree.ErrNoGit)
}
