package trees

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roomy are bounds that no test reaches.
var roomy = bounds{changes: 100, comparisons: 100, renameBytes: 1 << 20, texts: 100, textBytes: 1 << 20}

func refusalOf(t *testing.T, w world, b bounds) Refusal {
	t.Helper()
	got, err := within(w.input(), b)
	require.NoError(t, err)
	if got.Refusal != "" {
		require.Equal(t, Result{Refusal: got.Refusal}, got)
	}
	return got.Refusal
}

func TestMoreChangesThanAllowedAreRefused(t *testing.T) {
	t.Parallel()
	w := world{files{}, files{"a": plain, "b": short}, files{"c": short}}
	for _, w := range []world{w, w.swapped()} {
		b := roomy
		b.changes = 2
		require.Empty(t, refusalOf(t, w, b))
		b.changes = 1
		require.Equal(t, TooManyChanges, refusalOf(t, w, b))
	}
}

func TestAPathThatIsTooLongIsRefused(t *testing.T) {
	t.Parallel()
	path := strings.Repeat("a/", MaxPath/2)
	w := world{files{}, files{path[1:] + "b": plain}, files{}}
	require.Empty(t, refusalOf(t, w, roomy))
	w = world{files{}, files{}, files{path + "b": plain}}
	require.Equal(t, PathTooLong, refusalOf(t, w, roomy))
}

func TestMoreComparisonsThanAllowedAreRefused(t *testing.T) {
	t.Parallel()
	w := world{files{"a": plain}, files{"b": first, "c": short, "d": last}, files{"a": text(map[int]string{9: "nine\n"})}}
	b := roomy
	b.comparisons = 4 // three pairs, and the two of them that are as good
	require.Empty(t, refusalOf(t, w, b))
	b.comparisons = 2
	require.Equal(t, TooManyRenames, refusalOf(t, w, b))
	b = roomy
	b.renameBytes = len(plain.text) + len(first.text) + len(short.text) + len(last.text)
	require.Empty(t, refusalOf(t, w, b))
	b.renameBytes--
	require.Equal(t, TooManyRenames, refusalOf(t, w, b))
}

func TestMoreTextsThanAllowedAreRefused(t *testing.T) {
	t.Parallel()
	w := world{files{"a": plain, "b": plain}, files{"a": first, "b": first}, files{"a": last, "b": last}}
	b := roomy
	b.texts = 2
	require.Empty(t, refusalOf(t, w, b))
	b.texts = 1
	require.Equal(t, TooManyTexts, refusalOf(t, w, b))
	b = roomy
	b.textBytes = 2 * (len(plain.text) + len(first.text) + len(last.text))
	require.Empty(t, refusalOf(t, w, b))
	b.textBytes--
	require.Equal(t, TooManyTexts, refusalOf(t, w, b))
}

func TestNothingIsReadThatOnlyOneSideChanged(t *testing.T) {
	t.Parallel()
	base, theirs := files{}, files{}
	for i := range 1000 {
		base[fmt.Sprintf("old/%d", i)] = text(map[int]string{i % 20: fmt.Sprint(i)})
		theirs[fmt.Sprintf("new/%d", i)] = text(map[int]string{i % 20: fmt.Sprint(i, "\n")})
	}
	in := world{base, base.with("mine", plain), theirs}.input()
	in.Blob = nil
	got, err := Merge(in)
	require.NoError(t, err)
	require.True(t, got.Clean())
	require.Len(t, got.Merged, 2000)
}

func TestAnErrorOfTheInputEndsTheMerge(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	in := world{files{"a": plain}, files{"a": first}, files{"a": last}}.input()
	in.Blob = func(string) ([]byte, error) { return nil, broken }
	got, err := Merge(in)
	require.ErrorIs(t, err, broken)
	require.Zero(t, got)

	in = world{files{"d/a": plain}, files{"e/a": plain}, files{"d/a": plain, "d/b": short}}.input()
	in.HasDir = func(Side, string) (bool, error) { return false, broken }
	got, err = Merge(in)
	require.ErrorIs(t, err, broken)
	require.Zero(t, got)
}

func TestABlobThatIsTooLargeIsAConflictOnlyIfBothChangedIt(t *testing.T) {
	t.Parallel()
	tooLarge := func(string) ([]byte, error) { return nil, fmt.Errorf("%w: 5 GB", ErrTooLarge) }
	in := world{files{"a": plain, "b": plain}, files{"a": first, "b": first}, files{"a": last, "b": plain}}.input()
	in.Blob = tooLarge
	got, err := Merge(in)
	require.NoError(t, err)
	require.Empty(t, got.Merged)
	require.Len(t, got.Conflicts, 1)
	require.Equal(t, Large, got.Conflicts[0].Kind)

	in = world{files{"a": plain}, files{"b": first}, files{"a": last}}.input()
	in.Blob = tooLarge
	got, err = Merge(in)
	require.NoError(t, err)
	require.Equal(t, ModifyDelete, got.Conflicts[0].Kind, "it cannot be found where it was renamed to")
}

func TestSimilarityIsTheShareOfTheLargerFileThatIsInBoth(t *testing.T) {
	t.Parallel()
	a := printOf([]byte("aaa\nbbb\nccc\nddd\n"))
	require.Equal(t, maxScore, score(a, a, minScore))
	require.Equal(t, maxScore/2, score(a, printOf([]byte("bbb\nxxx\naaa\nyyy\n")), minScore), "in any order")
	require.Equal(t, maxScore, score(a, printOf([]byte("aaa\r\nbbb\r\nccc\r\nddd\r\n")), minScore)*20/16, "but for CR")
	require.Zero(t, score(a, printOf([]byte("aaa\n")), minScore), "too small")
	require.Zero(t, score(print{}, print{}, minScore))
	once, twice := printOf([]byte("aaa\n")), printOf([]byte("aaa\naaa\n"))
	require.Equal(t, maxScore/2, score(once, twice, minScore), "as often as both have it")
	long := bytes.Repeat([]byte("x"), 200)
	require.Equal(t, []int{192, 8}, sizes(printOf(long)), "long lines have parts of 64 bytes")
}

func sizes(p print) []int {
	var out []int
	for _, c := range p.chunks {
		out = append(out, c.bytes)
	}
	if len(out) == 2 && out[0] < out[1] {
		out[0], out[1] = out[1], out[0]
	}
	return out
}
