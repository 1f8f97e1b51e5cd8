package llm_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// fails asks once, over real sockets, and returns the error's text for the log.
func fails(t *testing.T, address string, client *http.Client) string {
	t.Helper()
	model, err := llm.New(llm.Options{Model: "m", BaseURL: address, APIKey: key, HTTP: client})
	require.NoError(t, err)
	_, err = model.Complete(deadlineNow(t), question, nil)
	var user *port.UserError
	require.ErrorAs(t, err, &user)
	for _, hidden := range []string{key, "127.0.0.1", host} {
		require.NotContains(t, err.Error()+user.Text, hidden)
	}
	return err.Error()
}

func TestWhatTheLogSaysOfAConnection(t *testing.T) {
	t.Parallel()
	t.Run("nobody listens", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		require.Contains(t, fails(t, "http://"+l.Addr().String(), nil), "unreachable: connection refused")
	})
	t.Run("an unknown authority", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		defer server.Close()
		require.Contains(t, fails(t, server.URL, nil), "unreachable: certificate not trusted")
	})
	t.Run("a reset", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			say(w, ": wait\n\n")
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.(*net.TCPConn).SetLinger(0)
				_ = conn.Close()
			}
		}))
		defer server.Close()
		require.Contains(t, fails(t, server.URL, nil), "cut off")
	})
	for want, cause := range map[string]error{
		"no such host":         &net.DNSError{Err: "no such host", Name: host, IsNotFound: true},
		"connection timed out": &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			dial := func(context.Context, string, string) (net.Conn, error) { return nil, cause }
			client := &http.Client{Transport: &http.Transport{DialContext: dial}}
			require.Contains(t, fails(t, "http://"+host, client), "unreachable: "+want)
		})
	}
}

// A connection that breaks inside an answer is an outage, however it breaks. What was received of the answer is kept,
// and booked.
func TestAnAnswerWhoseConnectionBreaksIsKeptAndBooked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end    func(conn *net.TCPConn, out *bufio.ReadWriter)
		outage bool
	}{
		"closed inside a chunk": {func(_ *net.TCPConn, out *bufio.ReadWriter) {
			_, _ = out.WriteString("400\r\ndata: {\"choi")
		}, true},
		"closed between two chunks": {func(*net.TCPConn, *bufio.ReadWriter) {}, true},
		"reset":                     {func(conn *net.TCPConn, _ *bufio.ReadWriter) { _ = conn.SetLinger(0) }, true},
		"ended as it should": {func(_ *net.TCPConn, out *bufio.ReadWriter) {
			_, _ = out.WriteString("0\r\n\r\n")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				say(w, chunk("Because of the "))
				<-read // or a reset may discard it
				conn, out, err := http.NewResponseController(w).Hijack()
				if err != nil {
					return
				}
				c.end(conn.(*net.TCPConn), out)
				_ = out.Flush()
				_ = conn.Close()
			}))
			defer server.Close()
			model, err := llm.New(llm.Options{Model: "m", BaseURL: server.URL})
			require.NoError(t, err)
			spent := &spending{}
			answer, err := model.Complete(port.WithMeter(t.Context(), spent), question, func(string) { close(read) })
			require.NoError(t, err)
			require.Equal(t, "Because of the ", answer.Text)
			require.True(t, answer.Broken)
			require.Equal(t, c.outage, answer.Outage())
			require.Equal(t, []port.Usage{{In: int(question.Tokens()), Out: len(answer.Text) / port.BytesPerToken}},
				spent.took)
		})
	}
}

// spending is a port.Meter that keeps what attempts took.
type spending struct{ took []port.Usage }

func (s *spending) Begin(context.Context) error { return nil }

func (s *spending) End(_ context.Context, _ string, took *port.Usage) { s.took = append(s.took, *took) }
