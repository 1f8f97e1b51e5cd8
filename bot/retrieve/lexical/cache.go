package lexical

import (
	"path"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/lru"
)

// Cache keeps documents in memory by the ids of their blobs, and the names of blocks of paths, and drops what was used
// least recently. Safe for concurrent use.
type Cache struct {
	documents *lru.Cache[key, *Document]
	names     *lru.Cache[blockKey, *Names]
	mu        sync.Mutex // of shelf
	shelf     Shelf
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

// blockKey is the id of a block of paths, and the globs of those that are ignored.
type blockKey struct {
	block uint64
	globs string
}

// keyBytes is about how much memory the strings of a key take.
const keyBytes = 50

// namesShare is the part of the memory of a cache that is for names.
const namesShare = 4

// NewCache returns a cache that takes at most about so many bytes of memory.
func NewCache(bytes int64) *Cache {
	return &Cache{documents: lru.New[key, *Document](bytes - bytes/namesShare),
		names: lru.New[blockKey, *Names](bytes / namesShare)}
}

// NewCacheOver returns a cache of so many bytes that gets from a shelf what it does not have.
func NewCacheOver(bytes int64, shelf Shelf) *Cache {
	c := NewCache(bytes)
	c.shelf = shelf
	return c
}

// Get returns the document of a blob that is a file of that name, nil if the cache does not have it.
func (c *Cache) Get(blob, name string) *Document {
	k := keyOf(blob, name)
	d, ok := c.documents.Get(k)
	if ok || c.shelf == nil {
		return d
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d = c.shelf.Get(k.blob, k.extension); d != nil {
		c.keep(k, d)
	}
	return d
}

// Put keeps the document of a blob that is a file of that name. A document that is larger than the cache is not kept.
func (c *Cache) Put(blob, name string, d *Document) {
	k := keyOf(blob, name)
	if _, ok := c.documents.Get(k); ok {
		return
	}
	if c.shelf != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.shelf.Put(k.blob, k.extension, d)
	}
	c.keep(k, d)
}

func (c *Cache) keep(k key, d *Document) {
	// The strings may be parts of long ones, which must not be kept with them.
	k = key{strings.Clone(k.blob), strings.Clone(k.extension)}
	c.documents.Put(k, d, d.Bytes()+keyBytes)
}

// Names returns what is known of the names of a block of paths, nil if the cache does not have it. globs are those of
// the files that are ignored.
func (c *Cache) Names(block uint64, globs string) *Names {
	n, _ := c.names.Get(blockKey{block, globs})
	return n
}

// PutNames keeps the names of a block of paths.
func (c *Cache) PutNames(block uint64, globs string, n *Names) {
	c.names.Put(blockKey{block, globs}, n, n.Bytes()+int64(len(globs)))
}
