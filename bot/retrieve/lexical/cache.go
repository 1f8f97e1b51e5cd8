package lexical

import (
	"path"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/lru"
)

// Cache keeps in memory what is known of files: documents by the ids of their blobs, and the names and terms of blocks
// of paths. It drops what was used least recently. Safe for concurrent use.
type Cache struct {
	kept  *lru.Cache[key, any]
	mu    sync.Mutex // of shelf
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

// key is the id of a blob, and the extension of its file if that decides about definitions; or the id of a block of
// paths, and the globs of those that are ignored.
type key struct {
	blob, extension string
	block           uint64
	globs           string
	kind            kind
}

// kind is what is known of something.
type kind uint8

const (
	_ kind = iota // a document
	namesKind
	termsKind
)

func keyOf(blob, name string) key {
	if ext := path.Ext(name); hasDefinitions(ext) {
		return key{blob: blob, extension: ext}
	}
	return key{blob: blob}
}

// keyBytes is about how much memory a key takes with its strings.
const keyBytes = 110

// NewCache returns a cache that takes at most about so many bytes of memory.
func NewCache(bytes int64) *Cache { return &Cache{kept: lru.New[key, any](bytes)} }

// NewCacheOver returns a cache of so many bytes that gets from a shelf what it does not have.
func NewCacheOver(bytes int64, shelf Shelf) *Cache {
	c := NewCache(bytes)
	c.shelf = shelf
	return c
}

// Get returns the document of a blob that is a file of that name, nil if the cache does not have it.
func (c *Cache) Get(blob, name string) *Document {
	k := keyOf(blob, name)
	if d, ok := get[*Document](c, k); ok || c.shelf == nil {
		return d
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.shelf.Get(k.blob, k.extension)
	if d != nil {
		c.keep(k, d)
	}
	return d
}

// Put keeps the document of a blob that is a file of that name. A document that is larger than the cache is not kept.
func (c *Cache) Put(blob, name string, d *Document) {
	k := keyOf(blob, name)
	if _, ok := c.kept.Get(k); ok {
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
	k.blob, k.extension = strings.Clone(k.blob), strings.Clone(k.extension)
	c.kept.Put(k, d, d.Bytes()+keyBytes)
}

// Names returns the names of a block of paths, from the cache or else from make. globs are those of the files that are
// ignored.
func (c *Cache) Names(block uint64, globs string, make func() *Names) *Names {
	return getOrMake(c, key{kind: namesKind, block: block, globs: globs}, make)
}

// Terms returns the terms of the sources in a block of paths, from the cache or else from make.
func (c *Cache) Terms(block uint64, make func() *Paths) *Paths {
	return getOrMake(c, key{kind: termsKind, block: block}, make)
}

func get[V any](c *Cache, k key) (v V, ok bool) {
	kept, ok := c.kept.Get(k)
	if ok {
		v = kept.(V)
	}
	return v, ok
}

func getOrMake[V interface{ Bytes() int64 }](c *Cache, k key, make func() V) V {
	v, ok := get[V](c, k)
	if !ok {
		v = make()
		c.kept.Put(k, v, v.Bytes()+keyBytes+int64(len(k.globs)))
	}
	return v
}
