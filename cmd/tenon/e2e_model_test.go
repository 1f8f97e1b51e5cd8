package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// modelServer is a language model behind HTTP, as a provider would serve it. It gives its replies in order, and then
// the last one again and again.
type modelServer struct {
	*httptest.Server
	mu      sync.Mutex
	replies []string
	// before and after are called around each reply, from the request's goroutine.
	before, after func()
	// tokens is what each request is said to have taken in, cached how many of them the provider had already.
	tokens, cached int
	asked          []string
}

func newModelServer(t *testing.T, replies []string) *modelServer {
	t.Helper()
	m := &modelServer{replies: replies, tokens: 1200}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages)%2 != 0 {
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	usage := map[string]any{"prompt_tokens": m.tokens, "completion_tokens": 345, "total_tokens": m.tokens + 345}
	if m.cached > 0 {
		usage["prompt_tokens_details"] = map[string]any{"cached_tokens": m.cached}
	}
	m.mu.Lock()
	m.asked = append(m.asked, in.Messages[len(in.Messages)-1].Content)
	reply, before, after := m.replies[min(len(m.asked), len(m.replies))-1], m.before, m.after
	m.mu.Unlock()
	call(before)
	if reply == noMark {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusUnauthorized)
		return
	}
	if reply == quotaMark {
		http.Error(w, `{"error":{"message":"pay"}}`, http.StatusPaymentRequired)
		return
	}
	if broken, ok := strings.CutSuffix(reply, breakMark); ok {
		data, _ := json.Marshal(map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": broken}}}})
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	// A reply that ends in a cut is one that met the model's limit.
	reply, cut := strings.CutSuffix(reply, cutMark)
	finish := map[bool]string{false: "stop", true: "length"}[cut]
	w.Header().Set("Content-Type", "text/event-stream")
	for _, chunk := range []any{
		map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": reply}}}},
		map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}},
		map[string]any{"model": "model-1", "choices": []any{}, "usage": usage},
	} {
		data, _ := json.Marshal(chunk)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
	w.(http.Flusher).Flush()
	call(after)
}

// Marks of a reply that meets the model's limit, at its end, of one in which the connection breaks, of one that the
// provider refuses to give, and of one for which no quota is left.
const (
	cutMark   = "[cut]"
	breakMark = "[break]"
	noMark    = "[no]"
	quotaMark = "[quota]"
)

// questions are the newest messages of each request, in order.
func (m *modelServer) questions() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

func call(f func()) {
	if f != nil {
		f()
	}
}
