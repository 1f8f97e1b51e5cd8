package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/offline"
)

func TestAnOverlayHasWhatWasStaged(t *testing.T) {
	t.Parallel()
	source := files{engine.MemTree{"a/b.txt": []byte("b"), "run.sh": []byte("true"), "c.txt": []byte("c")}}
	o := offline.NewOverlay(source)
	require.NoError(t, o.Move("a/b.txt", "d/e.txt"))
	require.NoError(t, o.WriteFile("run.sh", []byte("false")))
	require.NoError(t, o.WriteFile("new.txt", []byte("new")))
	require.NoError(t, o.Remove("new.txt"))
	require.NoError(t, o.WriteFile("c.txt", []byte("other")))
	require.NoError(t, o.Remove("c.txt"))

	names, err := o.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"d/e.txt", "run.sh"}, names)
	for name, want := range map[string]engine.Kind{"a": engine.Absent, "a/b.txt": engine.Absent, "d": engine.Folder,
		"d/e.txt": engine.File, "c.txt": engine.Absent, "new.txt": engine.Absent} {
		kind, err := o.Kind(name)
		require.NoError(t, err)
		require.Equal(t, want, kind, name)
	}
	_, err = o.ReadFile("c.txt")
	require.Error(t, err)
	require.Error(t, o.WriteFile("d", []byte("a folder")))
	require.Error(t, o.Remove("c.txt"))

	changes, err := o.Changes()
	require.NoError(t, err)
	var told []string
	for _, c := range changes {
		told = append(told, c.Path+" "+c.Mode+" "+string(c.Data))
	}
	require.Equal(t, []string{"a/b.txt  ", "c.txt  ", "d/e.txt 100644 b", "run.sh 100755 false"}, told)
	require.Equal(t, map[string][]byte{"a/b.txt": []byte("b"), "run.sh": []byte("true"), "c.txt": []byte("c")},
		map[string][]byte(source.MemTree), "the source stays as it is")
}
