package gh_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

func TestWhatTheAppsKeyIsNeededForWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refusal response
		says    string
	}{
		"a wrong key": {refusal(401, "A JSON web token could not be decoded"), "GitHub answered 401: A JSON web token " +
			"could not be decoded (TENON_APP_ID and the private key do not belong together: the key with the fingerprint " +
			"SHA256:"},
		"a wrong id": {refusal(404, "Integration not found"), "there is no App with this id, 4711: TENON_APP_ID must be"},
		"a clock that cannot be corrected": {refusal(401, "'Issued at' claim ('iat') must be an Integer", "Date", "-"),
			"this machine's clock is not GitHub's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(mintPath, c.refusal)
			_, err := d.client(t).PullRequest(context.Background(), joint, 17)
			require.ErrorContains(t, err,
				"asking for pull request octo-org/hello-joint#17: asking for a token of installation 55: ")
			require.ErrorContains(t, err, c.says)
			var wait *port.WaitError
			require.ErrorAs(t, err, &wait)
			require.Equal(t, port.AppRefused, wait.For)
			require.False(t, asPermanent(err))
			require.NotErrorIs(t, err, port.ErrDenied, "the bot would go on without what it may not do")
			require.NotErrorIs(t, err, port.ErrNotFound)
			d.noSecrets(t, err)
		})
	}
}

// GitHub blocks who goes on with a wrong key.
func TestARefusedAppAsksForNoFurtherTokensForAMoment(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	require.Nil(t, c.Refused())
	d.on(mintPath, refusal(401, "A JSON web token could not be decoded"))
	elsewhere := joint
	for range 20 {
		elsewhere.ID++
		_, err := c.Token(ctx, elsewhere, false)
		var wait *port.WaitError
		require.ErrorAs(t, err, &wait)
		require.Equal(t, port.AppRefused, wait.For)
		require.ErrorContains(t, err, "do not belong together")
	}
	require.Len(t, d.calls(mintPath), 1)
	require.Equal(t, port.WrongKey, c.Refused().Why)
	require.Equal(t, int64(4711), c.Refused().ID)

	d.advance(10 * time.Second)
	_, err := c.Token(ctx, joint, false)
	require.Error(t, err)
	require.Len(t, d.calls(mintPath), 2, "the key may be right by now")
	d.advance(10 * time.Second)
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z"}`})
	_, err = c.Token(ctx, joint, false)
	require.NoError(t, err)
	require.Nil(t, c.Refused())
	_, err = c.Token(ctx, elsewhere, false)
	require.NoError(t, err, "at once")
}

func TestIdentifyFindsOutWhetherTheAppIsAccepted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(mintPath, refusal(401, "A JSON web token could not be decoded"))
	_, err := c.Token(ctx, joint, false)
	require.Error(t, err)
	var wait *port.WaitError
	for _, answer := range []response{refusal(401, "A JSON web token could not be decoded"), refusal(404, "Not Found"),
		refusal(503, "Unavailable")} {
		d.on("GET /app", answer)
		err = c.Identify(ctx)
		require.Error(t, err)
		require.Equal(t, answer.status == 503, errors.As(err, &wait), "a start with a wrong key ends")
		require.Equal(t, port.WrongKey, c.Refused().Why)
	}
	d.on("GET /app", ok(`{"slug":"tenon"}`))
	require.NoError(t, c.Identify(ctx))
	require.Nil(t, c.Refused())
	d.on(mintPath, response{status: 201, body: `{"token":"ghs_secret1","expires_at":"2026-11-20T13:00:00Z"}`})
	_, err = c.Token(ctx, joint, false)
	require.NoError(t, err, "at once")
}

// A person's token, or that of a job, is no App's.
func TestAPlainTokenHasNoAppToBeRefused(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, refusal(401, "Bad credentials", "Date", "Fri, 20 Nov 2026 13:00:00 GMT"))
	c := d.client(t, func(o *gh.Options) { o.Token = "ghp_secret" })
	_, err := c.PullRequest(context.Background(), joint, 17)
	require.Error(t, err)
	require.Nil(t, c.Refused())
	require.Zero(t, c.ClockAhead())
}
