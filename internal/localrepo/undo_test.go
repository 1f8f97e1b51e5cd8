package localrepo

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port/repo"
)

// ran has a run change files as stage says, and returns the repository.
func ran(t *testing.T, dir string, opts Options, stage func(c repo.Checkout)) *Repo {
	t.Helper()
	r := opened(t, dir, opts)
	c := checkout(t, r)
	names, err := c.Files()
	require.NoError(t, err)
	require.NoError(t, c.Load(t.Context(), names...))
	stage(c)
	_, err = commit(t, r, c)
	require.NoError(t, err)
	require.NoError(t, made(t, r).NoUndo)
	return r
}

func TestTheLastRunIsUndoneAndTheOneBeforeIt(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "gone.txt": "gone\n", "b.txt": "b\n", "run.sh": "true\n"})
	put(t, dir, "a.txt", "one\nmy own line\n")
	before := git(t, dir, "status", "--porcelain")
	ran(t, dir, Options{Task: "first"}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("two\nmy own line\n")))
		require.NoError(t, c.WriteFile("deep/new.txt", []byte("new\n")))
		require.NoError(t, c.Remove("gone.txt"))
		require.NoError(t, c.Move("b.txt", "c.txt"))
		require.NoError(t, c.SetExecutable("run.sh", true))
	})
	r := ran(t, dir, Options{Task: "second"}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("deep/new.txt", []byte("newer\n")))
	})
	done, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.Equal(t, "second", done.Task)
	require.NoError(t, done.Unstaged)
	require.Equal(t, "new\n", text(t, dir, "deep/new.txt"))

	done, err = r.Undo(t.Context())
	require.NoError(t, err)
	require.Equal(t, "first", done.Task)
	require.Len(t, done.Files, 6)
	require.Equal(t, "one\nmy own line\n", text(t, dir, "a.txt"))
	require.NoDirExists(t, filepath.Join(dir, "deep"))
	require.Equal(t, before, git(t, dir, "status", "--porcelain"), "the index is as it was too")

	_, err = r.Undo(t.Context())
	require.ErrorIs(t, err, ErrNothingToUndo)
}

func TestChangesSinceTheRunStay(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n2\n3\n4\n5\n"})
	r := ran(t, dir, Options{}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("ONE\n2\n3\n4\n5\n")))
	})
	put(t, dir, "a.txt", "ONE\n2\n3\n4\nfive\n")
	_, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.Equal(t, "one\n2\n3\n4\nfive\n", text(t, dir, "a.txt"))
	require.Equal(t, " M a.txt\n", git(t, dir, "status", "--porcelain"))
}

func TestAnUndoThatWouldLoseWorkIsRefused(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n2\n", "b.txt": "b\n", "gone.txt": "x\n", "c.txt": "c\n"})
	r := ran(t, dir, Options{}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("ONE\n2\n")))
		require.NoError(t, c.WriteFile("b.txt", []byte("B\n")))
		require.NoError(t, c.WriteFile("c.txt", []byte("C\n")))
		require.NoError(t, c.WriteFile("new.txt", []byte("new\n")))
		require.NoError(t, c.Remove("gone.txt"))
	})
	put(t, dir, "a.txt", "once\n2\n")
	put(t, dir, "new.txt", "newer\n")
	put(t, dir, "gone.txt", "another\n")
	require.NoError(t, os.Remove(filepath.Join(dir, "c.txt")))
	_, err := r.Undo(t.Context())
	require.EqualError(t, err, "nothing was reverted, because files were changed since: "+
		"a.txt at line 1 (lines that the run changed were changed again); c.txt (it was removed); "+
		"gone.txt (the run removed it, and there is another file now); "+
		"new.txt (the run created it, and it was changed)")
	require.Equal(t, "once\n2\n", text(t, dir, "a.txt"))
	require.Equal(t, "B\n", text(t, dir, "b.txt"))

	put(t, dir, "a.txt", "ONE\n2\n")
	put(t, dir, "c.txt", "C\n")
	require.NoError(t, os.Remove(filepath.Join(dir, "new.txt")))
	require.NoError(t, os.Remove(filepath.Join(dir, "gone.txt")))
	_, err = r.Undo(t.Context())
	require.NoError(t, err, "it is still there to be undone")
	require.Empty(t, git(t, dir, "status", "--porcelain"))
}

