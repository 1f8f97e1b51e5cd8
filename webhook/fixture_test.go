package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/testdata"
	"github.com/tenon-bot/tenon/webhook"
)

const (
	secret = "a secret for tests"
	guid   = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// memory is a queue that keeps the events, or returns err. If wait is set, storing takes until it is closed.
type memory struct {
	wait   chan struct{}
	mu     sync.Mutex
	events []port.Event
	err    error
}

func (m *memory) Submit(_ context.Context, ev port.Event) error {
	if m.wait != nil {
		<-m.wait
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	m.events = append(m.events, ev)
	return nil
}

// server is the handler with its route, and its queue.
type server struct {
	http.Handler
	queue *memory
}

func newServer(t testing.TB) server {
	t.Helper()
	return newServerOf(t, "tenon")
}

// newServerOf is newServer for an App with another name; "" is an unknown one.
func newServerOf(t testing.TB, slug string) server {
	t.Helper()
	queue := &memory{}
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: queue, Slug: func() string { return slug },
		Now: func() time.Time { return noon }})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	return server{router, queue}
}

// send sends a request, without a network.
func (s server) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// deliver sends body as GitHub does.
func (s server) deliver(event string, body []byte) *httptest.ResponseRecorder {
	return s.send(signed(event, body))
}

// signed returns the request of a delivery; event may contain the action too, as in "issues.opened".
func signed(event string, body []byte) *http.Request {
	event, _, _ = strings.Cut(event, ".")
	r := httptest.NewRequest(http.MethodPost, webhook.Path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", event)
	r.Header.Set("X-GitHub-Delivery", guid)
	r.Header.Set("X-Hub-Signature", "sha1="+mac(sha1.New, secret, body))
	r.Header.Set("X-Hub-Signature-256", "sha256="+mac(sha256.New, secret, body))
	return r
}

func mac(h func() hash.Hash, key string, body []byte) string {
	m := hmac.New(h, []byte(key))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}

// payload returns the body of a delivery as GitHub sends it, compact.
func payload(t testing.TB, event string) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, json.Compact(&buf, testdata.Payload(event)))
	return buf.Bytes()
}

// with returns the event's payload with the value at a dotted path replaced, or deleted by "delete".
func with(t testing.TB, event, at string, value any) []byte {
	t.Helper()
	var root map[string]any
	require.NoError(t, json.Unmarshal(payload(t, event), &root))
	keys := strings.Split(at, ".")
	node := root
	for _, k := range keys[:len(keys)-1] {
		node = node[k].(map[string]any)
	}
	last := keys[len(keys)-1]
	if value == "delete" {
		require.Contains(t, node, last)
		delete(node, last)
	} else {
		node[last] = value
	}
	data, err := json.Marshal(root)
	require.NoError(t, err)
	return data
}
