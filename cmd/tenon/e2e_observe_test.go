package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// collector takes traces as OTLP by HTTP, and keeps what it got, which has texts as they are.
type collector struct {
	*httptest.Server
	mu  sync.Mutex
	got strings.Builder
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.got.WriteString(r.URL.Path + string(body))
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) all() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got.String()
}

// adminURL returns where the server listens for operators.
func (s *stage) adminURL() string {
	s.t.Helper()
	for text := range strings.Lines(s.log.all()) {
		var line struct{ Msg, Address string }
		if json.Unmarshal([]byte(text), &line) == nil && line.Msg == "listening for operators" {
			return "http://" + line.Address
		}
	}
	require.FailNow(s.t, "the server does not say where it listens for operators", s.log.all())
	return ""
}

func read(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

func TestOperatorsSeeWhatACommandDid(t *testing.T) {
	t.Parallel()
	s, traces := newStage(t, goodReply), newCollector(t)
	s.env = append(s.env, "TENON_ADMIN_LISTEN=127.0.0.1:0", "OTEL_EXPORTER_OTLP_ENDPOINT="+traces.URL,
		"OTEL_BSP_SCHEDULE_DELAY=20")
	s.startProcess()
	admin := s.adminURL()
	id := s.comment("maria", "/tenon fix the words that nobody else is to read in `main.go`")
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	var text string
	s.until("the end of the attempt, which is counted after that of the run", func() bool {
		_, text = read(t, admin+"/metrics")
		return strings.Contains(text, `tenon_runs_total{command="fix",outcome="committed",reason=""} 1`) &&
			strings.Contains(text, "\n"+`tenon_event_attempts_total{result="done"} `)
	})
	for _, sample := range []string{
		`tenon_deliveries_total{event="issue_comment",result="accepted",status="202"} 1`,
		`tenon_event_attempts_total{result="done"} `,
		`tenon_edits_total{level="exact",outcome="applied",reason=""} 1`,
		`tenon_commits_total 1`,
		`tenon_step_duration_seconds_count{result="ok",step="ask"} 1`,
		`tenon_model_calls_total{model="model-1",result="ok"} 1`,
		`tenon_model_attempts_total{model="model-1"} 1`,
		`tenon_budget_reservations_total{result="granted"} 1`,
		`tenon_github_requests_total{api="graphql",method="POST",status="200"} `,
		`tenon_git_requests_total{service="upload-pack",status="200"} `,
		`tenon_github_rate_remaining{resource="core"} `,
		`tenon_queue_events{state="dead_letter"} 0`,
		`tenon_database_up 1`,
		`tenon_disk_free_bytes `,
		`tenon_log_lines_total{level="info"} `,
		`go_goroutines `,
		`process_resident_memory_bytes `,
	} {
		require.Contains(t, text, "\n"+sample)
	}
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready", "/debug/pprof/": "goroutine",
		"/debug/pprof/goroutine?debug=1": "goroutine profile", "/": "/metrics"} {
		status, text := read(t, admin+path)
		require.Equal(t, http.StatusOK, status, path)
		require.Contains(t, text, want, path)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		status, _ := s.get(path)
		require.Equal(t, http.StatusNotFound, status, "the webhook's listener has none of it")
	}

	s.until("the traces", func() bool {
		return strings.Contains(traces.all(), "step report") && strings.Contains(traces.all(), "tenon.attempt")
	})
	for _, span := range []string{"/v1/traces", "handle", "step ask", "model model-1", "github POST", "git POST",
		"service.name", "tenon"} {
		require.True(t, strings.Contains(traces.all(), span), span)
	}
	for _, secret := range []string{"nobody else", "goodbye", s.github.WebhookSecret(), "x-access-token", "Bearer"} {
		require.False(t, strings.Contains(traces.all(), secret), secret)
	}
}
