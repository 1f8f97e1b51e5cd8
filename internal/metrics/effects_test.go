package metrics

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// scrape returns the samples of the metrics of this program, as "name{labels}" and the value.
func scrape(t *testing.T, m *Metrics) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	samples := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		if i := strings.LastIndexByte(line, ' '); strings.HasPrefix(line, "tenon_") {
			samples[line[:i]] = strings.TrimSpace(line[i:])
		}
	}
	return samples
}

func answering(status int, header ...string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Request: r, Body: http.NoBody}, nil
	})
}

func send(t *testing.T, rt http.RoundTripper, method, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	require.NoError(t, err)
	resp, err := rt.RoundTrip(req)
	if err == nil {
		require.NoError(t, resp.Body.Close())
	}
}

func deliver(m *Metrics, event string, status int) {
	webhook := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	r := httptest.NewRequest(http.MethodPost, "/webhook", nil)
	r.Header.Set("X-GitHub-Event", event)
	m.Deliveries(webhook).ServeHTTP(httptest.NewRecorder(), r)
}

// fakeModel books an attempt at a call by its meter, if took is set, and answers.
type fakeModel struct {
	took   *port.Usage
	answer port.Answer
	err    error
}

func (f fakeModel) Complete(ctx context.Context, _ port.Request, _ func(string)) (port.Answer, error) {
	if f.took != nil {
		if err := port.MeterOf(ctx).Begin(ctx); err != nil {
			return port.Answer{}, err
		}
		port.MeterOf(ctx).End(ctx, "gpt", f.took)
	}
	return f.answer, f.err
}

type faultError struct{}

func (faultError) Error() string { return "asking the model: rate limited" }
func (faultError) Fault() string { return "rate limited" }

func call(t *testing.T, m *Metrics, f fakeModel) {
	t.Helper()
	info := port.ModelInfo{Name: "strong", Price: port.Price{Input: 2, Cached: 1, Output: 10}}
	_, _ = m.Model(info, f).Complete(t.Context(), port.Request{}, nil)
}

type fakeBudget struct {
	port.Budget
	err error
}

func (f fakeBudget) Reserve(context.Context, port.Reservation) (port.Booking, error) {
	return port.Booking{}, f.err
}

const api = "https://api.github.com/"

// limits are GitHub's headers of a limit that resets in half an hour.
func limits(remaining string) []string {
	return []string{"X-RateLimit-Resource", "core", "X-RateLimit-Limit", "5000", "X-RateLimit-Remaining", remaining,
		"X-RateLimit-Reset", unix(30 * time.Minute)}
}

func watchFigures(f Figures, err error) func(*testing.T, *Metrics) {
	return func(_ *testing.T, m *Metrics) {
		m.Watch(Sources{Figures: func(context.Context) (Figures, error) { return f, err }, Load: busy,
			Disk: func() (Disk, error) { return Disk{Free: 10, Size: 20, Database: 3}, err }})
	}
}

// busy is the load of a server that is rather busy.
func busy() port.Load {
	return port.Load{Runs: 9, MostRuns: 17, Working: 2, Slots: 2, Ready: 3, Models: []port.ModelLoad{
		{Name: "strong", Calls: 3}, {Name: "local", Calls: 2, MostCalls: 2, Waiting: 5}}}
}

