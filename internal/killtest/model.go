package killtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// call is one request to the model.
type call struct {
	process string // who asked
	start   time.Time
}

// model is a language model behind HTTP that answers each command with the edit that it asks for. Each answer has the
// number of the call in its commit message, so that a commit tells whose answer it was made of.
type model struct {
	slowest time.Duration // an answer takes up to that long

	mu    sync.Mutex
	calls map[int][]call // by the number of the command
}

func newModel(slowest time.Duration) *model { return &model{slowest: slowest, calls: map[int][]call{}} }

// ServeHTTP answers as a provider of Chat Completions does. The API key is the name of the process.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) == 0 {
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	found := ticket.FindAllStringSubmatch(in.Messages[len(in.Messages)-1].Content, -1)
	if len(found) == 0 {
		http.Error(w, `{"error":{"message":"which command is this?"}}`, http.StatusBadRequest)
		return
	}
	number, _ := strconv.Atoi(found[len(found)-1][1]) // four digits
	process := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	m.mu.Lock()
	m.calls[number] = append(m.calls[number], call{process: process, start: time.Now()})
	nth := len(m.calls[number])
	m.mu.Unlock()
	select {
	case <-r.Context().Done():
		return
	case <-time.After(rand.N(m.slowest + 1)): //nolint:gosec // no secret
	}
	path := partOf(in.Messages[len(in.Messages)-1].Content, found[len(found)-1][0])
	stream(w, fmt.Sprintf("COMMIT: fix: set a value, call %d\n\n"+
		"%s\n```\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n", nth, path, original, changed))
}

// partOf returns the file that a command names, which is in the prompt before its ticket.
func partOf(prompt, ticket string) string {
	before := prompt[:strings.LastIndex(prompt, ticket)]
	at := strings.LastIndex(before, "part-")
	return before[at : at+len(partName(0))]
}

// stream writes a reply as server-sent events.
func stream(w http.ResponseWriter, reply string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, chunk := range []any{
		map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": reply}}}},
		map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}},
		map[string]any{"model": "model-1", "choices": []any{},
			"usage": map[string]any{"prompt_tokens": 1200, "completion_tokens": 345, "total_tokens": 1545}},
	} {
		data, _ := json.Marshal(chunk) // plain values
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

// of returns the calls about a command, in their order.
func (m *model) of(number int) []call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]call(nil), m.calls[number]...)
}
