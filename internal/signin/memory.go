package signin

import (
	"sync"
	"time"
)

// maxRemembered bounds a memory.
const maxRemembered = 10_000

// memory remembers values for some time. When it is full, it forgets all. Safe for concurrent use.
type memory[K comparable, V any] struct {
	now func() time.Time

	mu  sync.Mutex
	all map[K]remembered[V]
}

type remembered[V any] struct {
	value V
	until time.Time
}

func newMemory[K comparable, V any](now func() time.Time) *memory[K, V] {
	return &memory[K, V]{now: now, all: map[K]remembered[V]{}}
}

func (m *memory[K, V]) get(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.all[key]
	if !ok || !m.now().Before(r.until) {
		var none V
		return none, false
	}
	return r.value, true
}

func (m *memory[K, V]) put(key K, value V, life time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if len(m.all) >= maxRemembered {
		for k, r := range m.all {
			if !now.Before(r.until) {
				delete(m.all, k)
			}
		}
		if len(m.all) >= maxRemembered {
			clear(m.all)
		}
	}
	m.all[key] = remembered[V]{value, now.Add(life)}
}
