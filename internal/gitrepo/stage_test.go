package gitrepo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

func TestWhatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{
		"big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
	}))
	c := w.open(t)
	require.NoError(t, c.Load(t.Context(), "big.bin"))
	for name, says := range map[string]string{
		"big.bin": "is stored in Git LFS", "link": "there is a link there", "vendored": "there is a submodule there",
		"cmd":    "there is a folder there",
		"link/x": "link is a link", "vendored/x": "vendored is a submodule", "README.md/x": "README.md is a file",
		"README.md": "was not loaded", "../x": "leads out", "a/../x": "leads out", ".git/config": "git's own",
		"a/.GIT/x": "git's own",
		"":         "is empty", "/x": "is empty", "a//b": "is empty", "a/": "is empty", "a\x00b": "NUL",
		strings.Repeat("x", 5000): "longer than 4096 bytes", strings.Repeat("x/", 300) + "x": "more than 256 folders deep",
	} {
		require.ErrorContains(t, c.WriteFile(name, []byte("x")), says, name)
		require.ErrorContains(t, c.Move("cmd/main.go", name), "moving", name)
	}
	again := w.open(t)
	require.ErrorContains(t, again.WriteFile("big.bin", []byte("x")), "is stored in Git LFS", "out of the cache")
	require.Error(t, c.Remove("cmd"))
	require.Error(t, c.Remove("link"))
	_, err := c.Commit(t.Context(), request("main"))
	require.ErrorIs(t, err, gitrepo.ErrNoChange)
}

func TestWritingWhatStandsThereIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	require.NoError(t, c.Load(t.Context(), "README.md"))
	require.NoError(t, c.WriteFile("README.md", []byte("other")))
	require.NoError(t, c.WriteFile("README.md", []byte("# anvil\n")))
	require.NoError(t, c.WriteFile("new", []byte("other")))
	require.NoError(t, c.Remove("new"))
	_, err := c.Commit(t.Context(), request("main"))
	require.ErrorIs(t, err, gitrepo.ErrNoChange)
}

func TestNamesInGitsOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	for _, name := range []string{"a/z", "a-b", "a.b", "a0", "ab/c", "ab.c", "A", "é/x", "z z", "cmd/aaa/x", "cmd/zzz"} {
		require.NoError(t, c.WriteFile(name, []byte(name)))
	}
	made, err := c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	w.repo.Fsck()
	again, err := w.repos.Open(t.Context(), acme, "refs/heads/main", made.SHA)
	require.NoError(t, err)
	staged, err := c.Files()
	require.NoError(t, err)
	opened, err := again.Files()
	require.NoError(t, err)
	require.Equal(t, staged, opened)
	require.IsIncreasing(t, opened)
}

func TestOddSignaturesAndMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	for i, name := range []string{"", "<>", "a<b>c\nd\x00e", "..", "é\xffx", "\"quoted\""} {
		c := w.open(t)
		require.NoError(t, c.WriteFile("x", fmt.Appendf(nil, "%d", i)))
		req := request("main")
		req.Author = repo.Signature{Name: name, Email: name, When: time.Unix(1_700_000_000, 0).In(time.FixedZone("odd",
			12345))}
		req.Message = "subject\n\nbody\n\n\n"
		made, err := c.Commit(t.Context(), req)
		require.NoError(t, err, name)
		w.tip = made.SHA
	}
	w.repo.Fsck()
	c := w.open(t)
	require.NoError(t, c.WriteFile("x", nil))
	for _, message := range []string{"", "\n", "a\x00b"} {
		req := request("main")
		req.Message = message
		_, err := c.Commit(t.Context(), req)
		require.ErrorContains(t, err, "needs a message", message)
	}
}

func TestLinksAndSubmodulesBelowAFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.tip = w.repo.Commit("main", map[string]gittest.File{
		"docs/a/link": {Mode: "120000", Data: "b/c.txt"}, "docs/sub": {Mode: "160000", Data: strings.Repeat("12", 20)},
	})
	c := w.open(t)
	for _, staged := range []bool{false, true} {
		links, err := c.Links("docs")
		require.NoError(t, err)
		require.Equal(t, []string{"docs/a/link", "docs/sub"}, links)
		for _, name := range []string{"cmd", "README.md", "link", "nothing"} {
			links, err := c.Links(name)
			require.NoError(t, err)
			require.Empty(t, links, name)
		}
		if !staged {
			require.NoError(t, c.Move("docs/a/b/c.txt", "docs/a/c.txt"))
		}
	}
}
