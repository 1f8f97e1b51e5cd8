package gh_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const graph = "POST /graphql"

func TestGraphQLIsBesideTheAPIOfAnEnterpriseServer(t *testing.T) {
	t.Parallel()
	for prefix, call := range map[string]string{"": graph, "/api/v3": "POST /api/graphql",
		"/proxy": "POST /proxy/graphql"} {
		d := newFakeAPI(t)
		d.prefix = prefix
		if prefix == "/proxy" {
			call = graph
		}
		d.on(call, ok(`{"data":{}}`))
		_, err := d.client(t).UnresolvedThreads(context.Background(), joint, 17)
		require.NoError(t, err, prefix)
		require.Equal(t, "Bearer ghs_secret1", d.calls(call)[0].auth)
	}
}

func TestGraphQLsErrorsAreTheBots(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says      response
		text      string
		is        error
		permanent bool
		after     time.Duration
	}{
		"not there": {graphSays("NOT_FOUND", "Could not resolve to a Repository"),
			"GitHub answered 404: Could not resolve to a Repository", port.ErrNotFound, false, 0},
		"forbidden": {graphSays("FORBIDDEN", "Resource not accessible by integration"), "GitHub answered 403: Resource not",
			port.ErrDenied, true, 0},
		"of no type": {graphSays("", "Resource not accessible by integration"), "GitHub answered 403: Resource not",
			port.ErrDenied, true, 0},
		"a wrong document": {ok(`{"errors":[{"message":"Field 'x' doesn't exist"},{"message":"nor\n y"}]}`),
			"GitHub answered 422: Field 'x' doesn't exist; nor y", nil, true, 0},
		"a failure": {graphSays("", "Something went wrong while executing your query. This may be the result of a "+
			"timeout"), "GitHub answered 500", nil, false, 0},
		"a broken server": {refusal(502, "Server Error"), "GitHub answered 502", nil, false, 0},
		"nothing":         {ok(`{"data":null}`), "is empty", nil, false, 0},
		"no JSON":         {ok(`<html>`), "is this the address of GitHub's API?", nil, false, 0},
		"other data": {ok(`{"data":{"repository":[]}}`), "listing the review threads of octo-org/hello-joint#17: ", nil,
			false, 0},
		"a limit": {response{200,
			http.Header{"X-Ratelimit-Remaining": {"0"},
				"X-Ratelimit-Reset": {at(time.Date(2026, 11, 20, 12, 20, 0, 0, time.UTC))}},
			`{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for installation ID 55."}]}`},
			"rate limit is reached", nil, false, 20*time.Minute + time.Second},
		"a secondary limit": {response{200, http.Header{"Retry-After": {"60"}},
			`{"data":null,"errors":[{"message":"You have exceeded a secondary rate limit. Please wait."}]}`},
			"rate limit is reached", nil, false, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(graph, c.says)
			_, err := d.client(t).UnresolvedThreads(context.Background(), joint, 17)
			require.ErrorContains(t, err, c.text)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			require.Equal(t, c.permanent, asPermanent(err))
			var later timed
			if c.after != 0 {
				require.ErrorAs(t, err, &later)
				require.Equal(t, c.after, later.RetryAfter())
			}
			sent := 1
			if c.says.status >= 500 {
				sent = 4 // a query can be repeated
			}
			require.Len(t, d.calls(graph), sent)
			d.noSecrets(t, err)
		})
	}
}

func TestALimitOfGraphQLHoldsBackRESTToo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(graph, response{200, http.Header{"Retry-After": {"3"}}, `{"errors":[{"type":"RATE_LIMITED","message":"x"}]}`},
		ok(`{"data":{}}`))
	_, err := c.UnresolvedThreads(ctx, joint, 17)
	require.NoError(t, err, "a short wait is waited for")
	require.Equal(t, []time.Duration{3 * time.Second}, d.slept)
	d.on(graph, response{200, http.Header{"Retry-After": {"60"}}, `{"errors":[{"type":"RATE_LIMITED","message":"x"}]}`})
	_, err = c.UnresolvedThreads(ctx, joint, 17)
	require.Error(t, err)
	_, err = c.PullRequest(ctx, joint, 17)
	var later timed
	require.ErrorAs(t, err, &later)
	require.Empty(t, d.calls(getPull))
}

func TestACommentThatSpeaksOfLimitsIsNone(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	body, err := json.Marshal(`"errors":[{"type":"RATE_LIMITED"}] You have exceeded a secondary rate limit`)
	require.NoError(t, err)
	for _, size := range []int{0, 1 << 20} {
		d.on(graph, ok(`{"data":{"repository":{"pullRequest":{"reviewThreads":{"nodes":[{"id":"T","comments":{"nodes":`+
			`[{"body":`+string(body)+`},{"body":"`+strings.Repeat("a", size)+`"}]}}]}}}}}`))
		threads, err := d.client(t).UnresolvedThreads(context.Background(), joint, 17)
		require.NoError(t, err)
		require.Contains(t, threads[0].Comments[0].Body, "RATE_LIMITED")
	}
}

func TestAReviewsReactionGoesByGraphQL(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(graph, ok(`{"data":{"addReaction":{"clientMutationId":null}}}`))
	require.NoError(t, c.React(ctx, joint, port.Comment{Kind: port.Review, ID: 5, NodeID: "PRR_5"}, port.ReactionDown))
	var sent struct{ Variables map[string]string }
	require.NoError(t, json.Unmarshal([]byte(d.calls(graph)[0].body), &sent))
	require.Equal(t, map[string]string{"subject": "PRR_5", "content": "THUMBS_DOWN"}, sent.Variables)
	require.ErrorContains(t, c.React(ctx, joint, port.Comment{Kind: port.Review, ID: 5}, port.ReactionDown),
		"review 5 of octo-org/hello-joint: its global id")
	require.ErrorContains(t, c.React(ctx, joint, port.Comment{Kind: port.Ticked, ID: 5}, port.ReactionDown),
		"is not a comment")
	require.Len(t, d.got, 2)
}
