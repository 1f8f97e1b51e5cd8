package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestTheOverlayKeepsWritesToItselfUntilFlush(t *testing.T) {
	t.Parallel()
	below := engine.MemTree{"a": []byte("1")}
	over := newOverlay(below)
	_, err := over.ReadFile("a")
	require.NoError(t, err)
	require.NoError(t, over.WriteFile("a", []byte("2")))
	require.NoError(t, over.WriteFile("dir/b", []byte("3")))

	require.Equal(t, engine.MemTree{"a": []byte("1")}, below)
	data, err := over.ReadFile("a")
	require.NoError(t, err)
	require.Equal(t, "2", string(data))
	files, err := over.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"a", "dir/b"}, files)
	kind, err := over.Kind("dir")
	require.NoError(t, err)
	require.Equal(t, engine.Folder, kind)

	written, err := over.flush([]string{"a", "dir/b"})
	require.NoError(t, err)
	require.Equal(t, []string{"a", "dir/b"}, written)
	require.Equal(t, engine.MemTree{"a": []byte("2"), "dir/b": []byte("3")}, below)
}

// An editor saves the file between reading and writing: its work is not overwritten.
func TestFlushDoesNotOverwriteWhatSomebodyElseWrote(t *testing.T) {
	t.Parallel()
	below := engine.MemTree{"a": []byte("1"), "b": []byte("1")}
	over := newOverlay(below)
	for _, name := range []string{"a", "b"} {
		_, err := over.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, over.WriteFile(name, []byte("2")))
	}
	below["b"] = []byte("saved meanwhile")
	written, err := over.flush([]string{"a", "b"})
	require.ErrorIs(t, err, errEdited)
	require.ErrorContains(t, err, "1 of 2 files are written")
	require.Equal(t, []string{"a"}, written)
	require.Equal(t, "saved meanwhile", string(below["b"]))

	over = newOverlay(below)
	require.NoError(t, over.WriteFile("new", []byte("2")))
	below["new"] = []byte("made meanwhile")
	_, err = over.flush([]string{"new"})
	require.ErrorIs(t, err, errEdited)
}
