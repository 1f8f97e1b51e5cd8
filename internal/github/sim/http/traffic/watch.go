// Package traffic keeps the log of the requests to a server, pauses them and makes them fail.
package traffic

import (
	"net/http"
	"sync"
)

// Watch logs requests, pauses them and makes them fail.
type Watch struct {
	mu       sync.Mutex
	log      []*Request
	onGate   func(Stage, *http.Request)
	failures []*failure
	answered chan struct{} // closed by the next answer; nil if nobody waits for it
}

// Traffic is what a test sees of the requests, and what it does to them.
type Traffic struct{ watch *Watch }

// Of returns the traffic that a watch sees.
func Of(watch *Watch) Traffic { return Traffic{watch} }

// Stage is a stage of a request.
type Stage int

// The stages at which a Gate is called.
const (
	_            Stage = iota
	BeforeEffect       // the request is here, and nothing has been done
	AfterEffect        // all has been done, and the answer is not yet sent
)

// Gate sets a function that is called at both stages of every request, in the request's goroutine and without a lock:
// it may wait, or end the client's process. nil removes it. The body of r can be read at BeforeEffect only.
func (s Traffic) Gate(f func(stage Stage, r *http.Request)) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.onGate = f
}

// Pass calls the function of Gate at a stage of a request.
func (w *Watch) Pass(stage Stage, r *http.Request) {
	w.mu.Lock()
	f := w.onGate
	w.mu.Unlock()
	if f != nil {
		f(stage, r)
	}
}

// Failure is a response that a request gets instead of having an effect.
type Failure struct {
	Status  int
	Message string
	Header  http.Header
}

// failure is a Failure for the next matching requests.
type failure struct {
	Failure
	match func(*http.Request) bool
	left  int
}
