package attacks

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/attacks/obey"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Left is all that left the server.
type Left struct {
	// Requests are those to GitHub. Prompts are what the model was asked, Visits what the attacker's host was.
	Requests        []Request
	Prompts, Visits []string
	// Changes are of branches: those that moved, appeared or went.
	Changes []Change
	Log     string
}

// Request is a request to GitHub.
type Request struct {
	Method, Path string
	// Texts are the strings in its body, by their keys: contents of files are decoded.
	Texts []Text
}

// Text is a string in the body of a request, with the key that it has there.
type Text struct{ Key, Text string }

// Change is what became of a branch. Files are the paths that are different, each with its patch.
type Change struct {
	Repo, Branch string
	Files        map[string]string
}

// requested notes a request to GitHub.
func (w *World) requested(stage traffic.Stage, r *http.Request) {
	if stage != traffic.BeforeEffect {
		return
	}
	if strings.HasPrefix(r.URL.Path, "/login/") { // people's browsers, and what asks GitHub who they are
		return
	}
	w.runEarly(r.URL.Path)
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	req := Request{Method: r.Method, Path: r.URL.Path}
	if r.URL.RawQuery != "" {
		req.Texts = append(req.Texts, Text{"query", r.URL.RawQuery})
	}
	var v any
	switch {
	case err != nil:
		req.Texts = append(req.Texts, Text{"error", err.Error()})
	case json.Unmarshal(body, &v) == nil:
		req.Texts = append(req.Texts, textsOf("", v)...)
	default:
		req.Texts = append(req.Texts, Text{"raw", string(body)})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left.Requests = append(w.left.Requests, req)
}

func textsOf(key string, v any) (list []Text) {
	switch v := v.(type) {
	case string:
		list = append(list, Text{key, v})
		if data, err := base64.StdEncoding.DecodeString(v); err == nil && key == "contents" {
			list = append(list, Text{key, string(data)})
		}
	case float64:
		list = append(list, Text{key, strconv.FormatFloat(v, 'f', -1, 64)})
	case []any:
		for _, e := range v {
			list = append(list, textsOf(key, e)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			list = append(list, textsOf(k, v[k])...)
		}
	}
	return list
}

// visited notes a request to the attacker's host.
func (w *World) visited(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left.Visits = append(w.left.Visits, fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header, body))
}

// asked answers a question to the model by a model that obeys, as a provider of Chat Completions.
func (w *World) asked(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in struct{ Messages []obey.Message }
	if err != nil || json.Unmarshal(body, &in) != nil || len(in.Messages) == 0 {
		http.Error(rw, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	w.left.Prompts = append(w.left.Prompts, promptOf(in.Messages))
	meanwhile := w.meanwhile
	w.meanwhile = nil
	w.mu.Unlock()
	if meanwhile != nil {
		meanwhile()
	}
	rw.Header().Set("Content-Type", "text/event-stream")
	for _, chunk := range []any{
		delta(map[string]any{"content": obey.Reply(in.Messages)}, nil), delta(map[string]any{}, "stop"),
		map[string]any{"model": "model-1", "choices": []any{}, "usage": map[string]any{"prompt_tokens": 1000,
			"completion_tokens": 100, "total_tokens": 1100}},
	} {
		data, _ := json.Marshal(chunk)
		_, _ = fmt.Fprintf(rw, "data: %s\n\n", data)
	}
	_, _ = io.WriteString(rw, "data: [DONE]\n\n")
}

func delta(of map[string]any, finish any) map[string]any {
	return map[string]any{"model": "model-1", "choices": []any{
		map[string]any{"index": 0, "delta": of, "finish_reason": finish}}}
}

// promptOf returns what somebody else than the model said.
func promptOf(conversation []obey.Message) string {
	var b strings.Builder
	for _, m := range conversation {
		if m.Role != "assistant" {
			b.WriteString(m.Content + "\n")
		}
	}
	return b.String()
}

// Left returns what has left the server so far.
func (w *World) Left() Left {
	w.T.Helper()
	after := w.branches()
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.left
	l.Requests, l.Prompts, l.Visits = slices.Clone(l.Requests), slices.Clone(l.Prompts), slices.Clone(l.Visits)
	l.Log = w.log()
	for _, repo := range slices.Sorted(maps.Keys(after)) {
		for _, branch := range slices.Sorted(maps.Keys(after[repo])) {
			if was := w.before[repo][branch]; was != after[repo][branch] {
				l.Changes = append(l.Changes, w.change(repo, branch, was, after[repo][branch]))
			}
		}
		for branch := range w.before[repo] {
			if after[repo][branch] == "" {
				l.Changes = append(l.Changes, Change{Repo: repo, Branch: branch})
			}
		}
	}
	return l
}

// change returns what differs between two commits of a branch. A new one is compared with the default branch.
func (w *World) change(repo, branch, from, to string) Change {
	git, err := w.Git(repo)
	w.Must(err)
	if from == "" {
		from = w.before[repo]["main"]
	}
	diffs, err := git.Diff(from, to)
	w.Must(err)
	c := Change{Repo: repo, Branch: branch, Files: map[string]string{}}
	for _, d := range diffs {
		c.Files[d.Path] = d.Patch
	}
	return c
}
