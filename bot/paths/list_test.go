package paths

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// someTree returns sorted paths whose names recur, in several spellings, with names between those of a folder and of
// what is in it.
func someTree(random *rand.Rand, n int) []string {
	names := []string{"a", "b", "A", "a.go", "a-b", "a0", "B.go", "main.go", "MAIN.go", "README", "ß", "ſ", "src", "Ä.py"}
	var files []string
	for range n {
		parts := make([]string, 1+random.IntN(4))
		for i := range parts {
			parts[i] = names[random.IntN(len(names))]
			if random.IntN(3) == 0 {
				parts[i] += fmt.Sprint(random.IntN(40))
			}
		}
		files = append(files, strings.Join(parts, "/"))
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func listOf(files []string) *List { return New(slices.Values(files)) }

func TestAListFindsWhatASearchOfAllPathsFinds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 900, 20_000} {
		files := someTree(random, n)
		list := listOf(files)
		sameAs(t, files, list, random)
	}
}

// sameAs requires that a list answers like its paths.
func sameAs(t *testing.T, files []string, list *List, random *rand.Rand) {
	t.Helper()
	require.Equal(t, len(files), list.Len())
	equal(t, files, slices.Collect(list.All()))
	for range 25 {
		name := someTree(random, 1)[0]
		at, found := slices.BinarySearch(files, name)
		gotAt, gotFound := list.Search(name)
		require.Equal(t, at, gotAt, name)
		require.Equal(t, found, gotFound, name)
		require.Equal(t, found, list.Has(name))

		from, to := list.Below(name)
		inside := func(path string) bool { return strings.HasPrefix(path, name+"/") }
		equal(t, filter(files, inside), slices.Collect(list.Between(from, to)))
		for i := range to - from {
			require.Equal(t, files[from+i], list.At(from+i))
		}
		base := baseOf(name)
		equal(t, filter(files, func(path string) bool { return baseOf(path) == base }), list.Named(base))
		lower := strings.ToLower(base)
		equal(t, filter(files, func(path string) bool { return strings.ToLower(baseOf(path)) == lower }),
			slices.Collect(list.Folded(base)))
	}
	from, to := list.Below(".")
	require.Equal(t, []int{0, len(files)}, []int{from, to})
}

// equal requires the same paths; none is nil or empty.
func equal(t *testing.T, want, got []string) {
	t.Helper()
	require.Equal(t, append([]string{}, want...), append([]string{}, got...))
}

func filter(files []string, keep func(string) bool) (out []string) {
	for _, f := range files {
		if keep(f) {
			out = append(out, f)
		}
	}
	return out
}

// A list made by one difference after another is that of its paths, and its blocks are neither small nor large.
func TestAListThatWasChangedIsLikeANewOne(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	files := someTree(random, 6000)
	list := listOf(files)
	for round := range 30 {
		var removed, added []string
		share := []int{2000, 50, 2}[round%3] // one path in so many changes
		for _, f := range files {
			if random.IntN(share) == 0 || round%10 == 4 && random.IntN(10) > 0 {
				removed = append(removed, f)
			}
		}
		for _, f := range someTree(random, 6000/share) {
			if _, has := slices.BinarySearch(files, f); !has {
				added = append(added, f)
			}
		}
		if round%10 == 9 { // a folder moves
			from, to := list.Below("src")
			removed, added = slices.Collect(list.Between(from, to)), nil
			for _, f := range removed {
				added = append(added, "moved"+fmt.Sprint(round)+f)
			}
		}
		before := slices.Clone(files)
		next := list.Change(removed, added)
		files = slices.DeleteFunc(files, func(f string) bool { _, gone := slices.BinarySearch(removed, f); return gone })
		files = append(files, added...)
		slices.Sort(files)
		sameAs(t, before, list, random)
		sameAs(t, files, next, random)
		for i, b := range next.Blocks() {
			require.LessOrEqual(t, b.Len(), maxBlockLen)
			require.True(t, b.Len() >= minBlockLen || i+1 == len(next.Blocks()) || b.Len() >= len(files)/2, b.Len())
		}
		list = next
	}
	require.Zero(t, list.Change(files, nil).Len())
	equal(t, files, slices.Collect(listOf(nil).Change(nil, files).All()))
}

// What a change costs does not grow with the list: all blocks but those of the change are shared.
func TestAChangeSharesAllOtherBlocks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5000, 200_000} {
		files := make([]string, n)
		for i := range files {
			files[i] = fmt.Sprintf("folder%03d/file%06d.go", i/1000, i)
		}
		list := listOf(files)
		require.Same(t, list, list.Change(nil, nil))
		next := list.Change(files[1500:1501], []string{"folder003/file.go", "zzz"})
		shared := map[uint64]bool{}
		for _, b := range list.Blocks() {
			shared[b.ID()] = true
		}
		made := 0
		for _, b := range next.Blocks() {
			if !shared[b.ID()] {
				made++
			}
		}
		require.LessOrEqual(t, made, 3)
		require.Equal(t, n+1, next.Len())
	}
}

// A name is looked for among those of the same spelling, so that many spellings of one name cost no more than others.
func TestANameIsNotLookedForAmongItsOtherSpellings(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 1 << 10 {
		name := []byte("abcdefghij")
		for bit := range name {
			name[bit] -= byte(i>>bit&1) * ('a' - 'A')
		}
		files = append(files, string(name))
	}
	slices.Sort(files)
	list := listOf(files)
	looked := 0
	for _, name := range files {
		require.Equal(t, []string{name}, list.Named(name))
		require.Len(t, slices.Collect(list.Folded(name)), len(files))
		looked += len(slices.Collect(list.like(keyOf(name), numberBits)))
	}
	require.LessOrEqual(t, looked, 2*len(files))
}

type plainTree struct {
	files []string
	err   error
}

func (p plainTree) Files() ([]string, error) { return p.files, p.err }

type listedTree struct {
	plainTree
	list *List
}

func (l listedTree) Paths() (*List, error) { return l.list, nil }

func TestATreeThatHasAListIsNotListedAgain(t *testing.T) {
	t.Parallel()
	list, err := Of(plainTree{files: []string{"a", "b"}})
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, slices.Collect(list.All()))
	again, err := Of(listedTree{list: list})
	require.NoError(t, err)
	require.Same(t, list, again)
	lost := errors.New("lost")
	_, err = Of(plainTree{err: lost})
	require.ErrorIs(t, err, lost)
}

// A list that has no secrets in its paths is the same list; of others, all blocks are shared but those that had some.
func TestAListWithoutSecretsSharesAllOtherBlocks(t *testing.T) {
	t.Parallel()
	files := make([]string, 5000)
	for i := range files {
		files[i] = fmt.Sprintf("folder%03d/file%06d.go", i/1000, i)
	}
	list := listOf(files)
	require.Same(t, list, list.WithoutSecrets())
	token := "folder003/AKIA" + "Q3EGRIPLKJHGFDSA/a.go"
	with := list.Change(nil, []string{token})
	require.True(t, with.Has(token))
	clean := with.WithoutSecrets()
	equal(t, files, slices.Collect(clean.All()))
	require.Equal(t, clean.Blocks(), with.WithoutSecrets().Blocks(), "blocks are made once")
	made := 0
	for i, b := range clean.Blocks() {
		if b != with.Blocks()[i] {
			made++
		}
	}
	require.Equal(t, 1, made)
	require.Zero(t, listOf([]string{token}).WithoutSecrets().Len())
}
