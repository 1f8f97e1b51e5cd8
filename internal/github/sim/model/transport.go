package model

import (
	"sync"
)

// guard is the lock of a server. What has to happen without it, after what is done now, is added to after by whoever
// holds it, and happens before Unlock returns.
type guard struct {
	sync.Mutex
	After []func()
}

// Unlock unlocks the server, and does what was added to after.
func (g *guard) Unlock() {
	after := g.After
	g.After = nil
	g.Mutex.Unlock()
	for _, do := range after {
		do()
	}
}
