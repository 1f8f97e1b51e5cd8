package gitrepo

import (
	"container/list"
	"log/slog"
	"sync"
)

// cache keeps objects by name: in memory, bounded by bytes, the least recently used dropped first; and on disk, if there is
// a folder for it. Whatever is asked of it may be missing; nothing depends on it but speed. Safe for concurrent use.
type cache struct {
	disk *disk // nil when there is none
	log  *slog.Logger

	mu    sync.Mutex
	limit int64
	size  int64
	order *list.List // of *cached, the latest first
	items map[oid]*list.Element
}

type cached struct {
	id oid
	object
}

// itemOverhead is what an item costs besides its bytes: the list's element, the map's cell, the struct. Measured: about 200.
const itemOverhead = 200

func newCache(limit int64, log *slog.Logger) *cache {
	return &cache{log: log, limit: limit, order: list.New(), items: map[oid]*list.Element{}}
}

func (c *cache) get(id oid) (object, bool) {
	o, ok := c.recall(id)
	if ok || c.disk == nil {
		return o, ok
	}
	if o, ok = c.disk.get(id); ok {
		c.keep(id, o)
	}
	return o, ok
}

// putAll keeps objects that were checked against their names.
func (c *cache) putAll(objects map[oid]object) {
	for id, o := range objects {
		c.keep(id, o)
	}
	if c.disk == nil {
		return
	}
	if err := c.disk.put(objects); err != nil {
		c.log.Warn("writing to the object cache", "error", err)
	}
}

// putTip notes a tip for the next process.
func (c *cache) putTip(repo string, t tip) {
	if c.disk == nil {
		return
	}
	if err := c.disk.putTip(repo, t); err != nil {
		c.log.Warn("writing to the object cache", "error", err)
	}
}

// recall returns what memory holds.
func (c *cache) recall(id oid) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[id]
	if !ok {
		return object{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).object, true
}

// keep puts an object into memory. One of more than an eighth of the cache is not worth the room.
func (c *cache) keep(id oid, o object) {
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

func (c *cache) drop(e *list.Element) {
	old := c.order.Remove(e).(*cached)
	delete(c.items, old.id)
	c.size -= int64(len(old.data)) + itemOverhead
}
