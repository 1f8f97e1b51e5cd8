package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/webhook"
)

// pipes is a network of one server, in memory, so that a test can run on the fake clock of testing/synctest.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// door is a server on the fake clock.
type door struct {
	t       *testing.T
	handler *webhook.Handler
	queue   *memory
	network *pipes
}

// atTheDoor runs a story with a server whose bodies may take so much memory.
func atTheDoor(t *testing.T, memory int, story func(d *door)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(t, memory)
		server := &http.Server{Handler: d.handler, ReadTimeout: 30 * time.Second}
		go func() { _ = server.Serve(d.network) }()
		defer func() {
			_ = server.Close()
			time.Sleep(time.Second) // for connections whose answer is on its way
		}()
		story(d)
	})
}

func newDoor(t *testing.T, size int) *door {
	d := &door{t: t, queue: &memory{}, network: &pipes{conns: make(chan net.Conn), done: make(chan struct{})}}
	var err error
	d.handler, err = webhook.New(webhook.Options{Secret: []byte(secret), Queue: d.queue, Memory: size,
		Slug: func() string { return "tenon" }, Now: func() time.Time { return noon }})
	require.NoError(t, err)
	return d
}

// sender is a connection to the door.
type sender struct {
	t    *testing.T
	conn net.Conn
	// status is what was answered, 0 if the connection was closed without an answer.
	status chan int
}

// dial opens a connection and sends the beginning of a request.
func (d *door) dial(text string) *sender {
	client, server := net.Pipe()
	d.network.conns <- server
	s := &sender{d.t, client, make(chan int, 1)}
	go func() {
		defer func() { _ = client.Close() }()
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			s.status <- 0
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		s.status <- resp.StatusCode
	}()
	s.send([]byte(text))
	return s
}

// send sends more; it is no fault if the server has ended the connection.
func (s *sender) send(data []byte) {
	if _, err := s.conn.Write(data); err != nil {
		require.True(s.t, errors.Is(err, io.ErrClosedPipe), err)
	}
}

// claims returns the head of a delivery with a length, and whatever signature.
func claims(n int) string { return fmt.Sprintf("%sContent-Length: %d\r\n\r\n", head, n) }

// honest sends a delivery as GitHub does and returns the status of the answer.
func (d *door) honest(body []byte) int {
	s := d.dial(fmt.Sprintf("POST /webhook HTTP/1.1\r\nHost: tenon\r\nContent-Type: application/json\r\n"+
		"X-GitHub-Event: issue_comment\r\nX-GitHub-Delivery: %s\r\nX-Hub-Signature-256: sha256=%s\r\n"+
		"Content-Length: %d\r\n\r\n", guid, mac(sha256.New, secret, body), len(body)))
	go s.send(body)
	return <-s.status
}

// reserved returns how many bytes are reserved when the server has read all that was sent.
func (d *door) reserved() int {
	synctest.Wait()
	n, _ := webhook.Reserved(d.handler)
	return n
}

const mega = 1 << 20

func TestUnfinishedUnsignedBodiesReserveNothing(t *testing.T) {
	atTheDoor(t, 0, func(d *door) {
		for range 200 {
			s := d.dial("POST /webhook HTTP/1.1\r\nHost: tenon\r\nContent-Type: application/json\r\n" +
				fmt.Sprintf("Content-Length: %d\r\n\r\n", mega))
			require.Equal(t, http.StatusUnauthorized, <-s.status, "without waiting for the body")
		}
		require.Zero(t, d.reserved())
	})
}

func TestABodyReservesWhatItSendsAndNotWhatItClaims(t *testing.T) {
	atTheDoor(t, 0, func(d *door) {
		const chunk = 16 << 10
		for range 200 {
			d.dial(claims(25 * mega))
		}
		require.Equal(t, 200*chunk, d.reserved())
		s := d.dial(claims(25 * mega))
		s.send(make([]byte, 100<<10))
		require.Equal(t, 200*chunk+128<<10, d.reserved(), "at most twice what was received")
		time.Sleep(time.Minute)
		require.Zero(t, d.reserved(), "all were too slow")
		require.Equal(t, http.StatusRequestTimeout, <-s.status)
	})
}

