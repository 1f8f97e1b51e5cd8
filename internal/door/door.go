// Package door limits the connections to a server. It refuses nobody: when there are too many, it ends the connection
// that has kept its place longest without an accepted request.
package door

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// MaxHeader bounds the head of a request, in bytes. GitHub's have about one KB, and proxies add to them.
	MaxHeader = 16 << 10

	// newcomer is how long a connection keeps its place whatever it does. In that time the requests of a burst are read.
	newcomer = time.Second
	// poll is how often it is looked for a place, if all are taken by newcomers and by requests that are being handled.
	poll = 20 * time.Millisecond
	// logEvery is how often it is logged that connections are ended.
	logEvery = time.Minute
)

// Door is a listener of limited connections. ConnState and ConnContext must be the server's. Safe for concurrent use.
type Door struct {
	net.Listener

	most   int
	log    *slog.Logger
	closed chan struct{}

	mu     sync.Mutex
	conns  map[*conn]bool
	ended  int       // connections that were ended since logged
	logged time.Time // when it was logged last
}

// New returns a door for the connections that l accepts: at most most of them at a time, any number if that is 0. Each
// takes about 20 KB, and up to MaxHeader more. log gets a line a minute at most while connections are ended;
// nil discards it.
func New(l net.Listener, most int, log *slog.Logger) *Door {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Door{Listener: l, most: most, log: log, closed: make(chan struct{}), conns: map[*conn]bool{}}
}

// conn is a connection that takes a place. Its fields are guarded by the door's mutex.
type conn struct {
	net.Conn
	door *Door
	// since is when it was accepted, began to send a request, or became idle.
	since time.Time
	// idle is set between two requests, trusted from when the signature of a request is known to be right.
	idle, trusted bool
}

// Accept accepts a connection when there is a place for it.
func (d *Door) Accept() (net.Conn, error) {
	accepted, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, door: d}
	for !d.admit(c) {
		select {
		case <-time.After(poll):
		case <-d.closed:
			_ = accepted.Close() // the error that counts is the listener's
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

// Close closes the listener; a second call does nothing. Accepted connections remain.
func (d *Door) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.closed:
		return nil
	default:
		close(d.closed)
	}
	return d.Listener.Close()
}

// admit adds a connection if there is a place for it or another one can be ended.
func (d *Door) admit(c *conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if d.most > 0 && len(d.conns) >= d.most {
		last := d.dispensable(now)
		if last == nil {
			return false
		}
		delete(d.conns, last)
		_ = last.Conn.Close() // it ends either way
		d.note(now)
	}
	c.since = now
	d.conns[c] = true
	return true
}

// dispensable returns the connection to end: the one that has been idle longest, or else the one that has been sending
// an untrusted request longest; nil if none is dispensable.
func (d *Door) dispensable(now time.Time) (last *conn) {
	for c := range d.conns {
		switch {
		case c.trusted || !c.idle && now.Sub(c.since) < newcomer:
		case last == nil, c.idle && !last.idle, c.idle == last.idle && c.since.Before(last.since):
			last = c
		}
	}
	return last
}

// note logs that connections are ended, not too often.
func (d *Door) note(now time.Time) {
	d.ended++
	if now.Sub(d.logged) < logEvery {
		return
	}
	d.log.Warn("idle and slow connections are closed to make room for others", "ended", d.ended, "most", d.most)
	d.ended, d.logged = 0, now
}

// Close closes the connection and frees its place.
func (c *conn) Close() error {
	c.door.mu.Lock()
	delete(c.door.conns, c)
	c.door.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets the server end a connection so that its last response arrives.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// ConnState is the http.Server's function of that name.
func (d *Door) ConnState(nc net.Conn, state http.ConnState) {
	c, ok := nc.(*conn)
	if !ok || state != http.StateActive && state != http.StateIdle {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	c.since, c.idle, c.trusted = time.Now(), state == http.StateIdle, false
}

type connKey struct{}

// ConnContext is the http.Server's function of that name.
func (d *Door) ConnContext(ctx context.Context, nc net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, nc)
}

// Trust keeps a connection from being ended while its present request is handled. ctx is the request's.
func Trust(ctx context.Context) {
	c, ok := ctx.Value(connKey{}).(*conn)
	if !ok {
		return
	}
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	c.trusted = true
}
