package localrepo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestARunIsWrittenAndStaged(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "old/b.txt": "b\n", "c.txt": "c\n", "run.sh": "true\n"})
	put(t, dir, "mine.txt", "my own work\n")
	put(t, dir, "a.txt", "one\nmy own line\n")
	r := opened(t, dir, Options{})
	c := checkout(t, r, "a.txt")
	require.NoError(t, c.WriteFile("a.txt", []byte("two\nmy own line\n")))
	require.NoError(t, c.WriteFile("new/d.txt", []byte("d\n")))
	require.NoError(t, c.Move("old/b.txt", "b.txt"), "it is not loaded")
	require.NoError(t, c.Remove("c.txt"))
	require.NoError(t, c.SetExecutable("run.sh", true))
	sha, err := commit(t, r, c)
	require.NoError(t, err)
	require.Len(t, sha, 40)

	require.Equal(t, "two\nmy own line\n", text(t, dir, "a.txt"))
	require.Equal(t, "b\n", text(t, dir, "b.txt"))
	require.NoDirExists(t, filepath.Join(dir, "old"))
	require.Equal(t, "M  a.txt\nR  old/b.txt -> b.txt\nD  c.txt\nA  new/d.txt\nM  run.sh\n?? mine.txt\n",
		git(t, dir, "status", "--porcelain"))
	m := made(t, r)
	require.Empty(t, m.SHA)
	require.Len(t, m.Files, 6)
	require.True(t, m.Files[0].Dirty, "a.txt had changes of the person")
	require.Equal(t, "one\nmy own line\n", string(m.Files[0].Before))
	require.False(t, m.Files[1].Dirty)
}

func TestACommitHasTheFilesOfTheRunAlone(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "staged.txt": "x\n"})
	put(t, dir, "staged.txt", "my own work\n")
	git(t, dir, "add", "staged.txt")
	put(t, dir, ".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\nexit 1\n")
	require.NoError(t, os.Chmod(filepath.Join(dir, ".git/hooks/pre-commit"), 0o755))
	git(t, dir, "config", "commit.gpgSign", "true")
	r := opened(t, dir, Options{Commit: true})
	c := checkout(t, r, "a.txt")
	require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	sha, err := commit(t, r, c)
	require.NoError(t, err)
	m := made(t, r)
	require.NoError(t, m.Uncommitted)
	require.Equal(t, sha, m.SHA)
	require.Equal(t, []string{"pre-commit"}, m.Hooks)
	require.NoFileExists(t, filepath.Join(dir, "ran"))
	require.Equal(t, sha+" Maria <maria@example.com> Maria Say goodbye\n\nTenon-Run: 1\n\n\nM\ta.txt\n",
		git(t, dir, "show", "--format=%H %an <%ae> %cn %B", "--name-status"))
	require.Equal(t, "M  staged.txt\n", git(t, dir, "status", "--porcelain"))
	left, err := filepath.Glob(filepath.Join(dir, ".git/tenon/index-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAFileThatChangedMeanwhileIsNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n"})
	for name, change := range map[string]func(){
		"a loaded file":     func() { put(t, dir, "a.txt", "meanwhile\n") },
		"one that is moved": func() { put(t, dir, "b.txt", "meanwhile, longer\n") },
		"a new file":        func() { put(t, dir, "new.txt", "meanwhile\n") },
		"a removed file":    func() { require.NoError(t, os.Remove(filepath.Join(dir, "c.txt"))) },
	} {
		git(t, dir, "reset", "--quiet", "--hard")
		_ = os.Remove(filepath.Join(dir, "new.txt"))
		r := opened(t, dir, Options{})
		c := checkout(t, r, "a.txt", "c.txt")
		require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
		require.NoError(t, c.WriteFile("c.txt", []byte("two\n")))
		require.NoError(t, c.WriteFile("new.txt", []byte("two\n")))
		require.NoError(t, c.Move("b.txt", "d.txt"))
		change()
		_, err := commit(t, r, c)
		require.ErrorIs(t, err, port.ErrMoved, name)
		require.NoFileExists(t, filepath.Join(dir, "d.txt"), name)
		require.NotContains(t, git(t, dir, "diff"), "two", name)
		now := checkout(t, r)
		require.NotEqual(t, c.SHA(), now.SHA(), name)
		past, err := r.Past(t.Context(), c.SHA())
		require.NoError(t, err)
		data, err := past.ReadFile("a.txt")
		require.NoError(t, err, name)
		require.Equal(t, "one\n", string(data), "what the model saw is known")
	}
}

func TestAnotherFileMayChangeMeanwhile(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	r := opened(t, dir, Options{})
	c := checkout(t, r, "a.txt", "b.txt")
	require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	put(t, dir, "b.txt", "meanwhile\n")
	_, err := commit(t, r, c)
	require.NoError(t, err)
	require.Equal(t, "two\n", text(t, dir, "a.txt"))
	require.Equal(t, "meanwhile\n", text(t, dir, "b.txt"))
}

func TestNothingIsWrittenIfAFileCannotBe(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	r := opened(t, dir, Options{})
	c := checkout(t, r, "a.txt")
	require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
	require.NoError(t, c.WriteFile("b/c.txt", []byte("c\n")))
	put(t, dir, "b", "a file is where the folder would be\n")
	_, err := commit(t, r, c)
	require.Error(t, err)
	require.Equal(t, "one\n", text(t, dir, "a.txt"))
}

func TestWhatCannotBeCommittedIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	git(t, dir, "config", "user.useConfigOnly", "true")
	r := opened(t, dir, Options{Commit: true})
	for what, prepare := range map[string]func(){
		"a merge is not finished": func() { put(t, dir, ".git/MERGE_HEAD", git(t, dir, "rev-parse", "HEAD")) },
		"who you are":             func() { git(t, dir, "config", "user.name", "") },
	} {
		prepare()
		c := checkout(t, r, "a.txt")
		require.NoError(t, c.WriteFile("a.txt", []byte("two\n")))
		_, err := commit(t, r, c)
		var user *port.UserError
		require.ErrorAs(t, err, &user)
		require.Contains(t, user.Text, what)
		require.Equal(t, "one\n", text(t, dir, "a.txt"))
		_ = os.Remove(filepath.Join(dir, ".git/MERGE_HEAD"))
	}
}
