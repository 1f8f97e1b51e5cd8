package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsKnownOfALineEndsWithTheNextEdit(t *testing.T) {
	t.Parallel()
	file := newText(nil, []byte("a\nb\nc\n"))
	want := []string{"b", "d"}

	require.Equal(t, map[string][]int{"b": {1}, "d": nil}, file.indexLines(keyExact, want, 1))
	require.Empty(t, file.occurrences(file.lineKeys(keyExact), []string{"c", "d"}))
	file.spliceAll([]edit{{3, 3, []string{"d", "b"}}})

	require.Equal(t, map[string][]int{"b": {1, 4}, "d": {3}}, file.indexLines(keyExact, want, 1))
	require.Equal(t, []int{2}, file.occurrences(file.lineKeys(keyExact), []string{"c", "d"}))
}

func TestASearchThatFoundNothingIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	file := newText(nil, []byte("a\nb\nc\n"))
	search := func() { require.Empty(t, file.occurrences(file.lineKeys(keyTrimRight), []string{"a", "c"})) }

	search()
	once := file.comparisons
	search()

	require.Positive(t, once)
	require.Equal(t, once, file.comparisons)
}

func TestAnIndexIsOfTheLinesThatAreWanted(t *testing.T) {
	t.Parallel()
	file := newText(nil, []byte(" a\nb\nb\n"))

	require.Empty(t, file.indexLines(keyExact, []string{"a"}, 1)["a"])
	require.Equal(t, []int{0}, file.indexLines(keyTrimSpace, []string{"a"}, 1)["a"])
	require.Equal(t, []int{1, 2}, file.indexLines(keyTrimSpace, []string{"b"}, 2)["b"])
	require.Equal(t, []int{1}, file.indexLines(keyTrimSpace, []string{"b"}, 0)["b"])
}
