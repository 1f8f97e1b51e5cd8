package traffic

import (
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Requests returns all requests so far, in the order of their arrival.
func (s Traffic) Requests() []Request {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	all := make([]Request, len(s.watch.log))
	for i, e := range s.watch.log {
		all[i] = *e
	}
	return all
}

// ForgetRequests empties the log.
func (s Traffic) ForgetRequests() {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.log = nil
}

// Answered returns a channel that is closed when the next request has had its effect. A test that waits for a change
// gets the channel, looks, and then waits, so that it misses none.
func (s Traffic) Answered() <-chan struct{} {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	if s.watch.answered == nil {
		s.watch.answered = make(chan struct{})
	}
	return s.watch.answered
}

// Begin adds a request to the log.
func (w *Watch) Begin(r *http.Request, route string) *Request {
	e := &Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Route: route, Start: time.Now()}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, e)
	return e
}

// Note adds to the log whose token a request has.
func (w *Watch) Note(e *Request, t *entity.Token) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t != nil {
		e.Installation = t.Installation.ID
	}
}

// End adds the status of the response to the log.
func (w *Watch) End(e *Request, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.Status, e.End = status, time.Now()
	if w.answered != nil {
		close(w.answered)
		w.answered = nil
	}
}
