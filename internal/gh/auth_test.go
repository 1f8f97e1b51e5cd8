package gh_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

func TestATokenIsForOneRepositoryAndOneStep(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(getPull, ok(`{"number":17}`))
	d.on(comment, response{status: 201, body: `{"id":1}`})
	_, err := c.PullRequest(ctx, joint, 17)
	require.NoError(t, err)
	_, err = c.Post(ctx, joint, conversation(17), "x")
	require.NoError(t, err)
	push, err := c.Token(ctx, joint, true)
	require.NoError(t, err)
	fetch, err := c.Token(ctx, joint, false)
	require.NoError(t, err)

	asked := d.calls(mintPath)
	require.Len(t, asked, 3)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","contents":"read","issues":"read",`+
		`"pull_requests":"read"}}`, asked[0].body)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","issues":"write",`+
		`"pull_requests":"write"}}`, asked[1].body)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","contents":"write"}}`, asked[2].body)
	require.Equal(t, "Bearer ghs_secret1", d.calls(getPull)[0].auth)
	require.Equal(t, "Bearer ghs_secret2", d.calls(comment)[0].auth)
	require.Equal(t, "ghs_secret3", push)
	require.Equal(t, "ghs_secret1", fetch, "the token that reads the context reads by git too")
}

func TestTheAppProvesItselfByAJSONWebToken(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	_, err := d.client(t).Token(context.Background(), joint, false)
	require.NoError(t, err)
	value, ok := strings.CutPrefix(d.calls(mintPath)[0].auth, "Bearer ")
	require.True(t, ok)
	claims := jwt.RegisteredClaims{}
	_, err = jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation()).
		ParseWithClaims(value, &claims, func(*jwt.Token) (any, error) { return &appKey().PublicKey, nil })
	require.NoError(t, err)
	require.Equal(t, "4711", claims.Issuer)
	require.True(t, claims.IssuedAt.Equal(d.Now().Add(-time.Minute)), "room for a clock that is ahead of GitHub's")
	require.True(t, claims.ExpiresAt.Equal(d.Now().Add(5*time.Minute)))
}

func TestATokenIsKeptUntilShortlyBeforeItsEnd(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	token := func(repo port.RepoRef) string {
		value, err := c.Token(ctx, repo, false)
		require.NoError(t, err)
		return value
	}
	first := token(joint)
	d.advance(54 * time.Minute)
	require.Equal(t, first, token(joint))
	d.advance(time.Minute)
	require.NotEqual(t, first, token(joint))
	sibling := joint
	sibling.ID = 701
	require.NotEqual(t, token(joint), token(sibling), "each repository has its own")
}

func TestATokenThatClaimsToLiveLongIsNotBelieved(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2030-01-01T00:00:00Z"}`})
	_, err := c.Token(context.Background(), joint, false)
	require.NoError(t, err)
	d.advance(time.Hour)
	_, err = c.Token(context.Background(), joint, false)
	require.NoError(t, err)
	require.Len(t, d.calls(mintPath), 2)
}

func TestManyRunsAskForOneToken(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { _, _ = c.Token(context.Background(), joint, true) })
	}
	wg.Wait()
	require.Len(t, d.calls(mintPath), 1)
}

func TestDeadTokensAreForgotten(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	repo := joint
	for range 300 {
		repo.ID++
		_, err := c.Token(context.Background(), repo, false)
		require.NoError(t, err)
		d.advance(10 * time.Minute)
	}
	require.LessOrEqual(t, c.Tokens(), 256)
}

func TestARevokedTokenIsReplacedOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(comment, refusal(401, "Bad credentials"), response{status: 201, body: `{"id":1}`})
	_, err := c.Post(ctx, joint, conversation(17), "the whole body")
	require.NoError(t, err)
	sent := d.calls(comment)
	require.Len(t, sent, 2)
	require.Equal(t, []string{"Bearer ghs_secret1", "Bearer ghs_secret2"}, []string{sent[0].auth, sent[1].auth})
	require.Equal(t, sent[0].body, sent[1].body)

	d.on(comment, refusal(401, "Bad credentials"))
	_, err = c.Post(ctx, joint, conversation(17), "x")
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait, "a new token may not be known everywhere at GitHub yet")
	require.Equal(t, port.GitHubOutage, wait.For)
	require.NotErrorIs(t, err, port.ErrDenied)
	require.Len(t, d.calls(comment), 4)
	var p permanent
	require.True(t, !errors.As(err, &p) || !p.Permanent())
	d.noSecrets(t, err)
}

func TestATokenThatGitRefusedIsReplaced(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	read, err := c.Token(ctx, joint, false)
	require.NoError(t, err)
	write, err := c.Token(ctx, joint, true)
	require.NoError(t, err)
	c.TokenRefused(joint, true, write)
	again, err := c.Token(ctx, joint, true)
	require.NoError(t, err)
	require.NotEqual(t, write, again)
	c.TokenRefused(joint, true, write) // of another request that was under way
	same, err := c.Token(ctx, joint, true)
	require.NoError(t, err)
	require.Equal(t, again, same)
	same, err = c.Token(ctx, joint, false)
	require.NoError(t, err)
	require.Equal(t, read, same, "the token to read was not refused")
}

func TestARefusedTokenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refusal response
		says    string
		is      error
	}{
		"not installed": {refusal(404, "Not Found"), "GitHub answered 404: Not Found (the App is no longer installed there)",
			port.ErrNotFound},
		"suspended": {refusal(403, "This installation has been suspended"),
			"GitHub answered 403: This installation has been suspended", port.ErrDenied},
		"not granted": {refusal(422, "The permissions requested are not granted to this installation."),
			"(for reading, repository 700 must be part of the installation, and its owner must have accepted the App's " +
				"permissions)", port.ErrDenied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(mintPath, c.refusal)
			_, err := d.client(t).PullRequest(context.Background(), joint, 17)
			require.ErrorContains(t, err,
				"asking for pull request octo-org/hello-joint#17: asking for a token of installation 55: ")
			require.ErrorContains(t, err, c.says)
			require.ErrorIs(t, err, c.is)
			var p permanent
			require.ErrorAs(t, err, &p)
			require.True(t, p.Permanent())
			var wait *port.WaitError
			require.NotErrorAs(t, err, &wait, "no time puts this right")
			d.noSecrets(t, err)
		})
	}
}

func TestATokenForNothingIsNotAskedFor(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	for _, repo := range []port.RepoRef{
		{},
		{ID: 700, Owner: "o", Name: "r"},
		{Installation: 55, Owner: "o", Name: "r"}, // would be a token for all repositories
		{Installation: 55, ID: 700, Owner: "o", Name: ".."},
		{Installation: 55, ID: 700, Owner: "o/p", Name: "r"},
		{Installation: 55, ID: 700, Owner: "o", Name: "r?x"},
	} {
		_, err := c.Token(ctx, repo, true)
		require.Error(t, err)
		_, err = c.Permission(ctx, repo, "mona")
		require.Error(t, err)
		require.Error(t, c.React(ctx, repo, port.Comment{}, port.ReactionEyes))
	}
	require.Empty(t, d.got)
}

func TestARenamedRepositoryIsFollowed(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, response{301, http.Header{"Location": {d.server.URL + "/repositories/700/pulls/17"}}, "{}"})
	d.on("GET /repositories/700/pulls/17", ok(`{"number":17}`))
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.NoError(t, err)
	d.on(comment, response{307, http.Header{"Location": {d.server.URL + "/repositories/700/issues/17/comments"}}, "{}"})
	d.on("POST /repositories/700/issues/17/comments", response{status: 201, body: `{"id":1}`})
	_, err = d.client(t).Post(context.Background(), joint, conversation(17), "the whole body")
	require.NoError(t, err)
	require.Contains(t, d.calls("POST /repositories/700/issues/17/comments")[0].body, "the whole body")
	d.on(comment, response{301, http.Header{"Location": {d.server.URL + "/repositories/700/issues/17/comments"}}, "{}"})
	_, err = d.client(t).Post(context.Background(), joint, conversation(17), "x")
	require.ErrorContains(t, err, "GitHub answered 301", "a write never becomes a read")
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestCredentialsGoToGitHubAlone(t *testing.T) {
	t.Parallel()
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Error("asked for", r.URL)
	}))
	t.Cleanup(thief.Close)
	d := newFakeAPI(t)
	away := response{301, http.Header{"Location": {thief.URL + "/"}}, "{}"}
	d.on(getPull, away)
	d.on("GET /app", away)
	_, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.ErrorContains(t, err, "not followed")
	c := d.client(t, withoutSlug)
	_, err = c.Slug(context.Background())
	require.ErrorContains(t, err, "not followed")
	d.noSecrets(t, err)
}

func TestTheTokensForWhatIsAnnouncedAreThereWhenItComes(t *testing.T) {
	t.Parallel()
	for purpose, want := range map[port.Purpose][]string{
		port.Answering: {`"checks":"write"`, `"issues":"write"`}, port.Committing: {`"contents":"write"`},
	} {
		d := newFakeAPI(t)
		synctest.Test(t, func(t *testing.T) {
			c := d.client(t, func(o *gh.Options) { o.Transport = inMemory{d} })
			c.Prepare(joint, purpose)
			c.Prepare(joint, purpose)
			synctest.Wait()
			asked := d.calls(mintPath)
			require.Len(t, asked, len(want), "each once")
			bodies := asked[0].body + asked[len(asked)-1].body
			for _, permission := range want {
				require.Contains(t, bodies, permission)
			}
			d.on(comment, response{status: 201, body: `{"id":1}`})
			if purpose == port.Answering {
				_, err := c.Post(t.Context(), joint, conversation(17), "x")
				require.NoError(t, err)
			} else {
				_, err := c.Token(t.Context(), joint, true)
				require.NoError(t, err)
			}
			require.Len(t, d.calls(mintPath), len(want))
		})
	}
}

func TestNothingIsPreparedForNoRepository(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	c.Prepare(port.RepoRef{Installation: 55, Owner: "octo-org", Name: "hello-joint"}, port.Committing)
	require.Zero(t, c.Tokens(), "a token for no repository would be for all")
}
