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
	shelf Shelf
}

// Shelf keeps documents beyond the life of a cache. The extension is that of the file if that decides about its
// definitions, else empty. Its methods are called by one goroutine at a time.
type Shelf interface {
	// Get returns the document of a blob, nil if there is none.
	Get(blob, extension string) *Document
	// Put gives it a document that it did not have.
	Put(blob, extension string, d *Document)
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

// NewCacheOver returns a cache of so many bytes that gets from a shelf what it does not have.
func NewCacheOver(bytes int64, shelf Shelf) *Cache {
	c := NewCache(bytes)
	c.shelf = shelf
	return c
}

// Get returns the document of a blob that is a file of that name, nil if the cache does not have it.
func (c *Cache) Get(blob, name string) *Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := keyOf(blob, name)
	e, ok := c.items[k]
	if !ok && c.shelf != nil {
		d := c.shelf.Get(k.blob, k.extension)
		if d != nil {
			c.add(k, d)
		}
		return d
	}
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).document
}

// Put keeps the document of a blob that is a file of that name. A document that is larger than the cache is not kept.
func (c *Cache) Put(blob, name string, d *Document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := keyOf(blob, name)
	if e, ok := c.items[k]; ok {
		c.order.MoveToFront(e)
		return
	}
	if c.shelf != nil {
		c.shelf.Put(k.blob, k.extension, d)
	}
	c.add(k, d)
}

func (c *Cache) add(k key, d *Document) {
	size := d.Bytes() + itemBytes
	if size > c.limit {
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
