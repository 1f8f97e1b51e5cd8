package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipeListener is a listener of connections in memory.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func (l *pipeListener) dial() net.Conn {
	client, server := net.Pipe()
	l.conns <- server
	return client
}

// stopped serves while clients connect, then shuts down, and returns how long that took.
func stopped(t *testing.T, h http.HandlerFunc, connect func(l *pipeListener)) time.Duration {
	t.Helper()
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- serveHTTP(ctx, &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}, l) }()
	connect(l)
	synctest.Wait()
	begun := time.Now()
	cancel()
	require.NoError(t, <-ended)
	return time.Since(begun)
}

func TestASilentConnectionDoesNotDelayAShutdown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := stopped(t, func(http.ResponseWriter, *http.Request) {}, func(l *pipeListener) {
			silent := l.dial()
			t.Cleanup(func() { _ = silent.Close() })
		})
		require.Less(t, took, time.Second)
	})
}

func TestAShutdownWaitsForTheRequestsInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answered := make(chan string, 2)
		ask := func(c net.Conn, after time.Duration) {
			time.Sleep(after)
			_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			status, _ := bufio.NewReader(c).ReadString('\n')
			answered <- strings.TrimSpace(status)
			_ = c.Close()
		}
		took := stopped(t, func(http.ResponseWriter, *http.Request) { time.Sleep(3 * time.Second) },
			func(l *pipeListener) {
				go ask(l.dial(), 0)
				go ask(l.dial(), silentGrace/2) // it connected before the shutdown, and is on the way
			})
		require.Equal(t, []string{"HTTP/1.1 200 OK", "HTTP/1.1 200 OK"}, []string{<-answered, <-answered})
		require.GreaterOrEqual(t, took, 3*time.Second)
	})
}
