package bare_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

func TestAMirrorLeadsFromACommitToWhatWasMadeOnIt(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).Create(t, "acme/shop", gittest.Loose)
	first := r.Commit("main", files)
	second := r.Commit("main", gittest.Files(map[string]string{"a.go": "package b\n"}))
	r.Git("branch", "side", second)
	third := r.Commit("main", gittest.Files(map[string]string{"a.go": "package c\n"}))
	side := r.Commit("side", gittest.Files(map[string]string{"a.go": "package d\n"}))
	r.Git("-c", "user.name=Maria", "-c", "user.email=maria@example.com", "tag", "-a", "-m", "v1", "v1", side)
	r.Git("update-ref", "-d", "refs/heads/side")
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "acme+shop"), 0o755))
	require.NoError(t, os.Rename(r.Dir, filepath.Join(folder, "acme+shop", "repo")))
	m := bare.NewMirror(folder)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	shop := port.RepoRef{Owner: "acme", Name: "shop"}

	descendants, err := m.Descendants(shop, first)
	require.NoError(t, err)
	got := slices.Collect(descendants)
	require.Equal(t, second, got[0], "the nearest comes first")
	require.ElementsMatch(t, []string{second, third, side}, got)
	descendants, err = m.Descendants(shop, third)
	require.NoError(t, err)
	require.Empty(t, slices.Collect(descendants))

	data, err := m.FilesAt(shop, side, "a.go", "a", "a/link", "none.go")
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("package d\n"), nil, nil, nil}, data, "only files of that commit")
	_, err = m.FilesAt(shop, "0000000000000000000000000000000000000000", "a.go")
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = m.Descendants(port.RepoRef{Owner: "acme", Name: "mill"}, first)
	require.ErrorIs(t, err, port.ErrNotFound)
}
