package localrepo

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// document returns the document of a file, as the next command in the work tree knows it; nil if it knows none.
func document(t *testing.T, dir, name string) *lexical.Document {
	t.Helper()
	r := opened(t, dir, Options{})
	id, ok := checkout(t, r).Blob(name)
	require.True(t, ok)
	return r.Documents().Get(id, name)
}

// indexed has a command index a file that was written so long ago.
func indexed(t *testing.T, dir, name string, ago time.Duration) *lexical.Document {
	t.Helper()
	r, err := Open(t.Context(), dir, Options{})
	require.NoError(t, err)
	if ago > recently {
		clear(r.shelf.recent) // the time of a change of a file cannot be set
	}
	c := checkout(t, r, name)
	data, err := c.ReadFile(name)
	require.NoError(t, err)
	id, _ := c.Blob(name)
	d := lexical.NewDocument(name, data)
	r.Documents().Put(id, name, d)
	require.NoError(t, r.Close())
	return d
}

func TestTheNextCommandKnowsTheFiles(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.go": "package a\n\nfunc Greet() {}\n", "b.go": "package b\n\nvar B = 1\n"})
	a, b := indexed(t, dir, "a.go", time.Hour), indexed(t, dir, "b.go", time.Hour)
	require.Equal(t, a, document(t, dir, "a.go"), "what an earlier command indexed is kept")
	require.Equal(t, b, document(t, dir, "b.go"))
	info, err := os.Stat(filepath.Join(dir, ".git/tenon/index"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	put(t, dir, "a.go", "package a\n\nfunc Other() {}\n")
	require.Nil(t, document(t, dir, "a.go"), "it is another file")
	require.NotNil(t, document(t, dir, "b.go"))
}

func TestAFileThatWasJustWrittenIsReadAgain(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.go": "package a\n"})
	indexed(t, dir, "a.go", 0)
	require.Nil(t, document(t, dir, "a.go"))
}

// A file that is not to be shown has an empty document, which would hide why.
func TestAnEmptyDocumentIsNotKept(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.go": ""})
	indexed(t, dir, "a.go", time.Hour)
	require.Nil(t, document(t, dir, "a.go"))
}

func TestADamagedIndexIsNone(t *testing.T) {
	t.Parallel()
	dir := workTree(t, map[string]string{"a.go": "package a\n\nfunc Greet() {}\n"})
	want := indexed(t, dir, "a.go", time.Hour)
	id, _ := checkout(t, opened(t, dir, Options{})).Blob("a.go")
	file := filepath.Join(dir, ".git/tenon/index")
	sound, err := os.ReadFile(file)
	require.NoError(t, err)
	for i := range sound {
		damaged := append([]byte{}, sound...)
		damaged[i] ^= 0x81
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		if d := openShelf(filepath.Dir(file)).Get(id, ".go"); d != nil {
			require.Equal(t, want, d, "byte %d", i)
		}
	}
	for n := range len(sound) {
		require.NoError(t, os.WriteFile(file, sound[:n], 0o600))
		require.Nil(t, openShelf(filepath.Dir(file)).Get(id, ".go"))
	}
	require.NoError(t, os.WriteFile(file, append([]byte{0xff}, sound[1:]...), 0o600))
	require.Nil(t, document(t, dir, "a.go"), "another build has written it")
}
