package lexical

import (
	"container/list"
	"path"
	"strings"
	"sync"
)

// Cache keeps documents in memory by the ids of their blobs, and drops those that were used least recently. Safe for
// concurrent use.
type Cache struct {
	mu    sync.Mutex
	limit int64 // in bytes, as is size
	size  int64
	order *list.List // of *cached, the most recently used first
	items map[key]*list.Element
}

// key is the id of a blob, and the extension of its file if that decides about definitions.
type key struct{ blob, extension string }

func keyOf(blob, name string) key {
	if ext := path.Ext(name); hasDefinitions(ext) {
		return key{blob, ext}
	}
	return key{blob, ""}
}

type cached struct {
	key      key
	document *Document
}

// itemBytes is about how much memory an item takes besides its document.
const itemBytes = 250

// NewCache returns a cache that takes at most about so many bytes of memory.
func NewCache(bytes int64) *Cache {
	return &Cache{limit: bytes, order: list.New(), items: map[key]*list.Element{}}
}

// Get returns the document of a blob that is a file of that name, nil if the cache does not have it.
func (c *Cache) Get(blob, name string) *Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[keyOf(blob, name)]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).document
}

// Put keeps the document of a blob that is a file of that name. A document that is larger than the cache is not kept.
func (c *Cache) Put(blob, name string, d *Document) {
	size := d.Bytes() + itemBytes
	if size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := keyOf(blob, name)
	if e, ok := c.items[k]; ok {
		c.order.MoveToFront(e)
		return
	}
	// The strings may be parts of long ones, which must not be kept with them.
	k = key{strings.Clone(k.blob), strings.Clone(k.extension)}
	c.items[k] = c.order.PushFront(&cached{k, d})
	c.size += size
	for c.size > c.limit {
		old := c.order.Remove(c.order.Back()).(*cached)
		delete(c.items, old.key)
		c.size -= old.document.Bytes() + itemBytes
	}
}
