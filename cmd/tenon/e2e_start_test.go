package main

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// The server was down when a command came, and GitHub is when the server starts again: nothing is lost.
func TestNothingIsLostWhenFirstTheServerAndThenGitHubIsDown(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	s.until("the first sweep", func() bool {
		for _, r := range s.github.Requests() {
			if strings.HasSuffix(r.Path, "/app/hook/deliveries") {
				return true
			}
		}
		return false
	})
	s.stop()
	missed := s.comment("maria", "/tenon fix `main.go`")

	var up atomic.Bool
	isDown := func(r *http.Request) bool { return !up.Load() && strings.HasPrefix(r.URL.Path, "/api/") }
	s.github.FailNext(isDown, 1_000_000, simhttp.Failure{Status: http.StatusServiceUnavailable})
	s.start()
	require.Contains(t, s.log.all(), "GitHub does not answer: deliveries are accepted")
	status, text := s.get("/readyz")
	require.Equal(t, http.StatusOK, status, "deliveries must come here")
	require.Contains(t, text, "GitHub has not answered since the start")
	kept := s.comment("maria", "@tenon help")
	require.Equal(t, http.StatusAccepted, s.delivery(kept).Status)
	require.Empty(t, s.reactions(kept))

	up.Store(true)
	require.Contains(t, s.settled(missed), "rocket")
	s.until("the answers to both", func() bool { return len(s.answers()) == 2 })
	_, text = s.get("/readyz")
	require.Equal(t, "ready\n", text)
	require.Len(t, s.commits(), 1)
}

func TestAWrongKeyEndsTheServerAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	code, out := ran(t, append(s.variables(), "TENON_APP_ID=999", "TENON_APP_SLUG=tenon"), "serve")
	require.Equal(t, exitUsage, code)
	require.Contains(t, out, "there is no App with this id, 999: TENON_APP_ID must be")
}

// The log of a start says what runs where, and what would be silent later.
func TestAStartIsLoggedForAPersonToCheck(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env = append(s.env, "TENON_ALLOWED_OWNERS=acmee")
	s.start()
	s.until("the checks", func() bool { return strings.Contains(s.log.all(), "checked the setup") })
	lines := map[string]map[string]any{}
	for line := range strings.Lines(s.log.all()) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		name, _ := entry["msg"].(string)
		if check, ok := entry["check"].(string); ok {
			name += ": " + check
		}
		lines[name] = entry
	}
	start := lines["starting"]
	require.Contains(t, start["version"], "tenon ")
	require.Equal(t, "acmee", start["owners"])
	require.Equal(t, "model-1", start["model"])
	require.Equal(t, filepath.Join(s.data, "tenon.db"), start["database"])
	require.Equal(t, "/webhook", lines["listening"]["webhook"])
	require.Contains(t, lines["a check failed: owners"]["found"], "none of them has installed the App")
	require.NotEmpty(t, lines["a check failed: owners"]["remedy"])
	summary := lines["checked the setup; `tenon doctor` checks it again"]
	require.Equal(t, "the App is tenon (@tenon), of tenon-bot", summary["app"])
	require.Equal(t, "installed by 1 account: acme", summary["installations"])
	require.Contains(t, summary["result"], "1 failed")
	require.Empty(t, s.model.asked, "no model is asked")

	status, text := s.get("/")
	require.Equal(t, http.StatusOK, status)
	require.True(t, strings.HasPrefix(text, aboutLine), text)
	require.NotContains(t, text, "acme")
	require.Empty(t, s.answers(), "an installation is answered by nothing")
}

// get returns the status and body of a page of the server.
func (s *stage) get(path string) (int, string) {
	s.t.Helper()
	resp, err := http.Get(strings.TrimSuffix(s.github.HookURL(), "/webhook") + path)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(text)
}
