package tree_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/tree"
)

func TestATreeInMemoryHasTheFoldersAboveItsFiles(t *testing.T) {
	t.Parallel()
	files := tree.MemTree{"a/b/c": []byte("text\n"), "d": nil}
	for name, want := range map[string]tree.Kind{
		"a": tree.Folder, "a/b": tree.Folder, "a/b/c": tree.File, "d": tree.File, "a/b/": tree.Absent,
		"a/": tree.Absent, "a/c": tree.Absent, "b": tree.Absent,
	} {
		kind, err := files.Kind(name)
		require.NoError(t, err)
		require.Equal(t, want, kind, name)
	}
	require.NoError(t, files.WriteFile("a/x", []byte("new\n")))
	names, err := files.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"a/b/c", "a/x", "d"}, names)
	data, err := files.ReadFile("a/x")
	require.NoError(t, err)
	require.Equal(t, "new\n", string(data))
	_, err = files.ReadFile("a")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
