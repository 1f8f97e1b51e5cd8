package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// A handler cannot tell its requests from those of a server, nor a client the responses.
func TestRequestsWithoutANetwork(t *testing.T) {
	t.Parallel()
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		data, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", r.Method+" "+r.Host+" "+r.RequestURI)
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(data)
	}
	served := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(served.Close)
	host := strings.TrimPrefix(served.URL, "http://")
	send := func(client http.Client, ctx context.Context, path string, body io.Reader) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, served.URL+path, body)
		require.NoError(t, err)
		return client.Do(req)
	}
	for _, client := range []http.Client{{Transport: transport.To{Handler: http.HandlerFunc(answer)}}, {}} {
		res, err := send(client, t.Context(), "/a%2Fb?c=d", strings.NewReader("body"))
		require.NoError(t, err)
		data, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, []any{"418 I'm a teapot", 418, "POST " + host + " /a%2Fb?c=d", "body", int64(4)},
			[]any{res.Status, res.StatusCode, res.Header.Get("X-Seen"), string(data), res.ContentLength})
		_, err = send(client, t.Context(), "/abort", nil) //nolint:bodyclose // there is no response
		require.ErrorContains(t, err, "EOF")
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = send(client, ended, "/", nil) //nolint:bodyclose // there is no response
		require.ErrorIs(t, err, context.Canceled)
	}
}
