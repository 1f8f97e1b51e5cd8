package simhttp

import (
	"net/http"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Stage is a stage of a request.
type Stage int

// The stages at which a Gate is called.
const (
	_            Stage = iota
	BeforeEffect       // the request is here, and nothing has been done
	AfterEffect        // all has been done, and the answer is not yet sent
)

// Request is an entry of the log of all API and git requests.
type Request struct {
	Method, Path string
	// Query is the raw query string.
	Query string
	// Route is the pattern of the path, as in GitHub's documentation; empty if no operation matched. For git it is
	// "git-upload-pack" or "git-receive-pack".
	Route string
	// Installation is the one of the token; 0 for the App itself and without credentials.
	Installation int64
	// Status is 0 until the response.
	Status     int
	Start, End time.Time
}

type entry struct{ Request }

// watch logs requests, pauses them and makes them fail.
type watch struct {
	mu       sync.Mutex
	log      []*entry
	onGate   func(Stage, *http.Request)
	failures []*failure
	answered chan struct{} // closed by the next answer; nil if nobody waits for it
}

// Requests returns all requests so far, in the order of their arrival.
func (s traffic) Requests() []Request {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	all := make([]Request, len(s.watch.log))
	for i, e := range s.watch.log {
		all[i] = e.Request
	}
	return all
}

// ForgetRequests empties the log.
func (s traffic) ForgetRequests() {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.log = nil
}

// Gate sets a function that is called at both stages of every request, in the request's goroutine and without a lock:
// it may wait, or end the client's process. nil removes it. The body of r can be read at BeforeEffect only.
func (s traffic) Gate(f func(stage Stage, r *http.Request)) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.onGate = f
}

func (s traffic) gate(stage Stage, r *http.Request) {
	s.watch.mu.Lock()
	f := s.watch.onGate
	s.watch.mu.Unlock()
	if f != nil {
		f(stage, r)
	}
}

func (s traffic) begin(r *http.Request, route string) *entry {
	e := &entry{Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Route: route, Start: time.Now()}}
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.log = append(s.watch.log, e)
	return e
}

func (s traffic) note(e *entry, t *model.Token) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if t != nil {
		e.Installation = t.Installation.ID
	}
}

func (s traffic) end(e *entry, status int) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	e.Status, e.End = status, time.Now()
	if s.watch.answered != nil {
		close(s.watch.answered)
		s.watch.answered = nil
	}
}

// Answered returns a channel that is closed when the next request has had its effect. A test that waits for a change
// gets the channel, looks, and then waits, so that it misses none.
func (s traffic) Answered() <-chan struct{} {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if s.watch.answered == nil {
		s.watch.answered = make(chan struct{})
	}
	return s.watch.answered
}