// effects are, for each metric, something that happens, and what a scrape shows afterwards.
var effects = []struct {
	metric  string
	happens func(*testing.T, *Metrics)
	shows   map[string]string
}{
	{"tenon_build_info", func(*testing.T, *Metrics) {}, nil}, // a test of its own
	{"tenon_deliveries_total", func(_ *testing.T, m *Metrics) {
		deliver(m, "issue_comment", 202)
		deliver(m, "issue_comment", 204)
		deliver(m, "ping", 200)
		deliver(m, "something/odd", 401)
		deliver(m, "issues", 503)
	}, map[string]string{
		`tenon_deliveries_total{event="issue_comment",result="accepted",status="202"}`:   "1",
		`tenon_deliveries_total{event="issue_comment",result="not_needed",status="204"}`: "1",
		`tenon_deliveries_total{event="ping",result="answered",status="200"}`:            "1",
		`tenon_deliveries_total{event="other",result="refused",status="401"}`:            "1",
		`tenon_deliveries_total{event="issues",result="failed",status="503"}`:            "1",
	}},
	{"tenon_delivery_duration_seconds", func(_ *testing.T, m *Metrics) { deliver(m, "ping", 200) },
		map[string]string{`tenon_delivery_duration_seconds_count`: "1"}},
	{"tenon_event_attempts_total", func(_ *testing.T, m *Metrics) {
		m.Handled(nil)
		m.Handled(&port.WaitError{For: port.GitHubLimit, Err: errors.New("429")})
		m.Handled(port.ErrLeaseLost)
		m.Handled(&port.CancelledError{By: "maria"})
		m.Handled(errors.New("broken"))
	}, map[string]string{
		`tenon_event_attempts_total{result="done"}`:      "1",
		`tenon_event_attempts_total{result="waits"}`:     "1",
		`tenon_event_attempts_total{result="stopped"}`:   "1",
		`tenon_event_attempts_total{result="cancelled"}`: "1",
		`tenon_event_attempts_total{result="failed"}`:    "1",
	}},
	{"tenon_runs_total", ends, map[string]string{
		`tenon_runs_total{command="fix",outcome="committed",reason=""}`:       "1",
		`tenon_runs_total{command="other",outcome="refused",reason="budget"}`: "1",
	}},
	{"tenon_run_duration_seconds", ends, map[string]string{
		`tenon_run_duration_seconds_sum{outcome="committed"}`:   "90",
		`tenon_run_duration_seconds_count{outcome="refused"}`:   "0",
		`tenon_run_duration_seconds_count{outcome="previewed"}`: "0",
	}},
	{"tenon_edits_total", ends, map[string]string{
		`tenon_edits_total{level="exact",outcome="applied",reason=""}`:  "3",
		`tenon_edits_total{level="",outcome="failed",reason="NoMatch"}`: "2",
	}},
	{"tenon_commits_total", ends, map[string]string{`tenon_commits_total`: "1"}},
	{"tenon_step_duration_seconds", func(t *testing.T, m *Metrics) {
		for _, err := range []error{nil, &port.UserError{Text: "no"}, errors.New("broken")} {
			_, done := m.Step(t.Context(), "ask")
			done(err)
		}
	}, map[string]string{
		`tenon_step_duration_seconds_count{result="ok",step="ask"}`:      "1",
		`tenon_step_duration_seconds_count{result="refused",step="ask"}`: "1",
		`tenon_step_duration_seconds_count{result="failed",step="ask"}`:  "1",
	}},
	{"tenon_model_calls_total", func(t *testing.T, m *Metrics) {
		call(t, m, fakeModel{})
		call(t, m, fakeModel{answer: port.Answer{Cut: true}})
		call(t, m, fakeModel{err: faultError{}})
		call(t, m, fakeModel{err: context.Canceled})
		call(t, m, fakeModel{err: (&port.UserError{Text: "used up"}).Because(port.ReasonBudget)})
		call(t, m, fakeModel{err: &port.WaitError{For: port.ModelLimit, Err: errors.New("quota")}})
	}, map[string]string{
		`tenon_model_calls_total{model="strong",result="ok"}`:           "1",
		`tenon_model_calls_total{model="strong",result="cut"}`:          "1",
		`tenon_model_calls_total{model="strong",result="rate_limited"}`: "1",
		`tenon_model_calls_total{model="strong",result="cancelled"}`:    "1",
		`tenon_model_calls_total{model="strong",result="over_budget"}`:  "1",
		`tenon_model_calls_total{model="strong",result="model_limit"}`:  "1",
	}},
	{"tenon_model_call_duration_seconds", func(t *testing.T, m *Metrics) { call(t, m, fakeModel{}) },
		map[string]string{`tenon_model_call_duration_seconds_count{model="strong"}`: "1"}},
	{"tenon_model_attempts_total", func(t *testing.T, m *Metrics) { call(t, m, fakeModel{took: &port.Usage{}}) },
		map[string]string{`tenon_model_attempts_total{model="strong"}`: "1"}},
	{"tenon_model_tokens_total", func(t *testing.T, m *Metrics) {
		call(t, m, fakeModel{took: &port.Usage{In: 100, Cached: 60, Out: 7}, err: faultError{}})
		call(t, m, fakeModel{answer: port.Answer{Usage: port.Usage{In: 1, Out: 2}}})
	}, map[string]string{
		`tenon_model_tokens_total{kind="input",model="strong"}`:  "41",
		`tenon_model_tokens_total{kind="cached",model="strong"}`: "60",
		`tenon_model_tokens_total{kind="output",model="strong"}`: "9",
	}},
	{"tenon_model_cost_dollars_total", func(t *testing.T, m *Metrics) {
		call(t, m, fakeModel{took: &port.Usage{In: 1_000_000, Cached: 500_000, Out: 100_000}})
	}, map[string]string{`tenon_model_cost_dollars_total{model="strong"}`: "2.5"}},
	{"tenon_budget_reservations_total", func(t *testing.T, m *Metrics) {
		for _, err := range []error{nil, &port.OverBudget{Kind: "owner-tokens"}, &port.OverCommand{}, errors.New("broken")} {
			_, _ = m.Budget(fakeBudget{err: err}).Reserve(t.Context(), port.Reservation{})
		}
	}, map[string]string{
		`tenon_budget_reservations_total{result="granted"}`:       "1",
		`tenon_budget_reservations_total{result="owner-tokens"}`:  "1",
		`tenon_budget_reservations_total{result="command"}`:       "1",
		`tenon_budget_reservations_total{result="server-tokens"}`: "0",
		`tenon_budget_reservations_total{result="error"}`:         "1",
	}},
	{"tenon_github_requests_total", func(t *testing.T, m *Metrics) {
		send(t, m.GitHub(api, answering(200)), "GET", api+"repos/a/b")
		send(t, m.GitHub(api, answering(200)), "POST", api+"graphql")
		send(t, m.GitHub(api, answering(404)), "GET", "https://logs.example/x?sig=1")
		send(t, m.GitHub(api, answering(999)), "BREW", api+"x")
		send(t, m.GitHub(api, roundTrip(func(*http.Request) (*http.Response, error) { return nil, errors.New("down") })),
			"GET", api+"x")
	}, map[string]string{
		`tenon_github_requests_total{api="rest",method="GET",status="200"}`:     "1",
		`tenon_github_requests_total{api="graphql",method="POST",status="200"}`: "1",
		`tenon_github_requests_total{api="storage",method="GET",status="404"}`:  "1",
		`tenon_github_requests_total{api="rest",method="other",status="other"}`: "1",
		`tenon_github_requests_total{api="rest",method="GET",status="error"}`:   "1",
	}},
	{"tenon_github_request_duration_seconds", func(t *testing.T, m *Metrics) {
		send(t, m.GitHub(api, answering(200)), "GET", api+"x")
	}, map[string]string{`tenon_github_request_duration_seconds_count{api="rest"}`: "1"}},
	{"tenon_github_clock_ahead_seconds", func(*testing.T, *Metrics) {}, nil}, // a test of its own
	{"tenon_github_limited_total", func(t *testing.T, m *Metrics) {
		send(t, m.GitHub(api, answering(403)), "GET", api+"x")
		send(t, m.GitHub(api, answering(403, "Retry-After", "60")), "GET", api+"x")
		send(t, m.GitHub(api, answering(429)), "GET", api+"x")
	}, map[string]string{`tenon_github_limited_total`: "2"}},
	{"tenon_github_rate_remaining", func(t *testing.T, m *Metrics) {
		send(t, m.GitHub(api, answering(200, limits("70")...)), "GET", api+"x")
		send(t, m.GitHub(api, answering(200, limits("90")...)), "GET", api+"late")
	}, map[string]string{`tenon_github_rate_remaining{resource="core"}`: "70"}},
	{"tenon_github_rate_limit", func(t *testing.T, m *Metrics) {
		send(t, m.GitHub(api, answering(200, limits("70")...)), "GET", api+"x")
	}, map[string]string{`tenon_github_rate_limit{resource="core"}`: "5000"}},
	{"tenon_git_requests_total", func(t *testing.T, m *Metrics) {
		send(t, m.Git(answering(200)), "GET", "https://github.com/a/b.git/info/refs?service=git-upload-pack")
		send(t, m.Git(answering(403)), "GET", "https://github.com/a/b.git/info/refs?service=git-receive-pack")
		send(t, m.Git(answering(200)), "POST", "https://github.com/a/b.git/git-receive-pack")
	}, map[string]string{
		`tenon_git_requests_total{service="upload-pack",status="200"}`:  "1",
		`tenon_git_requests_total{service="receive-pack",status="403"}`: "1",
		`tenon_git_requests_total{service="receive-pack",status="200"}`: "1",
	}},
	{"tenon_git_request_duration_seconds", func(t *testing.T, m *Metrics) {
		send(t, m.Git(answering(200)), "POST", "https://github.com/a/b.git/git-upload-pack")
	}, map[string]string{`tenon_git_request_duration_seconds_count{service="upload-pack"}`: "1"}},
	{"tenon_database_errors_total", func(_ *testing.T, m *Metrics) { m.Failed(errors.New("disk full")) },
		map[string]string{`tenon_database_errors_total`: "1"}},
	{"tenon_log_lines_total", func(t *testing.T, m *Metrics) {
		log := newLog(m)
		log.DebugContext(t.Context(), "not written")
		log.With("a", 1).WithGroup("b").ErrorContext(t.Context(), "broken")
		log.WarnContext(t.Context(), "careful")
	}, map[string]string{
		`tenon_log_lines_total{level="debug"}`: "0",
		`tenon_log_lines_total{level="warn"}`:  "1",
		`tenon_log_lines_total{level="error"}`: "1",
	}},
	{"tenon_scrape_errors_total", watchFigures(Figures{}, errors.New("broken")), nil}, // likewise
	{"tenon_database_up", watchFigures(Figures{}, nil), map[string]string{`tenon_database_up`: "1"}},
	{"tenon_queue_events", watchFigures(Figures{Ready: 3, Leased: 2, DeadLetters: 1, Followed: 4}, nil), map[string]string{
		`tenon_queue_events{state="ready"}`:       "3",
		`tenon_queue_events{state="running"}`:     "2",
		`tenon_queue_events{state="dead_letter"}`: "1",
		`tenon_queue_events{state="followed"}`:    "4",
	}},
	{"tenon_queue_oldest_seconds", watchFigures(Figures{}, nil), map[string]string{`tenon_queue_oldest_seconds`: "0"}},
	{"tenon_queue_waiting_events",
		watchFigures(Figures{Waiting: map[port.WaitReason]int{port.GitHubLimit: 2, "something new": 1}}, nil),
		map[string]string{
			`tenon_queue_waiting_events{reason="github_limit"}`: "2",
			`tenon_queue_waiting_events{reason="model_limit"}`:  "0",
			`tenon_queue_waiting_events{reason="other"}`:        "1",
		}},
	{"tenon_server_budget_tokens", watchFigures(Figures{ServerTokens: 7}, nil),
		map[string]string{`tenon_server_budget_tokens`: "7"}},
	{"tenon_server_budget_limit_tokens", watchFigures(Figures{ServerTokensLimit: 8}, nil),
		map[string]string{`tenon_server_budget_limit_tokens`: "8"}},
	{"tenon_runs_in_progress", watchFigures(Figures{}, errors.New("broken")), map[string]string{
		`tenon_runs_in_progress{state="working"}`: "2",
		`tenon_runs_in_progress{state="ready"}`:   "3",
		`tenon_runs_in_progress{state="waiting"}`: "4",
	}},
	{"tenon_runs_limit", watchFigures(Figures{}, nil), map[string]string{`tenon_runs_limit`: "17"}},
	{"tenon_model_calls_in_progress", watchFigures(Figures{}, nil), map[string]string{
		`tenon_model_calls_in_progress{model="strong"}`: "3",
		`tenon_model_calls_in_progress{model="local"}`:  "2",
	}},
	{"tenon_model_calls_waiting", watchFigures(Figures{}, nil), map[string]string{
		`tenon_model_calls_waiting{model="strong"}`: "0",
		`tenon_model_calls_waiting{model="local"}`:  "5",
	}},
	{"tenon_model_calls_limit", watchFigures(Figures{}, nil), map[string]string{
		`tenon_model_calls_limit{model="strong"}`: "",
		`tenon_model_calls_limit{model="local"}`:  "2",
	}},
	{"tenon_disk_free_bytes", watchFigures(Figures{}, nil), map[string]string{`tenon_disk_free_bytes`: "10"}},
	{"tenon_disk_size_bytes", watchFigures(Figures{}, nil), map[string]string{`tenon_disk_size_bytes`: "20"}},
	{"tenon_database_size_bytes", watchFigures(Figures{}, nil), map[string]string{`tenon_database_size_bytes`: "3"}},
}

// ends are two runs that ended.
func ends(_ *testing.T, m *Metrics) {
	started := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m.Ended(port.Ended{Command: "fix", Outcome: port.EndCommitted, Started: started, At: started.Add(90 * time.Second),
		Edits: []port.EditCount{{Outcome: "applied", Level: "exact", Count: 3},
			{Outcome: "failed", Reason: "NoMatch", Count: 2}},
		Commits: []port.MadeCommit{{SHA: "1"}, {SHA: "2", Test: true}}})
	m.Ended(port.Ended{Command: "no command", Outcome: port.EndRefused, Reason: port.ReasonBudget})
}
