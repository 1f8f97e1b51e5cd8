package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// health runs `tenon health` against the server that listens on an address.
func health(t *testing.T, listen string, flags ...string) (code int, out, errOut string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tenon.yaml")
	require.NoError(t, os.WriteFile(file, []byte("listen: '"+listen+"'\n"), 0o600))
	return tenon(t, "", append([]string{"health", "--config", file}, flags...)...)
}

// serverOn starts a server of two pages on an address: alive, and not ready.
func serverOn(t *testing.T, address string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip("this machine has no", address)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the store does not answer\x1b[2J"+strings.Repeat("x", 5000), http.StatusServiceUnavailable)
	})
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: mux}} //nolint:gosec // for this test alone
	server.Start()
	t.Cleanup(server.Close)
	_, port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}

func TestALivingServerIsHealthyWhereverItListens(t *testing.T) {
	t.Parallel()
	four := serverOn(t, "127.0.0.1:0")
	listens := []string{":" + four, "0.0.0.0:" + four, "[::]:" + four, "127.0.0.1:" + four, "localhost:" + four}
	if l, err := net.Listen("tcp", "[::1]:0"); err == nil {
		require.NoError(t, l.Close())
		six := serverOn(t, "[::1]:0")
		listens = append(listens, ":"+six, "[::]:"+six, "[::1]:"+six)
	}
	for _, listen := range listens {
		code, out, errOut := health(t, listen)
		require.Equal(t, exitOK, code, "%s: %s", listen, errOut)
		require.Equal(t, "ok\n", out, listen)
	}
}

func TestAServerThatIsNotReadyIsNamedWithItsReasonAndCannotDrawOnTheScreen(t *testing.T) {
	t.Parallel()
	code, out, errOut := health(t, "127.0.0.1:"+serverOn(t, "127.0.0.1:0"), "--ready")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "/readyz answers 503: the store does not answer")
	require.NotContains(t, errOut, "\x1b")
	require.Less(t, len(errOut), 2*maxHealthAnswer)
}

func TestWhereNobodyListensNothingIsHealthy(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	code, out, errOut := health(t, l.Addr().String())
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "no answer from "+l.Addr().String())
	require.Contains(t, errOut, "is tenon serve running")

	code, _, errOut = health(t, "127.0.0.1:0")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "names no port")
	code, _, errOut = health(t, "nowhere")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "is not an address")
}

func TestARedirectIsNoHealth(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	t.Cleanup(server.Close)
	code, _, errOut := health(t, strings.TrimPrefix(server.URL, "http://"))
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "/healthz answers 302")
}
