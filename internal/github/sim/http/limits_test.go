package simhttp_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// "You can make no more than 80 content-generating requests per minute and no more than 500 per hour" (403,
// Retry-After).
func TestTheSecondaryLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.ContentPerMinute, o.ContentPerHour = 2, 3 })
	comment := func() reply {
		return w.as("POST", fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull), body("x"))
	}
	require.Equal(t, 201, comment().status)
	require.Equal(t, 201, comment().status)
	r := comment()
	w.refused(r, 403, "secondary rate limit")
	require.Equal(t, "60", r.header.Get("Retry-After"))
	require.Equal(t, 200, w.as("GET", "repos/"+repo, "").status, "reading goes on")
	w.clock.forward(time.Minute)
	require.Equal(t, 201, comment().status)
	w.refused(comment(), 403, "secondary rate limit")
	comments, err := w.Comments(repo, w.pull)
	require.NoError(t, err)
	require.Len(t, comments, 3)
}

// "x-ratelimit-remaining" counts down to a 403; /rate_limit costs nothing.
func TestThePrimaryLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.RequestsPerHour = 2 })
	require.Equal(t, "1", w.as("GET", "repos/"+repo, "").header.Get("X-RateLimit-Remaining"))
	require.Equal(t, "0", w.as("GET", "repos/"+repo, "").header.Get("X-RateLimit-Remaining"))
	r := w.as("GET", "repos/"+repo, "")
	w.refused(r, 403, "API rate limit exceeded for installation ID")
	require.Equal(t, "0", r.header.Get("X-RateLimit-Remaining"))
	require.Equal(t, fmt.Sprint(w.clock.now().Add(time.Hour).Unix()), r.header.Get("X-RateLimit-Reset"))
	require.Equal(t, 200, w.as("GET", "rate_limit", "").status)
	w.clock.forward(time.Hour)
	w.token = w.newToken(nil)
	require.Equal(t, 200, w.as("GET", "repos/"+repo, "").status)
}

// A request that fails by FailNext has no effect, and no more of them fail than set.
func TestAnInjectedFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	post := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/comments")
	}
	path := fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull)
	w.FailNext(post, 1, traffic.SecondaryLimit(429, 30*time.Second))
	w.FailNext(post, 1, traffic.PrimaryLimit(403, w.clock.now().Add(time.Hour)))
	r := w.as("POST", path, body("x"))
	w.refused(r, 429, "secondary rate limit")
	require.Equal(t, "30", r.header.Get("Retry-After"))
	require.Equal(t, "0", w.as("POST", path, body("x")).header.Get("X-RateLimit-Remaining"))
	require.Equal(t, 201, w.as("POST", path, body("x")).status)
	comments, err := w.Comments(repo, w.pull)
	require.NoError(t, err)
	require.Len(t, comments, 1)

	w.FailNext(nil, 1, traffic.Failure{Status: 500, Message: "Server Error"})
	_, err = git(t, t.TempDir(), "ls-remote", w.remote(w.token, repo))
	require.Error(t, err)
}

// A gate is called before the effect, and after it, before the response.
func TestAGateStandsBeforeAndAfterTheEffect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	var seen []string
	w.Gate(func(stage traffic.Stage, _ *http.Request) {
		comments, err := w.Comments(repo, w.pull)
		require.NoError(t, err)
		log := w.Requests()
		seen = append(seen, fmt.Sprintf("%d: %d comments, status %d", stage, len(comments), log[len(log)-1].Status))
	})
	w.ForgetRequests()
	require.Equal(t, 201, w.as("POST", fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull), body("x")).status)
	require.Equal(t, []string{"1: 0 comments, status 0", "2: 1 comments, status 201"}, seen)
	w.Gate(nil)
	out, err := git(t, t.TempDir(), "ls-remote", w.remote(w.token, repo))
	require.NoError(t, err, out)
	log := w.Requests()
	require.Equal(t, "/repos/{owner}/{repo}/issues/{issue_number}/comments", log[0].Route)
	require.Equal(t, w.installation, log[0].Installation)
	require.False(t, log[0].End.Before(log[0].Start))
	require.Equal(t, "git-upload-pack", log[len(log)-1].Route)
}
