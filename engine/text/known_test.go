package text

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

func TestWhatIsKnownOfALineEndsWithTheNextEdit(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte("a\nb\nc\n"))
	want := []string{"b", "d"}

	require.Equal(t, map[string][]int{"b": {1}, "d": nil}, file.Index(Exact, want, 1))
	require.Empty(t, Search(nil, file.Keys(Exact), []string{"c", "d"}))
	file.Splice([]Edit{{3, 3, []string{"d", "b"}}})

	require.Equal(t, map[string][]int{"b": {1, 4}, "d": {3}}, file.Index(Exact, want, 1))
	require.Equal(t, []int{2}, Search(nil, file.Keys(Exact), []string{"c", "d"}))
}

func TestAnIndexIsOfTheLinesThatAreWanted(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte(" a\nb\nb\n"))

	require.Empty(t, file.Index(Exact, []string{"a"}, 1)["a"])
	require.Equal(t, []int{0}, file.Index(TrimSpace, []string{"a"}, 1)["a"])
	require.Equal(t, []int{1, 2}, file.Index(TrimSpace, []string{"b"}, 1)["b"], "other lines, as often")
	require.Equal(t, []int{1, 2}, file.Index(TrimSpace, []string{"b"}, 2)["b"])
	require.Equal(t, []int{1}, file.Index(TrimSpace, []string{"b"}, 0)["b"])
}

func TestWhatIsKnownIsNotSearchedForTwice(t *testing.T) {
	t.Parallel()
	w := meter.Of(100_000)
	file := New(w, []byte("one(1)\n  “two”\n\nthree \n"))
	ask := func() (spent int) {
		before := w.Spent()
		for _, kind := range []KeyKind{Exact, TrimRight, TrimSpace, FoldTrimRight, FoldTrimSpace} {
			require.Len(t, file.Keys(kind), 4)
			require.Equal(t, []int{0, 1, 3}, file.NonBlank(kind).Index)
		}
		require.Equal(t, map[string][]int{"\"two\"": {1}}, file.Index(FoldTrimSpace, []string{"\"two\""}, 1))
		require.True(t, file.HasWord("three"))
		require.False(t, file.HasWord("thre"))
		return w.Spent() - before
	}
	require.Positive(t, ask())
	require.Zero(t, ask())
	file.Splice([]Edit{{0, 1, []string{"one(2)"}}})
	require.Positive(t, ask())
}

// A file of ASCII has no characters that look like others, so the keys with and without them are the same ones.
func TestKeysThatFoldCostNothingMoreInAFileOfASCII(t *testing.T) {
	t.Parallel()
	w := meter.Of(100_000)
	file := New(w, []byte(" \"one\"  \n"))
	require.Equal(t, []string{"\"one\""}, file.Keys(TrimSpace))
	require.Equal(t, []string{" \"one\""}, file.NonBlank(TrimRight).Keys)
	require.Equal(t, []string{" \"one\""}, file.Keys(FoldTrimRight))
	spent := w.Spent()
	require.Equal(t, []string{"\"one\""}, file.Keys(FoldTrimSpace))
	require.Equal(t, []string{" \"one\""}, file.NonBlank(FoldTrimRight).Keys)
	require.Equal(t, spent, w.Spent())
}

func TestNothingIsIndexedWithoutWork(t *testing.T) {
	t.Parallel()
	for units := range 4 {
		file := New(nil, []byte("a\nb\nc\n"))
		file.Work = meter.Of(units)
		require.Nil(t, file.Index(Exact, []string{"a"}, 1), "%d units", units)
		require.Nil(t, file.Index(Exact, []string{"a"}, 1), "again")
	}
	file := New(nil, []byte("a\nb\nc\n"))
	file.Work = meter.Of(8)
	require.Equal(t, []int{0}, file.Index(Exact, []string{"a"}, 1)["a"])
}
