package gh_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

// A write that has the same effect once or twice is repeated within the run, so that one failure costs no attempt.
func TestAWriteThatCanBeRepeatedIs(t *testing.T) {
	t.Parallel()
	repo := "/repos/octo-org/hello-joint"
	own := port.Comment{Kind: port.IssueComment, ID: 5}
	for name, c := range map[string]struct {
		call string
		ok   response
		do   func(context.Context, *gh.Client) error
	}{
		"an edit of a comment": {"PATCH " + repo + "/issues/comments/5", ok(`{"id":5}`),
			func(ctx context.Context, c *gh.Client) error { return c.Edit(ctx, joint, 17, own, "text") }},
		"a reaction": {"POST " + repo + "/issues/comments/5/reactions", response{status: 201, body: `{"id":1}`},
			func(ctx context.Context, c *gh.Client) error { return c.React(ctx, joint, own, port.ReactionEyes) }},
		"the end of a check": {"PATCH " + repo + "/check-runs/9", ok(`{"id":9}`),
			func(ctx context.Context, c *gh.Client) error {
				return c.UpdateCheck(ctx, joint, 9, port.Check{Status: "completed", Conclusion: "success", Title: "Done"})
			}},
		"a token": {mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z"}`},
			func(ctx context.Context, c *gh.Client) error { _, err := c.Token(ctx, joint, false); return err }},
	} {
		for failure, broken := range map[string]response{"502": {status: 502, body: "<html>"}, "connection": {}} {
			t.Run(name+"/"+failure, func(t *testing.T) {
				t.Parallel()
				d := newFakeAPI(t)
				d.on(c.call, broken, broken, broken, c.ok)
				client := d.client(t, func(o *gh.Options) { o.Transport = &http.Transport{DisableKeepAlives: true} })
				require.NoError(t, c.do(context.Background(), client))
				require.Len(t, d.calls(c.call), 4)
				require.Len(t, d.slept, 3)
				require.InDelta(t, 4*time.Second, d.slept[2], float64(time.Second))
			})
		}
	}
}

// Annotations are added to those that a check has.
func TestAnnotationsAreNotSentTwice(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	const update = "PATCH /repos/octo-org/hello-joint/check-runs/9"
	d.on(update, response{status: 502})
	err := d.client(t).UpdateCheck(context.Background(), joint, 9, port.Check{Conclusion: "success", Title: "Done",
		Annotations: []port.Annotation{{Path: "a.go", StartLine: 1, Level: "notice", Message: "here"}}})
	require.Error(t, err)
	require.Len(t, d.calls(update), 1)
}

// A request that never left can be sent again, whatever it does.
func TestAWriteWithoutAConnectionIsRepeated(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]error{
		"refused":    &net.OpError{Op: "dial", Err: errors.New("connection refused")},
		"no address": &net.DNSError{Err: "no such host", Name: "api.github.com"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(comment, response{status: 201, body: `{"id":1}`})
			var dials atomic.Int32
			c := d.client(t, func(o *gh.Options) {
				o.Transport = &http.Transport{DisableKeepAlives: true,
					DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
						if n := dials.Add(1); n == 2 || n == 3 { // the first is for the token
							return nil, cause
						}
						return new(net.Dialer).DialContext(ctx, network, address)
					}}
			})
			_, err := c.Post(context.Background(), joint, conversation(17), "x")
			require.NoError(t, err)
			require.Len(t, d.calls(comment), 1)
			require.Len(t, d.slept, 2)
		})
	}
}

func TestAnOutageIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		broken response
		after  time.Duration
	}{
		"503":                    {refusal(503, "no server"), 0},
		"503 with a Retry-After": {refusal(503, "maintenance", "Retry-After", "120"), 2 * time.Minute},
		"a time beyond bounds":   {refusal(503, "maintenance", "Retry-After", "999999999"), time.Hour},
		"a broken connection":    {response{}, 0},
		"half an answer":         {ok(`{"number":1`), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(getPull, c.broken)
			_, err := d.client(t).PullRequest(context.Background(), joint, 17)
			var wait *port.WaitError
			require.ErrorAs(t, err, &wait)
			require.Equal(t, port.GitHubOutage, wait.For)
			require.Equal(t, c.after, wait.After)
			require.ErrorContains(t, err, "asking for pull request octo-org/hello-joint#17: ")
			d.noSecrets(t, err)
		})
	}
}

func TestALimitIsWaitedForAsSuch(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, refusal(429, "", "Retry-After", "60"))
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Equal(t, port.GitHubLimit, wait.For)
	require.Equal(t, time.Minute, wait.After)
}

// What somebody has to put right, or wanted, is not waited for.
func TestWhatNoTimePutsRightIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	var wait *port.WaitError
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	d := newFakeAPI(t)
	begun := d.Now()
	c := d.client(t, func(o *gh.Options) { o.APIURL = server.URL })
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "certificate")
	require.ErrorContains(t, err, "SSL_CERT_FILE", "what to do about it")
	require.Equal(t, begun, d.Now(), "nor tried again")
	require.NotErrorAs(t, err, &wait)

	d.on(getPull, response{301, http.Header{"Location": {"https://example.com/"}}, "{}"})
	_, err = d.client(t).PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "not followed")
	require.NotErrorAs(t, err, &wait)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = d.client(t).PullRequest(ctx, joint, 17)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorAs(t, err, &wait)
}

// A commit whose answer was lost is not made twice: the second request finds that the branch has moved, to it.
func TestACommitIsRepeatedOnConditionOfTheHead(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on("POST /graphql", response{status: 502}, ok(`{"data":null,"errors":[{"type":"STALE_DATA","message":"moved"}]}`))
	d.on("GET /repos/octo-org/hello-joint/git/ref/heads/fix/a", ok(`{"object":{"sha":"c2"}}`))
	d.on("GET /repos/octo-org/hello-joint/git/commits/c2", ok(`{"message":"fix: a","parents":[{"sha":"c1"}]}`))
	sha, err := d.client(t).Upload(context.Background(), joint, port.Upload{Branch: "fix/a", Parent: "c1", Tree: "t1",
		Message: "fix: a", Changes: []port.Change{{Path: "a", Mode: "100644", Data: []byte("b")}}})
	require.NoError(t, err)
	require.Equal(t, "c2", sha)
	require.Len(t, d.calls("POST /graphql"), 2)
}
