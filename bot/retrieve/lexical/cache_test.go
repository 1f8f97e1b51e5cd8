package lexical

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACacheKeepsADocumentForEachLanguage(t *testing.T) {
	t.Parallel()
	c := NewCache(1 << 20)
	text := []byte("def one():\n")
	c.Put("1", "a.py", NewDocument("a.py", text))
	c.Put("1", "a.txt", NewDocument("a.txt", text))
	require.NotEmpty(t, c.Get("1", "lib/b.py").Definitions("one"))
	require.Empty(t, c.Get("1", "b.txt").Definitions("one"))
	require.Same(t, c.Get("1", "b.txt"), c.Get("1", "b.unknown"), "no definitions are known of either")
	require.Nil(t, c.Get("1", "a.go"))
	require.Nil(t, c.Get("2", "a.py"))
}

func TestACacheIsBounded(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	c := NewCache(limit)
	for i := range 500 {
		c.Put(fmt.Sprint(i), "a.py", NewDocument("a.py", []byte(python(i, i%50))))
		files := slices.Values([]string{fmt.Sprintf("a/%0100d.py", i)})
		c.Names(uint64(i), "", func() *Names { return NewNames(files, never, never) })
		c.Terms(uint64(i), func() *Paths { return NewPaths(files) })
		require.LessOrEqual(t, c.kept.Bytes(), int64(limit))
	}
	require.Greater(t, c.kept.Bytes(), int64(limit)*3/4)
	require.Nil(t, c.Get("0", "a.py"))
	require.NotNil(t, c.Get("499", "a.py"))
	require.NotNil(t, c.Names(499, "", nil))
	require.NotNil(t, c.Terms(499, nil))
	other := NewNames(slices.Values([]string(nil)), never, never)
	require.Same(t, other, c.Names(499, "*.py", func() *Names { return other }), "other files are ignored")
	require.Same(t, other, c.Names(0, "", func() *Names { return other }), "it was dropped")
}

func never(string) bool { return false }

// The next test measures the memory of the whole process, so it runs alone.
func TestACacheTakesTheMemoryThatItSays(t *testing.T) {
	const items = 2000
	c := NewCache(1 << 30)
	before := allocated()
	for i := range items {
		listing := strings.Repeat("x", 10_000) + fmt.Sprintf("%040d.py", i)
		c.Put(listing[10_000:10_040], listing, NewDocument("a.py", []byte(python(i, 3))))
	}
	used := allocated() - before
	require.InEpsilon(t, used, c.kept.Bytes(), 0.25)
	runtime.KeepAlive(c)
}
