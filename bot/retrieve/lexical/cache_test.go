package lexical

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// stored returns what the documents in a cache take together.
func (c *Cache) stored() (sum int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; e = e.Next() {
		sum += e.Value.(*cached).document.Bytes() + itemBytes
	}
	return sum
}

func TestACacheKeepsWhatWasUsedLast(t *testing.T) {
	t.Parallel()
	d := NewDocument("a.py", []byte("def one():\n"))
	c := NewCache(3 * (d.Bytes() + itemBytes))
	for _, blob := range []string{"1", "2", "3"} {
		c.Put(blob, "a.py", d)
	}
	require.Same(t, d, c.Get("1", "a.py"))
	c.Put("2", "a.py", d) // is kept already
	c.Put("4", "a.py", d)
	require.Nil(t, c.Get("3", "a.py"))
	for _, blob := range []string{"1", "2", "4"} {
		require.NotNil(t, c.Get(blob, "a.py"), blob)
	}
}

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
		require.LessOrEqual(t, c.stored(), int64(limit))
		require.Equal(t, c.stored(), c.size)
		require.Len(t, c.items, c.order.Len())
	}
	require.Greater(t, c.size, int64(limit)*3/4)

	small, large := NewDocument("a.py", nil), NewDocument("a.py", []byte(python(1, 100)))
	c = NewCache(large.Bytes())
	c.Put("small", "a.py", small)
	c.Put("large", "a.py", large)
	require.True(t, c.Get("large", "a.py") == nil)
	require.Same(t, small, c.Get("small", "a.py"), "what does not fit at all displaces nothing")
	NewCache(0).Put("1", "a.py", NewDocument("a.py", nil))
}

func TestACacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	d := NewDocument("a.py", []byte(python(1, 5)))
	c := NewCache(10 * (d.Bytes() + itemBytes))
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 500 {
				blob := fmt.Sprint(i * worker % 31)
				if c.Get(blob, "a.py") == nil {
					c.Put(blob, "a.py", d)
				}
			}
		})
	}
	group.Wait()
	require.Equal(t, 10, c.order.Len())
	require.Equal(t, c.stored(), c.size)
}

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
	require.InEpsilon(t, used, c.size, 0.25)
	runtime.KeepAlive(c)
}
