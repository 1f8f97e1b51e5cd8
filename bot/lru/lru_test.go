package lru

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// stored returns what the values take together.
func (c *Cache[K, V]) stored() (sum int64) {
	for e := c.order.Front(); e != nil; e = e.Next() {
		sum += e.Value.(*item[K, V]).bytes
	}
	return sum
}

func TestWhatWasUsedLastIsKept(t *testing.T) {
	t.Parallel()
	c := New[int, string](3 * (10 + itemBytes))
	for i := range 3 {
		c.Put(i, fmt.Sprint(i), 10)
	}
	_, ok := c.Get(0)
	require.True(t, ok)
	c.Put(1, "one", 10) // in place of the other one
	c.Put(3, "3", 10)
	_, ok = c.Get(2)
	require.False(t, ok)
	for i, want := range map[int]string{0: "0", 1: "one", 3: "3"} {
		got, ok := c.Get(i)
		require.True(t, ok, i)
		require.Equal(t, want, got)
	}
}

func TestACacheIsBounded(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	c, random := New[int, int](limit), rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		c.Put(random.IntN(300), 0, random.Int64N(5000))
		require.LessOrEqual(t, c.Bytes(), int64(limit))
		require.Equal(t, c.stored(), c.Bytes())
		require.Len(t, c.items, c.order.Len())
	}
	require.Greater(t, c.Bytes(), int64(limit)*3/4)

	before := c.order.Len()
	c.Put(-1, 0, limit)
	_, ok := c.Get(-1)
	require.False(t, ok)
	require.Equal(t, before, c.order.Len(), "what does not fit at all displaces nothing")
	c.Put(c.order.Front().Value.(*item[int, int]).key, 0, limit)
	require.Equal(t, before-1, c.order.Len(), "but its own former value")
	New[int, int](0).Put(1, 1, 0)
}

func TestACacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := New[int, int](10 * (5 + itemBytes))
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 500 {
				if _, ok := c.Get(i * worker % 31); !ok {
					c.Put(i*worker%31, i, 5)
				}
			}
		})
	}
	group.Wait()
	require.Equal(t, 10, c.order.Len())
	require.Equal(t, c.stored(), c.Bytes())
}
