package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// jobStage is a stage with jobs of GitHub Actions instead of a server.
type jobStage struct {
	*stage
	// permissions are those of the workflow.
	permissions map[string]string
	folder      string
	// run is the id of the run of the workflow, attempt that of the attempt at it.
	run, attempt string
	// started is called when a job runs, with what cancels it; nil does nothing.
	started func(cancel func())

	mu     sync.Mutex
	events []jobEvent
}

// jobEvent is an event as a workflow starts with it.
type jobEvent struct {
	name    string
	payload map[string]any
}

func newJobStage(t *testing.T, replies ...string) *jobStage {
	t.Helper()
	s := &jobStage{stage: newStage(t, replies...), folder: t.TempDir(), run: "4711", attempt: "1",
		permissions: map[string]string{"contents": "write", "issues": "write", "pull-requests": "write", "checks": "write"}}
	hook := httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(hook.Close)
	s.github.SetHookURL(hook.URL)
	return s
}

func (s *jobStage) receive(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e := jobEvent{name: r.Header.Get("X-GitHub-Event")}
	if json.Unmarshal(body, &e.payload) != nil {
		return
	}
	if sender, _ := e.payload["sender"].(map[string]any); sender["type"] == "Bot" {
		return // what is done with the token of a job starts no workflow
	}
	delete(e.payload, "installation") // that of the App, of which there is none
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// last returns the newest event of a name.
func (s *jobStage) last(name string) jobEvent {
	s.t.Helper()
	s.github.WaitDeliveries()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.events) - 1; i >= 0; i-- {
		if s.events[i].name == name {
			return s.events[i]
		}
	}
	require.Fail(s.t, "there is no event "+name)
	return jobEvent{}
}

// jobEnd is how a job ended.
type jobEnd struct {
	code         int
	log, summary string
	outputs      map[string]string
}

// job runs a job for an event, with the token that GitHub would give it and more variables.
func (s *jobStage) job(e jobEvent, env ...string) jobEnd {
	s.t.Helper()
	token, err := s.github.NewJobToken(sim.JobToken{Repo: s.repo, Permissions: s.permissions})
	require.NoError(s.t, err)
	dir, err := os.MkdirTemp(s.folder, "job")
	require.NoError(s.t, err)
	data, err := json.Marshal(e.payload)
	require.NoError(s.t, err)
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(s.t, os.WriteFile(path("event.json"), data, 0o600))
	env = append([]string{
		"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=" + e.name, "GITHUB_EVENT_PATH=" + path("event.json"),
		"GITHUB_RUN_ID=" + s.run, "GITHUB_RUN_ATTEMPT=" + s.attempt, "GITHUB_WORKSPACE=" + dir,
		"GITHUB_API_URL=" + strings.TrimSuffix(s.github.APIURL(), "/"),
		"GITHUB_SERVER_URL=" + strings.TrimSuffix(s.github.GitURL(), "/"),
		"GITHUB_OUTPUT=" + path("output"), "GITHUB_STEP_SUMMARY=" + path("summary"), "INPUT_TOKEN=" + token,
		"INPUT_MODEL=model-1", "INPUT_BASE_URL=" + s.model.URL + "/v1", "INPUT_API_KEY=" + modelKey,
	}, env...)
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	s.github.ForgetRequests()
	began := time.Now()
	if s.started != nil {
		go s.started(cancel)
	}
	var out bytes.Buffer
	code := exitCode(runAction(ctx, source(env), &out))
	s.sayFirstWrite(began)
	end := jobEnd{code: code, log: out.String(), outputs: map[string]string{}}
	s.t.Log(end.log)
	if data, err := os.ReadFile(path("summary")); err == nil {
		end.summary = string(data)
	}
	if data, err := os.ReadFile(path("output")); err == nil {
		end.outputs = outputsIn(s.t, string(data))
	}
	s.github.EndToken(token)
	return end
}

// sayFirstWrite logs how long it took from the start of a job to its first write to GitHub's API.
func (s *jobStage) sayFirstWrite(began time.Time) {
	for _, r := range s.github.Requests() {
		isQuery := strings.HasPrefix(r.Route, "git-") || strings.HasSuffix(r.Path, "/graphql")
		if r.Method != http.MethodGet && !isQuery {
			s.t.Logf("first_write=%dms %s %s", r.Start.Sub(began).Milliseconds(), r.Method, r.Route)
			return
		}
	}
}

// modelKey is the key of the model, and no word.
const modelKey = "sk-" + "0123456789abcdefghijklmn"

// outputsIn reads a file of outputs as the runner does.
func outputsIn(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for text != "" {
		head, rest, ok := strings.Cut(text, "\n")
		require.True(t, ok)
		name, end, ok := strings.Cut(head, "<<")
		require.True(t, ok, head)
		value, after, ok := strings.Cut(rest, "\n"+end+"\n")
		require.True(t, ok)
		all[name], text = value, after
	}
	return all
}

// told has somebody comment on the pull request, and runs the job of that.
func (s *jobStage) told(as, body string, env ...string) jobEnd {
	s.t.Helper()
	s.comment(as, body)
	return s.job(s.last("issue_comment"), env...)
}

// jobAnswers are what the token of the job wrote below the pull request, reviews first.
func (s *jobStage) jobAnswers() (out []string) {
	s.t.Helper()
	reviews, err := s.github.Reviews(s.repo, s.pull)
	require.NoError(s.t, err)
	for _, r := range reviews {
		if r.User == "github-actions[bot]" && r.Body != "" {
			out = append(out, r.Body)
		}
	}
	list, err := s.github.Comments(s.repo, s.pull)
	require.NoError(s.t, err)
	for _, c := range list {
		if c.User == "github-actions[bot]" {
			out = append(out, c.Body)
		}
	}
	return out
}
