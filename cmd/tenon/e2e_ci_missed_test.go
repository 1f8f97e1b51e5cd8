package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// CI ends while the server is down. Its reports are not asked for again; the commit is looked at.
func TestWhatCISaidWhileTheServerWasDownIsToldAfterItsStart(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	ci := s.github.CI(s.repo, s.tip().SHA)
	require.NoError(t, ci.Starts("test (ubuntu)", "lint"))
	require.NoError(t, ci.Job("lint").Passes())
	s.stop()
	require.NoError(t, ci.Job("test (ubuntu)").Fails("--- FAIL: TestGreet (0.00s)\n"))
	require.NotContains(t, s.answers()[0], "CI failed")
	s.github.ForgetRequests()
	s.start()
	answer := s.said("CI failed")
	require.Contains(t, lastLine(answer), "test (ubuntu)")
	require.NotContains(t, lastLine(answer), "lint")
	require.Len(t, s.answers(), 1)
	for _, r := range s.github.Requests() {
		require.False(t, r.Method == http.MethodPost && strings.Contains(r.Path, "/app/hook/deliveries/"), r.Path)
	}
}

// lastLine returns the last line of an answer that people see.
func lastLine(answer string) string {
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "<sub>") {
			return lines[i]
		}
	}
	return ""
}
