package gitrepo

import (
	"container/list"
	"log/slog"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// cache keeps objects by name: in memory, where it drops the least recently used ones, and on disk, if there is a
// folder for it. Any object may be missing; only speed depends on it. Safe for concurrent use.
type cache struct {
	disk *diskCache // nil if there is none
	log  *slog.Logger
	// blobs has two thirds of the memory, others the rest: the sources of a repository, which are read together, must not
	// displace the trees without which a clone starts from nothing.
	blobs, others *memoryCache
}

// memoryCache keeps the objects in memory that were used last. Safe for concurrent use.
type memoryCache struct {
	mu    sync.Mutex
	limit int64 // in bytes, as is size
	size  int64
	order *list.List // of *cached, the most recently used first
	items map[oid]*list.Element
}

type cached struct {
	id oid
	object
}

// itemOverhead is the memory of an item besides its bytes: the list's element, the map's cell, the struct. Measured.
const itemOverhead = 200

func newCache(limit int64, log *slog.Logger) *cache {
	return &cache{log: log, blobs: newMemoryCache(limit / 3 * 2), others: newMemoryCache(limit / 3)}
}

func newMemoryCache(limit int64) *memoryCache {
	return &memoryCache{limit: limit, order: list.New(), items: map[oid]*list.Element{}}
}

// of returns where objects of a kind are kept.
func (c *cache) of(kind plumbing.ObjectType) *memoryCache {
	if kind == plumbing.BlobObject {
		return c.blobs
	}
	return c.others
}

func (c *cache) get(id oid) (object, bool) {
	o, ok := c.blobs.get(id)
	if !ok {
		o, ok = c.others.get(id)
	}
	if ok || c.disk == nil {
		return o, ok
	}
	if o, ok = c.disk.get(id); ok {
		c.of(o.kind).put(id, o)
	}
	return o, ok
}

// putAll keeps objects whose hashes are their names.
func (c *cache) putAll(objects map[oid]object) {
	for id, o := range objects {
		c.of(o.kind).put(id, o)
	}
	if c.disk == nil {
		return
	}
	if err := c.disk.put(objects); err != nil {
		c.log.Warn("cannot write to the object cache", "error", err)
	}
}

// putTip stores a tip for the next process.
func (c *cache) putTip(repo string, t tip) {
	if c.disk == nil {
		return
	}
	if err := c.disk.putTip(repo, t); err != nil {
		c.log.Warn("cannot write to the object cache", "error", err)
	}
}

// get returns an object.
func (c *memoryCache) get(id oid) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[id]
	if !ok {
		return object{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).object, true
}

// put keeps an object, unless it is larger than an eighth of the limit.
func (c *memoryCache) put(id oid, o object) {
	cost := int64(len(o.data)) + itemOverhead
	if cost > c.limit/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[id]; ok {
		c.order.MoveToFront(e)
		return
	}
	c.items[id] = c.order.PushFront(&cached{id, o})
	c.size += cost
	for c.size > c.limit {
		c.drop(c.order.Back())
	}
}

func (c *memoryCache) drop(e *list.Element) {
	old := c.order.Remove(e).(*cached)
	delete(c.items, old.id)
	c.size -= int64(len(old.data)) + itemOverhead
}
