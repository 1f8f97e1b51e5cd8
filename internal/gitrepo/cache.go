package gitrepo

import (
	"container/list"
	"sync"
)

// cache keeps objects by name, bounded by bytes, the least recently used dropped first. Whatever is asked of it may be
// missing; nothing depends on it but speed. Safe for concurrent use.
type cache struct {
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

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), items: map[oid]*list.Element{}}
}

func (c *cache) get(id oid) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[id]
	if !ok {
		return object{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).object, true
}

// put keeps an object that was checked against its name. One of more than an eighth of the cache is not worth the room.
func (c *cache) put(id oid, o object) {
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

func (c *cache) putAll(objects map[oid]object) {
	for id, o := range objects {
		c.put(id, o)
	}
}
