package trees

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// roomy are bounds that no test reaches.
var roomy = bounds{changes: 100, renameBytes: 1 << 20, textBytes: 1 << 20}

func refusalOf(t *testing.T, w world, b bounds) Refusal { return refusalWithin(t, nil, w, b) }

func refusalWithin(t *testing.T, work *meter.Work, w world, b bounds) Refusal {
	t.Helper()
	got, err := within(work, w.input(), b)
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

func TestMoreToReadForRenamesThanAllowedIsRefused(t *testing.T) {
	t.Parallel()
	w := world{files{"a": plain}, files{"b": first, "c": short, "d": last}, files{"a": text(map[int]string{9: "nine\n"})}}
	b := roomy
	b.renameBytes = 0
	for _, f := range []file{plain, first, short, last} {
		b.renameBytes += len(f.text) + printOf([]byte(f.text)).bytes()
	}
	require.Empty(t, refusalOf(t, w, b))
	b.renameBytes--
	require.Equal(t, TooManyRenames, refusalOf(t, w, b))
}

// A comparison costs what it compares, and not one for each pair of files.
func TestMoreWorkThanAllowedIsRefused(t *testing.T) {
	t.Parallel()
	long := func(salt, n int) file {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, "%d %d\n", salt, i)
		}
		return file{Regular, lines.String()}
	}
	renames := world{files{}, files{}, files{}}
	for i := range 20 {
		old := fmt.Sprint("old", i)
		renames.base[old], renames.theirs[old], renames.ours[fmt.Sprint("new", i)] = long(i, 500), plain, long(i+20, 500)
	}
	texts := world{files{"a": long(1, 10_000)}, files{"a": long(2, 10_000)}, files{"a": long(3, 10_000)}}
	for _, c := range []struct {
		world
		least int
	}{{renames, 20 * 20 * 1000 / stepsPerUnit}, {texts, 5000}} {
		w, used := c.world, meter.Of(1<<30)
		require.Empty(t, refusalWithin(t, used, w, roomy))
		require.Greater(t, used.Spent(), c.least)
		require.Empty(t, refusalWithin(t, meter.Of(used.Spent()), w, roomy))
		require.Equal(t, TooMuchWork, refusalWithin(t, meter.Of(used.Spent()/2), w, roomy))
		ctx, cancel := context.WithCancel(t.Context())
		in := w.input()
		blob := in.Blob
		in.Blob = func(id string) ([]byte, error) { cancel(); return blob(id) }
		_, err := within(meter.Within(ctx, 1<<30), in, roomy)
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestMoreToMergeThanAllowedIsRefused(t *testing.T) {
	t.Parallel()
	w := world{files{"a": plain, "b": plain}, files{"a": first, "b": first}, files{"a": last, "b": last}}
	b := roomy
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
	got, err := Merge(nil, in)
	require.NoError(t, err)
	require.True(t, got.Clean())
	require.Len(t, got.Merged, 2000)
}

func TestAnErrorOfTheInputEndsTheMerge(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	in := world{files{"a": plain}, files{"a": first}, files{"a": last}}.input()
	in.Blob = func(string) ([]byte, error) { return nil, broken }
	got, err := Merge(nil, in)
	require.ErrorIs(t, err, broken)
	require.Zero(t, got)

	in = world{files{"d/a": plain}, files{"e/a": plain}, files{"d/a": plain, "d/b": short}}.input()
	in.HasDir = func(Side, string) (bool, error) { return false, broken }
	got, err = Merge(nil, in)
	require.ErrorIs(t, err, broken)
	require.Zero(t, got)
}

func TestABlobThatIsTooLargeIsAConflictOnlyIfBothChangedIt(t *testing.T) {
	t.Parallel()
	tooLarge := func(string) ([]byte, error) { return nil, fmt.Errorf("%w: 5 GB", ErrTooLarge) }
	in := world{files{"a": plain, "b": plain}, files{"a": first, "b": first}, files{"a": last, "b": plain}}.input()
	in.Blob = tooLarge
	got, err := Merge(nil, in)
	require.NoError(t, err)
	require.Empty(t, got.Merged)
	require.Len(t, got.Conflicts, 1)
	require.Equal(t, Large, got.Conflicts[0].Kind)

	in = world{files{"a": plain}, files{"b": first}, files{"a": last}}.input()
	in.Blob = tooLarge
	got, err = Merge(nil, in)
	require.NoError(t, err)
	require.Equal(t, ModifyDelete, got.Conflicts[0].Kind, "it cannot be found where it was renamed to")
}

func TestSimilarityIsTheShareOfTheLargerFileThatIsInBoth(t *testing.T) {
	t.Parallel()
	a := printOf([]byte("aaa\nbbb\nccc\nddd\n"))
	score := func(a, b print) int { s, _ := score(a, b, minScore); return s }
	require.Equal(t, maxScore, score(a, a))
	require.Equal(t, maxScore/2, score(a, printOf([]byte("bbb\nxxx\naaa\nyyy\n"))), "in any order")
	require.Equal(t, maxScore, score(a, printOf([]byte("aaa\r\nbbb\r\nccc\r\nddd\r\n")))*20/16, "but for CR")
	require.Zero(t, score(a, printOf([]byte("aaa\n"))), "too small")
	require.Zero(t, score(print{}, print{}))
	once, twice := printOf([]byte("aaa\n")), printOf([]byte("aaa\naaa\n"))
	require.Equal(t, maxScore/2, score(once, twice), "as often as both have it")
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