func TestSlowSendersDoNotShutTheDoor(t *testing.T) {
	atTheDoor(t, 4*mega+mega/2, func(d *door) { // a body that grows takes its old place and its new one for a moment
		var slow []*sender
		for range 4 {
			s := d.dial(claims(25 * mega))
			s.send(make([]byte, mega-100))
			slow = append(slow, s)
		}
		require.Equal(t, 4*mega, d.reserved())
		time.Sleep(2 * time.Second)
		slow[0].send(make([]byte, 50))
		slow[2].send(make([]byte, 50))
		slow[3].send(make([]byte, 50))
		large := payload(t, "issue_comment")
		large = append(large, bytes.Repeat([]byte(" "), mega-len(large))...)
		require.Equal(t, http.StatusAccepted, d.honest(large))
		require.Equal(t, http.StatusRequestTimeout, <-slow[1].status, "it sent nothing lately")
		require.Equal(t, 3*mega, d.reserved(), "the others stay while there is room")
		for range 100 {
			require.Equal(t, http.StatusAccepted, d.honest(payload(t, "issue_comment")))
		}
	})
}

func TestABodyThatFindsNoRoomIsToldWhenToComeAgain(t *testing.T) {
	atTheDoor(t, 6*mega, func(d *door) {
		stored := make(chan struct{})
		d.queue.wait = stored
		body := payload(t, "issue_comment")
		body = append(body, bytes.Repeat([]byte(" "), 3*mega-len(body))...)
		first, second := make(chan int, 1), make(chan int, 1)
		go func() { first <- d.honest(body) }()
		time.Sleep(2 * time.Second) // it is signed, and being stored: it is never evicted
		go func() { second <- d.honest(body) }()
		require.Equal(t, http.StatusServiceUnavailable, <-second)
		close(stored)
		require.Equal(t, http.StatusAccepted, <-first)
		require.Equal(t, http.StatusAccepted, d.honest(body), "there is room again")
		require.Zero(t, d.reserved())
	})
}

func TestABodyMustComeAtARate(t *testing.T) {
	atTheDoor(t, 0, func(d *door) {
		body := payload(t, "issue_comment")
		body = append(body, bytes.Repeat([]byte(" "), 400<<10-len(body))...)
		var sending sync.WaitGroup
		for name, c := range map[string]struct {
			chunk int // each second
			want  int
		}{
			"a slow line":     {40 << 10, http.StatusAccepted},
			"a slower one":    {20 << 10, http.StatusAccepted},
			"a byte a second": {1, http.StatusRequestTimeout},
			"far too slow":    {4 << 10, http.StatusRequestTimeout},
		} {
			s := d.dial(fmt.Sprintf("POST /webhook HTTP/1.1\r\nHost: tenon\r\nContent-Type: application/json\r\n"+
				"X-GitHub-Event: issue_comment\r\nX-GitHub-Delivery: %s\r\nX-Hub-Signature-256: sha256=%s\r\n"+
				"Content-Length: %d\r\n\r\n", guid, mac(sha256.New, secret, body), len(body)))
			begun := time.Now()
			sending.Go(func() {
				for rest := body; len(rest) > 0; {
					n := min(c.chunk, len(rest))
					if _, err := s.conn.Write(rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
					time.Sleep(time.Second)
				}
			})
			require.Equal(t, c.want, <-s.status, name)
			require.Less(t, time.Since(begun), 35*time.Second, name)
			sending.Wait()
		}
	})
}

func TestABodyIsVerifiedBeforeItsEventIsRead(t *testing.T) {
	t.Parallel()
	var trusted []context.Context
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: &memory{}, Slug: func() string { return "tenon" },
		Now: func() time.Time { return noon }, Trust: func(ctx context.Context) { trusted = append(trusted, ctx) }})
	require.NoError(t, err)
	s := server{h, nil}
	r := signed("issue_comment", payload(t, "issue_comment"))
	r.Header.Set("X-Hub-Signature-256", "sha256="+mac(sha256.New, "another", payload(t, "issue_comment")))
	require.Equal(t, http.StatusUnauthorized, s.send(r).Code)
	require.Empty(t, trusted)
	require.Equal(t, http.StatusAccepted, s.deliver("issue_comment", payload(t, "issue_comment")).Code)
	require.Len(t, trusted, 1)
}
