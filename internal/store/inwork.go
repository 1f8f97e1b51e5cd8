package store

import (
	"context"
	"sync"

	"github.com/tenon-bot/tenon/bot"
)

// inWork is what this process has in work, by lease, so that a cancelled handler learns of it at once.
type inWork struct {
	mu      sync.Mutex
	handler map[string]context.CancelCauseFunc
}

// add keeps how to end the handler that works under a lease, until forget is called.
func (w *inWork) add(lease string, cancel context.CancelCauseFunc) (forget func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.handler == nil {
		w.handler = map[string]context.CancelCauseFunc{}
	}
	w.handler[lease] = cancel
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.handler, lease)
	}
}

// cancel ends a handler of this process. One that is another's learns of it when it renews its lease.
func (w *inWork) cancel(lease string, cause *bot.CancelledError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel, ok := w.handler[lease]; ok {
		cancel(cause)
	}
}
