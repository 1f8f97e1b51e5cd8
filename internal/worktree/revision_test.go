package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARevisionHasTheFilesOfItsCommit(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	committed := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		git(t, dir, "add", "--all")
		git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", name)
	}
	committed("sub/*.go", "a name, no pattern\n")
	committed("large", strings.Repeat("x", maxBlob+1))
	require.NoError(t, os.Symlink("large", filepath.Join(dir, "link")))
	committed("sub/*.go", "changed\n")
	tree := opened(t, dir)

	const before = "a name, no pattern\n"
	for rev, want := range map[string]string{"HEAD": "changed\n", "HEAD~1": before, "HEAD^^": before} {
		r, err := tree.Revision(t.Context(), rev)
		require.NoError(t, err)
		data, ok, err := r.ReadFile(t.Context(), "sub/*.go")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, string(data))
		for _, name := range []string{"sub", "sub/a.go", "large", "link", "../x", ".git/config", "-x"} {
			_, ok, err := r.ReadFile(t.Context(), name)
			require.NoError(t, err)
			require.False(t, ok, name)
		}
	}
}

func TestARevisionIsReadAsACheckoutWouldWriteIt(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("dos.txt text eol=crlf\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dos.txt"), []byte("a\r\nb\r\n"), 0o600))
	git(t, dir, "add", "--all")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", "dos")
	r, err := opened(t, dir).Revision(t.Context(), "HEAD")
	require.NoError(t, err)
	data, ok, err := r.ReadFile(t.Context(), "dos.txt")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "a\r\nb\r\n", string(data))
}

func TestANameOfNoCommitIsNoRevision(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	tree := opened(t, dir)
	for _, rev := range []string{"", "nowhere", "--all", "HEAD:main.go", "HEAD^{tree}"} {
		_, err := tree.Revision(t.Context(), rev)
		require.ErrorContains(t, err, "there is no commit", rev)
	}
	_, err := withoutGit(t, dir).Revision(t.Context(), "HEAD")
	require.ErrorIs(t, err, ErrNoGit)
}
