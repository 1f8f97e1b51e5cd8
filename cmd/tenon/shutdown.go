package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// stopGrace is how long a shutdown waits for HTTP requests in flight. The workers have a grace of their own for runs.
	stopGrace = 15 * time.Second
	// silentGrace is how long a shutdown waits for the first byte of a connection: a delivery may be on its way.
	silentGrace = 250 * time.Millisecond
)

// serveHTTP serves l until ctx ends. Then it accepts no more connections, and waits for the requests in flight.
func serveHTTP(ctx context.Context, server *http.Server, l net.Listener) error {
	silent := &silentConns{conns: map[net.Conn]bool{}}
	next := server.ConnState
	server.ConnState = func(c net.Conn, state http.ConnState) {
		silent.track(c, state)
		if next != nil {
			next(c, state)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(l); ctx.Err() == nil {
			return fmt.Errorf("serving %s: %w", l.Addr(), err)
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		_ = l.Close() // the error would be that it is closed
		if silent.count() > 0 {
			time.Sleep(silentGrace)
		}
		silent.close()
		defer time.AfterFunc(silentGrace, silent.close).Stop() // for one that was just being accepted
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		return server.Shutdown(stop)
	})
	return group.Wait()
}

// silentConns are the connections of a server on which nothing was received yet. Safe for concurrent use.
type silentConns struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
}

// track is the server's ConnState.
func (s *silentConns) track(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state == http.StateNew {
		s.conns[c] = true
	} else {
		delete(s.conns, c)
	}
}

// close closes the connections that are still silent. Shutdown would wait five seconds for each, and drop its request.
func (s *silentConns) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.Close() // it ends either way
	}
}

func (s *silentConns) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}
