package door_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/door"
)

// street is a listener of connections in memory.
type street struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (s *street) Accept() (net.Conn, error) {
	select {
	case c := <-s.conns:
		return c, nil
	case <-s.done:
		return nil, net.ErrClosed
	}
}

func (s *street) Close() error   { s.once.Do(func() { close(s.done) }); return nil }
func (s *street) Addr() net.Addr { return &net.TCPAddr{} }

// house is a door of three places, whose visitors are played by the test in place of a server.
type house struct {
	t      *testing.T
	street *street
	*door.Door
}

func at(t *testing.T, story func(h house)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &street{conns: make(chan net.Conn), done: make(chan struct{})}
		story(house{t, s, door.New(s, 3, nil)})
	})
}

// comes returns a visitor whose connection was accepted: the visitor's end, and the server's.
func (h house) comes() (theirs, ours net.Conn) {
	theirs, end := net.Pipe()
	go func() { h.street.conns <- end }()
	ours, err := h.Accept()
	require.NoError(h.t, err)
	h.ConnState(ours, http.StateNew)
	return theirs, ours
}

func (h house) trust(c net.Conn) { door.Trust(h.ConnContext(context.Background(), c)) }

// isOpen reports whether a connection has not been ended.
func isOpen(theirs net.Conn) bool {
	_ = theirs.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := theirs.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func TestSilentConnectionsKeepNobodyOut(t *testing.T) {
	at(t, func(h house) {
		first, _ := h.comes()
		time.Sleep(10 * time.Second)
		second, _ := h.comes()
		_, _ = h.comes()
		for range 100 {
			begun := time.Now()
			c, ours := h.comes()
			require.LessOrEqual(t, time.Since(begun), 2*time.Second)
			require.True(t, isOpen(c))
			h.ConnState(ours, http.StateActive)
			h.trust(ours)
			require.NoError(t, ours.Close())
			h.ConnState(ours, http.StateClosed)
		}
		require.False(t, isOpen(first), "it was there longest")
		require.True(t, isOpen(second), "one place was enough")
	})
}

func TestAnIdleConnectionGoesBeforeASlowOne(t *testing.T) {
	at(t, func(h house) {
		slow, sends := h.comes()
		h.ConnState(sends, http.StateActive)
		time.Sleep(time.Minute)
		idle, rests := h.comes()
		h.ConnState(rests, http.StateActive)
		h.ConnState(rests, http.StateIdle)
		_, _ = h.comes()
		_, _ = h.comes()
		require.False(t, isOpen(idle))
		require.True(t, isOpen(slow))
		_, _ = h.comes()
		require.False(t, isOpen(slow))
	})
}

func TestASignedRequestIsHandledToItsEnd(t *testing.T) {
	at(t, func(h house) {
		var all, ours []net.Conn
		for range 3 {
			c, o := h.comes()
			h.ConnState(o, http.StateActive)
			h.trust(o)
			all, ours = append(all, c), append(ours, o)
		}
		time.Sleep(time.Minute)
		begun := time.Now()
		time.AfterFunc(10*time.Second, func() { h.ConnState(ours[1], http.StateIdle) })
		_, _ = h.comes()
		require.GreaterOrEqual(t, time.Since(begun), 10*time.Second, "it waited for a place")
		require.True(t, isOpen(all[0]))
		require.False(t, isOpen(all[1]), "its request had ended")
		require.True(t, isOpen(all[2]))
	})
}

func TestABurstWaitsForItsTurn(t *testing.T) {
	at(t, func(h house) {
		first, ours := h.comes()
		_, _ = h.comes()
		_, _ = h.comes()
		time.AfterFunc(300*time.Millisecond, func() { _ = ours.Close() })
		begun := time.Now()
		_, _ = h.comes()
		require.Less(t, time.Since(begun), time.Second, "a place became free")
		require.False(t, isOpen(first))
	})
}

func TestAClosedDoorAcceptsNobodyWhoWaits(t *testing.T) {
	at(t, func(h house) {
		for range 3 {
			_, o := h.comes()
			h.trust(o)
		}
		_, end := net.Pipe()
		go func() { h.street.conns <- end }()
		time.AfterFunc(time.Second, func() { _ = h.Close() })
		_, err := h.Accept()
		require.ErrorIs(t, err, net.ErrClosed)
		require.NoError(t, h.Close())
	})
}
