package gitrepo_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// sleeps notes waits that it does not wait.
type sleeps struct {
	mu   sync.Mutex
	list []time.Duration
}

func (s *sleeps) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, d)
	return ctx.Err()
}

// failing returns middleware that answers the first requests to a path with a status, and a count of those.
func failing(path string, times int32, status int) (func(http.Handler) http.Handler, *atomic.Int32) {
	var n atomic.Int32
	return func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hasSuffix(r.URL.Path, path) && n.Add(1) <= times {
				w.WriteHeader(status)
				return
			}
			git.ServeHTTP(w, r)
		})
	}, &n
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// One failure of the server costs a part of a second, not an attempt.
func TestReadingIsRepeatedWhenTheServerFails(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/info/refs", "/git-upload-pack"} {
		var slept sleeps
		w := newWorld(t, gitrepo.Options{Sleep: slept.sleep})
		fail, _ := failing(path, 3, http.StatusBadGateway)
		w.server.Wrap(fail)
		_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", "")
		require.NoError(t, err)
		require.Len(t, slept.list, 3)
		require.InDelta(t, 300*time.Millisecond, slept.list[0], float64(75*time.Millisecond))
		require.InDelta(t, 4*time.Second, slept.list[2], float64(time.Second))
	}
}

func TestAnOutageOfTheServerIsWaitedFor(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	t.Cleanup(down.Close)
	for name, url := range map[string]string{"503": down.URL, "no connection": "http://" + closed.Addr().String()} {
		var slept sleeps
		_, err := gitrepo.New(gitrepo.Options{BaseURL: url, Sleep: slept.sleep}).
			Open(t.Context(), acme, "refs/heads/main", "")
		var wait *port.WaitError
		require.ErrorAs(t, err, &wait, name)
		require.Equal(t, port.GitHubOutage, wait.For)
		require.Len(t, slept.list, 3, name)
	}
}

// A push that may have had an effect is not sent again: whether it had is asked.
func TestAPushIsSentOnce(t *testing.T) {
	t.Parallel()
	var slept sleeps
	w := newWorld(t, gitrepo.Options{Sleep: slept.sleep})
	fail, count := failing("/git-receive-pack", 100, http.StatusBadGateway)
	w.server.Wrap(fail)
	_, err := editAndPush(t.Context(), w.repos, acme, w.tip, "main")
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.EqualValues(t, 1, count.Load())
	require.Empty(t, slept.list)
}

// GitHub may refuse a token that it has just created, or that was revoked: another one is needed, not a person.
func TestARefusedTokenIsWaitedFor(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }))
	t.Cleanup(server.Close)
	token := func(context.Context, port.RepoRef, bool) (string, error) { return "t", nil }
	_, err := gitrepo.New(gitrepo.Options{BaseURL: server.URL, Token: token}).
		Open(t.Context(), acme, "refs/heads/main", "")
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.NotErrorIs(t, err, port.ErrDenied)
}

func TestWhatNoTimePutsRightIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	var wait *port.WaitError
	secret := errors.New("the key is wrong")
	token := func(context.Context, port.RepoRef, bool) (string, error) { return "", secret }
	_, err := gitrepo.New(gitrepo.Options{Token: token}).Open(t.Context(), acme, "refs/heads/main", "")
	require.ErrorIs(t, err, secret)
	require.NotErrorAs(t, err, &wait)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = answering(t, func(http.ResponseWriter, *http.Request) {}).
		Open(ctx, acme, "refs/heads/main", "")
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorAs(t, err, &wait)
}
