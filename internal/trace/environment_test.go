package trace

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// collected is what a collector got.
type collected struct {
	path, body string
	header     http.Header
}

// collect returns a handler that takes traces, and what it got so far. It counts on Close of a tracer, which sends all.
func collect(all *[]collected) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(bytes.NewReader(body))
			if err == nil {
				body, _ = io.ReadAll(unpacked)
			}
		}
		*all = append(*all, collected{r.URL.Path, string(body), r.Header})
		w.Header().Set("Content-Type", "application/x-protobuf")
	})
}

// sent is what a tracer sends of one delivery, as the variables want it.
func sent(t *testing.T, exporter string) {
	t.Helper()
	var log strings.Builder
	tracer, err := New(t.Context(),
		Options{Exporter: exporter, Version: "v9", Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	deliver(tracer, guid)
	require.NoError(t, tracer.Close(context.WithoutCancel(t.Context())), log.String())
}

// The SDK reads the environment. Not parallel: the environment is everybody's.
func TestTheStandardVariablesAreObeyed(t *testing.T) {
	var got []collected
	server := httptest.NewServer(collect(&got))
	t.Cleanup(server.Close)
	secure := httptest.NewTLSServer(collect(&got))
	t.Cleanup(secure.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(authority,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	endpoint := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL}
	for name, c := range map[string]struct {
		env   map[string]string
		check func(t *testing.T, c collected)
	}{
		"an endpoint": {endpoint, func(t *testing.T, c collected) {
			require.Equal(t, "/v1/traces", c.path)
			require.Contains(t, c.body, "\x05tenon")
			require.Contains(t, c.body, "v9")
		}},
		"an endpoint for traces": {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": server.URL + "/here"},
			func(t *testing.T, c collected) { require.Equal(t, "/here", c.path) }},
		"headers": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-key=k%201"},
			func(t *testing.T, c collected) { require.Equal(t, "k 1", c.header.Get("X-Key")) }},
		"compression": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL,
			"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"},
			func(t *testing.T, c collected) { require.Equal(t, "gzip", c.header.Get("Content-Encoding")) }},
		"a certificate": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": secure.URL,
			"OTEL_EXPORTER_OTLP_CERTIFICATE": authority},
			func(t *testing.T, c collected) { require.Equal(t, "/v1/traces", c.path) }},
		"a name": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_SERVICE_NAME": "house-bot",
			"OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=staging"},
			func(t *testing.T, c collected) {
				require.Contains(t, c.body, "house-bot")
				require.NotContains(t, c.body, "\x05tenon", "the variable goes first")
				require.Contains(t, c.body, "staging")
			}},
		"a sampler that keeps nothing": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL,
			"OTEL_TRACES_SAMPLER": "always_off"}, nil},
		"a ratio of nothing": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL,
			"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0"}, nil},
		"a limit of attributes": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL,
			"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "1"},
			func(t *testing.T, c collected) { require.NotContains(t, c.body, "github.event") }},
	} {
		t.Run(name, func(t *testing.T) {
			got = nil
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			sent(t, HTTP)
			if c.check == nil {
				require.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			c.check(t, got[0])
		})
	}
}

// Not parallel, as above.
func TestGRPCIsSpokenWhereItIsAskedFor(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	first := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		preface := make([]byte, 14)
		_, _ = io.ReadFull(conn, preface)
		first <- string(preface)
		_ = conn.Close()
	}()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+l.Addr().String())
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "500")
	tracer, err := New(t.Context(), Options{Exporter: GRPC, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	deliver(tracer, guid)
	closed, cancel := context.WithCancel(t.Context())
	go func() {
		require.Equal(t, "PRI * HTTP/2.0", <-first)
		cancel()
	}()
	require.Error(t, tracer.Close(closed), "nobody answers")
}

func TestAnExporterThatDoesNotExistIsAnError(t *testing.T) {
	t.Parallel()
	_, err := New(t.Context(), Options{Exporter: "zipkin"})
	require.EqualError(t, err, `preparing traces: there is no exporter "zipkin"`)
}
