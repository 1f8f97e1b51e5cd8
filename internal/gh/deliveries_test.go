package gh_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

func TestDeliveriesThatFailedAreListedAndAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var status atomic.Int32
	status.Store(http.StatusServiceUnavailable)
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(hook.Close)
	w.SetHookURL(hook.URL)
	for range 101 {
		_, err := w.Comment("mona", "octo-org/hello-joint", w.pull, "/tenon fix it")
		require.NoError(t, err)
	}
	sent := w.Deliveries()
	page, next, err := w.app.Attempts(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, page, 100)
	last := sent[len(sent)-1]
	require.False(t, page[0].Succeeded())
	require.Equal(t, port.Attempt{ID: last.ID, Delivery: last.GUID, Event: "issue_comment", Action: "created",
		Repository: w.repo.ID, At: last.At.UTC().Truncate(time.Second), Status: http.StatusServiceUnavailable,
		Outcome: "Invalid HTTP Response: 503"}, page[0])
	page, next, err = w.app.Attempts(t.Context(), next)
	require.NoError(t, err)
	require.Len(t, page, 1)
	require.Equal(t, sent[0].GUID, page[0].Delivery)
	require.Empty(t, next)

	status.Store(http.StatusAccepted)
	require.NoError(t, w.app.Redeliver(t.Context(), page[0].ID))
	w.WaitDeliveries()
	page, _, err = w.app.Attempts(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, sent[0].GUID, page[0].Delivery)
	require.True(t, page[0].Succeeded())
	require.ErrorIs(t, w.app.Redeliver(t.Context(), 1), port.ErrNotFound)
}

// What only time can help is told from what somebody has to correct.
func TestAnAppIsIdentifiedOrWaitsForGitHub(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t, withoutSlug)
	require.Empty(t, c.KnownSlug())
	for name, answer := range map[string]response{"an outage": refusal(503, ""), "a bad gateway": refusal(502, "")} {
		d.on("GET /app", answer)
		var wait *port.WaitError
		require.ErrorAs(t, c.Identify(context.Background()), &wait, name)
		require.Equal(t, port.GitHubOutage, wait.For)
	}
	d.on("GET /app", refusal(429, "secondary rate limit", "Retry-After", "90"))
	var wait *port.WaitError
	require.ErrorAs(t, c.Identify(context.Background()), &wait)
	require.Equal(t, port.GitHubLimit, wait.For)
	require.Equal(t, 90*time.Second, wait.After)

	for name, answer := range map[string]response{"a wrong key": refusal(401, "could not be decoded"),
		"a wrong id": refusal(404, "Integration not found"), "a page": ok("<html>"), "no App": ok("{}")} {
		d := newFakeAPI(t)
		d.on("GET /app", answer)
		err := d.client(t, withoutSlug).Identify(context.Background())
		require.Error(t, err, name)
		require.NotErrorAs(t, err, &wait, name)
	}
	d = newFakeAPI(t)
	d.on("GET /app", ok(`{"slug":"tenon-of-octo"}`))
	c = d.client(t, withoutSlug)
	require.NoError(t, c.Identify(context.Background()))
	require.Equal(t, "tenon-of-octo", c.KnownSlug())
	c = d.client(t, func(o *gh.Options) { o.Slug = "mine" })
	require.NoError(t, c.Identify(context.Background()))
	require.Equal(t, "mine", c.KnownSlug(), "the settings are right")
}

func TestAnAddressWhereNobodyIsIsAnOutage(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	c, err := gh.New(gh.Options{AppID: 1, PrivateKey: keyPEM(), APIURL: closed.URL,
		Sleep: func(context.Context, time.Duration) error { return nil }})
	require.NoError(t, err)
	var wait *port.WaitError
	require.ErrorAs(t, c.Identify(t.Context()), &wait)
	require.Equal(t, port.GitHubOutage, wait.For)
}
