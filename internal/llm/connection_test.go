package llm_test

import (
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
