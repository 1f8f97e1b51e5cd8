package bare_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// files has names that git sorts in another order than by their bytes: it takes the folder a for "a/".
var files = map[string]gittest.File{
	"a/b.go":    {Data: "package b\n"},
	"a.go":      {Data: "package a\n"},
	"a/run.sh":  {Mode: "100755", Data: "#!/bin/sh\n"},
	"a/link":    {Mode: "120000", Data: "b.go"},
	"vendored":  {Mode: "160000", Data: "0123456789012345678901234567890123456789"},
	"empty.txt": {},
}

func open(t *testing.T, folder, commit string) *bare.Checkout {
	t.Helper()
	r, err := bare.Open(folder)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	c, err := r.Checkout(commit)
	require.NoError(t, err)
	return c
}

func TestACheckoutHasTheTreeOfItsCommit(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).Create(t, "acme/shop", gittest.Loose)
	commit := r.Commit("main", files)
	r.Commit("main", gittest.Files(map[string]string{"later.go": "package later\n"}))
	for name, pack := range map[string]func(){"loose objects": func() {}, "packed": func() { r.Git("repack", "-adq") }} {
		pack()
		c := open(t, r.Dir, commit)
		require.Equal(t, commit, c.SHA(), name)
		require.Equal(t, r.Git("rev-parse", commit+"^{tree}"), c.Tree(), name)
		list, err := c.Files()
		require.NoError(t, err, name)
		require.Equal(t, []string{"a.go", "a/b.go", "a/run.sh", "empty.txt"}, list, "sorted by their bytes")
		links, err := c.Links("a")
		require.NoError(t, err)
		require.Equal(t, []string{"a/link"}, links)
		for path, want := range map[string]engine.Kind{
			"a": engine.Folder, "a.go": engine.File, "a/link": engine.Symlink, "vendored": engine.Submodule,
			"later.go": engine.Absent,
		} {
			kind, err := c.Kind(path)
			require.NoError(t, err)
			require.Equal(t, want, kind, path)
		}
		id, ok := c.Blob("a.go")
		require.True(t, ok)
		require.Equal(t, r.Git("rev-parse", commit+":a.go"), id)
		_, ok = c.Blob("a")
		require.False(t, ok, "a folder is no blob")
		executable, err := c.Executable("a/run.sh")
		require.NoError(t, err)
		require.True(t, executable)
		executable, err = c.Executable("a.go")
		require.NoError(t, err)
		require.False(t, executable)
		_, err = c.Executable("a/link")
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
}

func TestAFileCanBeReadOnceItIsLoaded(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).Create(t, "acme/shop", gittest.Loose)
	large := gittest.File{Data: strings.Repeat("0123456789abcde\n", 1<<20) + "and one line more\n"}
	commit := r.Commit("main", map[string]gittest.File{
		"a.go": files["a.go"], "large.txt": large, "lost.txt": {Data: "lost\n"},
	})
	id := r.Git("rev-parse", commit+":lost.txt")
	require.NoError(t, os.Remove(filepath.Join(r.Dir, "objects", id[:2], id[2:])))
	c := open(t, r.Dir, commit)
	_, err := c.ReadFile("a.go")
	require.ErrorIs(t, err, gitrepo.ErrNotLoaded)
	require.NoError(t, c.Load(t.Context(), "a.go", "absent.go", "large.txt", "lost.txt"))
	data, err := c.ReadFile("a.go")
	require.NoError(t, err)
	require.Equal(t, "package a\n", string(data))
	_, err = c.ReadFile("absent.go")
	require.ErrorIs(t, err, fs.ErrNotExist)
	for _, name := range []string{"large.txt", "lost.txt"} {
		_, err = c.ReadFile(name)
		require.ErrorIs(t, err, engine.ErrTooLarge, name)
		require.ErrorAs(t, err, new(*port.UserError), name)
	}
}

func TestSomeFilesAreLoadedUpToABound(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).Create(t, "acme/shop", gittest.Loose)
	commit := r.Commit("main", gittest.Files(map[string]string{
		"a.go": strings.Repeat("a", 60), "b.go": strings.Repeat("b", 60), "c.go": strings.Repeat("c", 40),
	}))
	for name, pack := range map[string]func(){"loose objects": func() {}, "packed": func() { r.Git("repack", "-adq") }} {
		pack()
		c := open(t, r.Dir, commit)
		require.NoError(t, c.LoadSome(t.Context(), 100, "absent.go", "a.go", "b.go", "c.go"), name)
		_, err := c.ReadFile("b.go")
		require.ErrorIs(t, err, gitrepo.ErrNotLoaded, "it exceeds the bound: %s", name)
		for _, file := range []string{"a.go", "c.go"} {
			_, err := c.ReadFile(file)
			require.NoError(t, err, "%s: %s", name, file)
		}
		require.NoError(t, c.LoadSome(t.Context(), 60, "a.go", "b.go"), name)
		_, err = c.ReadFile("b.go")
		require.NoError(t, err, "what was loaded before does not count: %s", name)
	}
}

func TestACheckoutCanOnlyBeRead(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).Create(t, "acme/shop", gittest.Loose)
	c := open(t, r.Dir, r.Commit("main", files))
	require.ErrorIs(t, c.WriteFile("a.go", nil), bare.ErrReadOnly)
	require.ErrorIs(t, c.Remove("a.go"), bare.ErrReadOnly)
	require.ErrorIs(t, c.Move("a.go", "b.go"), bare.ErrReadOnly)
	require.ErrorIs(t, c.SetExecutable("a.go", true), bare.ErrReadOnly)
	require.ErrorIs(t, c.Put("a.go", "", ""), bare.ErrReadOnly)
	_, err := c.Commit(t.Context(), repo.CommitRequest{Branch: "main", Message: "change"})
	require.ErrorIs(t, err, bare.ErrReadOnly)
	changes, err := c.Changes()
	require.NoError(t, err)
	require.Empty(t, changes)
}

func TestAMirrorSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := gittest.New(t)
	commits := map[string]string{}
	for _, name := range []string{"shop", "lathe"} {
		r := server.Create(t, "acme/"+name, gittest.Loose)
		commits[name] = r.Commit("main", gittest.Files(map[string]string{name + ".go": "package " + name + "\n"}))
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "acme+"+name), 0o755))
		require.NoError(t, os.Rename(r.Dir, filepath.Join(folder, "acme+"+name, "repo")))
	}
	m := bare.NewMirror(folder)
	defer func() { require.NoError(t, m.Close()) }()
	for _, name := range []string{"shop", "lathe", "shop"} {
		c, err := m.Checkout(port.RepoRef{Owner: "acme", Name: name}, commits[name])
		require.NoError(t, err)
		list, err := c.Files()
		require.NoError(t, err)
		require.Equal(t, []string{name + ".go"}, list)
	}
	_, err := m.Checkout(port.RepoRef{Owner: "acme", Name: "mill"}, commits["shop"])
	require.ErrorIs(t, err, port.ErrNotFound)
	require.ErrorContains(t, err, "the mirror lacks acme/mill: "+filepath.Join(folder, "acme+mill", "repo"))
	_, err = m.Checkout(port.RepoRef{Owner: "acme", Name: "shop"}, commits["lathe"])
	require.ErrorIs(t, err, port.ErrNotFound)
	require.ErrorContains(t, err, "no commit "+commits["lathe"])
	_, err = m.Checkout(port.RepoRef{Owner: "acme", Name: "shop"}, "main")
	require.ErrorContains(t, err, `"main" is not a commit id`)
}
