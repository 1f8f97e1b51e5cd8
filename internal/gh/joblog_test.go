package gh_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

// hosts answers requests to any host by https, by the address without the query. What is not listed answers 404.
type hosts struct {
	mu      sync.Mutex
	answers map[string]response
	got     []*http.Request
}

func (h *hosts) RoundTrip(req *http.Request) (*http.Response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	closeAll(req.Body)
	h.got = append(h.got, req)
	address := req.URL.Scheme + "://" + req.URL.Host + req.URL.Path
	a, is := h.answers[address]
	switch {
	case strings.HasSuffix(req.URL.Path, "/access_tokens"):
		a = response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2099-01-01T00:00:00Z"}`}
	case !is:
		a = refusal(404, "Not Found")
	case a.status == 0:
		return nil, io.ErrUnexpectedEOF
	}
	resp := &http.Response{StatusCode: a.status, Header: http.Header{}, Request: req, ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(strings.NewReader(a.body))}
	for k := range a.header {
		resp.Header.Set(k, a.header.Get(k))
	}
	return resp, nil
}

func closeAll(body io.Closer) {
	if body != nil {
		_ = body.Close()
	}
}

func to(status int, location string) response {
	return response{status: status, header: http.Header{"Location": {location}}}
}

const (
	logOf     = "https://api.github.com" + root + "/actions/jobs/42/logs"
	storedAt  = "https://logs.example/42.txt"
	signature = "?sig=s3cr3t"
)

// jobLog reads the log of a job from hosts with these answers.
func jobLog(t *testing.T, answers map[string]response) (log string, h *hosts, err error) {
	t.Helper()
	h = &hosts{answers: answers}
	c, err := gh.New(gh.Options{AppID: 4711, PrivateKey: keyPEM(), Slug: "tenon", Transport: h})
	require.NoError(t, err)
	body, err := c.JobLog(t.Context(), joint, 42)
	if err != nil {
		require.NotContains(t, err.Error(), "s3cr3t", "the signature gives access to the log")
		return "", h, err
	}
	text, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	return string(text), h, nil
}

func TestALogIsReadWhereGitHubLeadsWithoutCredentials(t *testing.T) {
	t.Parallel()
	for name, location := range map[string]string{
		"of a storage service":      storedAt + signature,
		"below GitHub's own server": "https://api.github.com/_stored/42.txt" + signature,
		"relative":                  "/_stored/42.txt" + signature,
	} {
		log, h, err := jobLog(t, map[string]response{logOf: to(302, location), storedAt: ok("oh\n"),
			"https://api.github.com/_stored/42.txt": ok("oh\n")})
		require.NoError(t, err, name)
		require.Equal(t, "oh\n", log)
		require.Len(t, h.got, 3)
		require.Equal(t, "Bearer ghs_secret1", h.got[1].Header.Get("Authorization"))
		stored := h.got[2]
		require.Equal(t, "sig=s3cr3t", stored.URL.RawQuery)
		require.Empty(t, stored.Header.Get("Authorization"), name)
		require.Empty(t, stored.Header.Get("Referer"))
		_, bounded := stored.Context().Deadline()
		require.True(t, bounded)
		require.Error(t, stored.Context().Err(), "its request ends when it is closed")
	}
}

func TestTheLogOfARenamedRepositoryIsFound(t *testing.T) {
	t.Parallel()
	const moved = "https://api.github.com/repositories/700/actions/jobs/42/logs"
	log, h, err := jobLog(t, map[string]response{logOf: to(301, moved), moved: to(302, storedAt), storedAt: ok("oh\n")})
	require.NoError(t, err)
	require.Equal(t, "oh\n", log)
	require.Equal(t, "Bearer ghs_secret1", h.got[2].Header.Get("Authorization"))
}

func TestALogIsNotFollowedAnywhere(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]map[string]response{
		"to plain http":               {logOf: to(302, "http://logs.example/42.txt"+signature)},
		"to a file":                   {logOf: to(302, "file:///etc/passwd")},
		"with a password":             {logOf: to(302, "https://a:b@logs.example/42.txt")},
		"to nowhere":                  {logOf: to(302, "")},
		"by a rename to another host": {logOf: to(301, storedAt+signature), storedAt: ok("oh\n")},
		"twice": {logOf: to(302, storedAt+signature), storedAt: to(302, "https://else.example/"),
			"https://else.example/": ok("oh\n")},
	} {
		_, h, err := jobLog(t, answers)
		require.Error(t, err, name)
		require.LessOrEqual(t, len(h.got), 3, name)
		for _, req := range h.got {
			require.Contains(t, []string{"api.github.com", "logs.example"}, req.URL.Host, name)
			require.Equal(t, "https", req.URL.Scheme, name)
		}
	}
}

func TestALogThatIsNotThereIsNotFoundAndAnOutageIsWaitedOut(t *testing.T) {
	t.Parallel()
	stored := func(status int) error {
		_, _, err := jobLog(t, map[string]response{logOf: to(302, storedAt+signature), storedAt: refusal(status, "no")})
		return err
	}
	for _, status := range []int{403, 404, 410} {
		require.ErrorIs(t, stored(status), port.ErrNotFound, status)
	}
	for _, status := range []int{500, 503, 429, 0} { // 0: the connection breaks
		var wait *port.WaitError
		require.ErrorAs(t, stored(status), &wait, status)
	}
	_, _, err := jobLog(t, map[string]response{logOf: refusal(410, "Server Error")})
	require.ErrorIs(t, err, port.ErrNotFound)
	_, _, err = jobLog(t, map[string]response{logOf: refusal(403, "Resource not accessible by integration")})
	require.ErrorIs(t, err, port.ErrDenied)
}