func TestACommitIsRevertedByAnother(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n2\n3\n4\n5\n", "dirty.txt": "x\n"})
	put(t, dir, "dirty.txt", "x\nmy own line\n")
	r := ran(t, dir, Options{Commit: true}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("ONE\n2\n3\n4\n5\n")))
		require.NoError(t, c.WriteFile("dirty.txt", []byte("X\nmy own line\n")))
		require.NoError(t, c.WriteFile("new.txt", []byte("new\n")))
	})
	put(t, dir, "a.txt", "ONE\n2\n3\n4\nfive\n")
	git(t, dir, "commit", "--quiet", "-a", "-m", "later")
	done, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.Equal(t, done.SHA, strings.TrimSpace(git(t, dir, "rev-parse", "HEAD")))
	require.Equal(t, "Revert \"Say goodbye\"\n\nThis reverts commit "+done.Reverted+".\n\n",
		git(t, dir, "show", "-s", "--format=%B"))
	require.Equal(t, "one\n2\n3\n4\nfive\n", git(t, dir, "show", "HEAD:a.txt"))
	require.Equal(t, "x\n", git(t, dir, "show", "HEAD:dirty.txt"), "what the person had not committed is not committed")
	require.Equal(t, "x\nmy own line\n", text(t, dir, "dirty.txt"))
	require.Equal(t, " M dirty.txt\n", git(t, dir, "status", "--porcelain"))
}

func TestACommitThatIsNoLongerThereIsNotReverted(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	r := ran(t, dir, Options{Commit: true}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	})
	git(t, dir, "reset", "--quiet", "--hard", "HEAD~1")
	done, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.Empty(t, done.Files)
	require.Empty(t, done.SHA)
	require.Equal(t, "1\n", git(t, dir, "rev-list", "--count", "HEAD"))
}

func TestTheFirstCommitOfARepositoryIsReverted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	git(t, dir, "config", "user.name", "Maria")
	git(t, dir, "config", "user.email", "maria@example.com")
	r := ran(t, dir, Options{Commit: true}, func(c repo.Checkout) {
		require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	})
	done, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, done.SHA)
	require.Empty(t, git(t, dir, "ls-tree", "HEAD"))
	require.NoFileExists(t, filepath.Join(dir, "a.txt"))
}

func TestRecordsArePrivateAndFew(t *testing.T) {
	t.Parallel()
	store := undoStore{filepath.Join(t.TempDir(), "tenon", "undo")}
	for i := range maxRuns + 5 {
		_, err := store.save("", undoRecord{Version: recordVersion, When: time.Unix(int64(i), 0)})
		require.NoError(t, err)
	}
	names, err := store.names()
	require.NoError(t, err)
	require.Len(t, names, maxRuns)
	for name, want := range map[string]fs.FileMode{names[0]: 0o600, ".": 0o700} {
		info, err := os.Stat(store.path(name))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm())
	}
	_, err = store.save("", undoRecord{Files: []undoFile{{Before: make([]byte, maxRunBytes+1)}}})
	require.ErrorContains(t, err, "larger than 32 MiB")

	require.NoError(t, os.WriteFile(store.path(names[0]), []byte("{"), 0o600))
	_, _, err = store.newest()
	require.ErrorContains(t, err, "it is damaged", "the run before it is not the last one")
	require.NoError(t, os.WriteFile(store.path(names[0]), []byte(`{"Version":9}`), 0o600))
	_, _, err = store.newest()
	require.ErrorContains(t, err, "another version of tenon wrote it")
}

// The process was killed between the first file and the second one.
func TestARunThatWasKilledIsUndone(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	r := opened(t, dir, Options{})
	u := r.recordUndo(t.Context(), &Made{Files: []File{
		{Path: "a.txt", Before: []byte("one\n"), After: []byte("two\n")},
		{Path: "b.txt", Before: []byte("one\n"), After: []byte("two\n")},
	}}, []string{"a.txt", "b.txt"})
	require.NoError(t, u.err)
	put(t, dir, "a.txt", "two\n")
	git(t, dir, "add", "a.txt")
	_, err := r.Undo(t.Context())
	require.NoError(t, err)
	require.Empty(t, git(t, dir, "status", "--porcelain"))
}
