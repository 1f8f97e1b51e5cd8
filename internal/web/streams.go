package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// streams counts open streams. Safe for concurrent use.
type streams struct {
	mu   sync.Mutex
	all  int
	each map[int64]int
	// servers are closed when they shut down.
	servers map[*http.Server]chan struct{}
}

// closing returns what is closed when the server of a request shuts down, which waits for all requests; nil if that is
// not known.
func (s *streams) closing(r *http.Request) <-chan struct{} {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.servers[server]
	if c == nil {
		c = make(chan struct{})
		if s.servers == nil {
			s.servers = map[*http.Server]chan struct{}{}
		}
		s.servers[server] = c
		server.RegisterOnShutdown(sync.OnceFunc(func() { close(c) }))
	}
	return c
}

// open reports whether a visitor may open another stream. If so, they must close it.
func (s *streams) open(visitor int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= maxStreams || s.each[visitor] >= maxStreamsEach {
		return false
	}
	if s.each == nil {
		s.each = map[int64]int{}
	}
	s.all++
	s.each[visitor]++
	return true
}

func (s *streams) close(visitor int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.each[visitor]--; s.each[visitor] == 0 {
		delete(s.each, visitor)
	}
}

// eventOf returns an event. JSON has no line ends, which would end its data.
func eventOf(name string, data any) string {
	var b strings.Builder
	b.WriteString("event: " + name + "\ndata: ")
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(data); err != nil {
		return ""
	}
	return b.String() + "\n"
}

// maxStreams bounds the streams of all visitors, maxStreamsEach those of one: each is a connection.
const (
	maxStreams     = 400
	maxStreamsEach = 250
)
