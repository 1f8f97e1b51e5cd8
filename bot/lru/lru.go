// Package lru keeps the values that were used last, up to a number of bytes.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values by key, and drops those that were used least recently when they take more than its limit together.
// Safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	limit int64 // in bytes, as is size
	size  int64
	order *list.List // of *item[K, V], the most recently used first
	items map[K]*list.Element
}

type item[K comparable, V any] struct {
	key   K
	value V
	bytes int64
}

// itemBytes is about how much memory an item takes besides its key and its value: the list's element, the map's cell,
// the struct. Measured.
const itemBytes = 200

// New returns a cache of values that take at most so many bytes, as Put is told.
func New[K comparable, V any](bytes int64) *Cache[K, V] {
	return &Cache[K, V]{limit: bytes, order: list.New(), items: map[K]*list.Element{}}
}

// Get returns the value of a key, which is the most recently used one from now on.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*item[K, V]).value, true
}

// Put keeps a value that takes so many bytes, in place of the one that the key had. A value that is larger than the
// limit is not kept, and displaces no other.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) {
	bytes += itemBytes
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.drop(e)
	}
	if bytes > c.limit {
		return
	}
	c.items[key] = c.order.PushFront(&item[K, V]{key, value, bytes})
	c.size += bytes
	for c.size > c.limit {
		c.drop(c.order.Back())
	}
}

// Bytes returns how many bytes the values take that are kept.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

func (c *Cache[K, V]) drop(e *list.Element) {
	old := c.order.Remove(e).(*item[K, V])
	delete(c.items, old.key)
	c.size -= old.bytes
}
