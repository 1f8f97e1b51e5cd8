package gh_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func TestWhatGitHubKnowsOfTheApp(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	app, err := w.app.App(ctx)
	require.NoError(t, err)
	require.Equal(t, w.AppID(), app.ID)
	require.Equal(t, "tenon", app.Slug)
	require.Equal(t, "tenon-bot", app.Owner)
	require.True(t, app.Organization)
	require.Equal(t, "write", app.Permissions["contents"])
	require.Contains(t, app.Events, "issue_comment")

	w.SetHookURL("https://tenon.example/webhook")
	hook, err := w.app.Hook(ctx)
	require.NoError(t, err)
	require.Equal(t, port.Hook{URL: "https://tenon.example/webhook", ContentType: "json", HasSecret: true}, hook)

	require.NoError(t, w.Suspend("octo-org", true))
	_, err = w.Install(sim.Installation{Owner: "mona", Permissions: map[string]string{"metadata": "read"}})
	require.NoError(t, err)
	list, all, err := w.app.Installations(ctx)
	require.NoError(t, err)
	require.True(t, all)
	require.Len(t, list, 2)
	require.Equal(t, "octo-org", list[0].Account)
	require.True(t, list[0].Organization)
	require.True(t, list[0].Suspended)
	require.Equal(t, w.repo.Installation, list[0].ID)
	require.Equal(t, "mona", list[1].Account)
	require.False(t, list[1].Organization)
	require.False(t, list[1].Suspended)
	require.Equal(t, map[string]string{"metadata": "read"}, list[1].Permissions)
	require.WithinDuration(t, w.clock.Now(), list[1].Created, 2*time.Second)
}

func TestInstallationsAreListedToTheLastPage(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	full := "[" + strings.TrimSuffix(strings.Repeat(`{"id":1,"account":{"login":"a"}},`, 100), ",") + "]"
	d.on("GET /app/installations", ok(full), ok(full), ok(`[{"id":7}]`))
	list, all, err := d.client(t).Installations(context.Background())
	require.NoError(t, err)
	require.True(t, all)
	require.Len(t, list, 201)
	d.on("GET /app/installations", ok(full))
	list, all, err = d.client(t).Installations(context.Background())
	require.NoError(t, err)
	require.False(t, all, "it does not go on for ever")
	require.Len(t, list, 1000)
}

// What answers a delivery is whatever is at the webhook's URL.
func TestTheAnswerToADeliveryIsBounded(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	for payload, want := range map[string]string{
		`"the signature\nis wrong"`:             "the signature is wrong",
		`null`:                                  "",
		`{"a":1}`:                               "",
		`"` + strings.Repeat("é", 10_000) + `"`: strings.Repeat("é", 250),
		`"` + strings.Repeat("<br> ", 1000) + `"`: strings.TrimSuffix(strings.Repeat("<br> ", 100), " ") + " ",
	} {
		d.on("GET /app/hook/deliveries/5", ok(`{"response":{"payload":`+payload+`}}`))
		got, err := d.client(t).Answer(context.Background(), 5)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestTheClockIsComparedWithGitHubs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, ahead := range []time.Duration{0, 7 * time.Minute, -time.Hour} {
		c, err := gh.New(gh.Options{AppID: w.AppID(), PrivateKey: w.PrivateKeyPEM(), APIURL: w.APIURL(),
			Now: func() time.Time { return w.clock.Now().Add(ahead) }})
		require.NoError(t, err)
		got, err := c.Clock(context.Background())
		require.NoError(t, err)
		require.InDelta(t, ahead.Seconds(), got.Seconds(), 1)
	}
}

func TestWhyGitHubRefusesTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(site.Close)
	for why, c := range map[port.AppRefusal]struct {
		id   int64
		url  string
		says string
	}{
		port.UnknownApp: {999_999, w.APIURL(), "there is no App with this id"},
		port.WrongKey: {simhttp.AnotherAppID, w.APIURL(), "must be listed under \"Private keys\" on the page of the App " +
			"with this id"},
		port.NotAnAPI: {w.AppID(), site.URL, "https://HOST/api/v3/"},
	} {
		app, err := gh.New(gh.Options{AppID: c.id, PrivateKey: w.PrivateKeyPEM(), APIURL: c.url})
		require.NoError(t, err)
		err = app.Identify(context.Background())
		var refused *port.AppRefusedError
		require.ErrorAs(t, err, &refused, why)
		require.Equal(t, why, refused.Why)
		require.ErrorContains(t, err, c.says)
		require.Regexp(t, `^SHA256:[A-Za-z0-9+/]{43}=$`, refused.Fingerprint)
		if _, err = app.Clock(context.Background()); why == port.NotAnAPI {
			require.ErrorAs(t, err, &refused)
		} else {
			require.NoError(t, err, "the time is known without a key")
		}
	}
}
