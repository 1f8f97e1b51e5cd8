package signin_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/signin"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

const appManifest = `{"name": "acme-tenon", "url": "https://example.com",
	"hook_attributes": {"url": "https://example.com/hook"}, "redirect_url": "http://127.0.0.1:1/back?x=1",
	"public": false, "default_permissions": {"issues": "write"},
	"default_events": ["issues"]}`

// browser is alice's, and shows the pages of a GitHub without a door.
type browser struct {
	*signin.Flows
	t      *testing.T
	router *mux.Router
	now    time.Time
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	b := &browser{t: t, router: mux.NewRouter(), now: time.Unix(0, 0)}
	core := &entity.Core{Clock: func() time.Time { return b.now }, Memory: true, Log: slog.New(slog.DiscardHandler),
		App: &entity.App{Slug: "tenon", ClientID: "id", ClientSecret: "secret", Callbacks: []string{"https://a.example/"}}}
	acts, hooks := sim.ActsOf(core), hook.New(core, &sync.WaitGroup{}, time.Minute)
	core.Events = hook.EventsOf(hooks, acts)
	core.State.Init()
	require.NoError(t, acts.AddUser("alice"))
	b.Flows = signin.New(core, acts, hook.APIOf(hooks), &traffic.Watch{}, nil)
	require.NoError(t, signin.VisitorOf(b.Flows).SignIn("alice"))
	signin.Routes(b.router, func(*http.Request) *signin.Flows { return b.Flows })
	return b
}

// form returns a request with a form.
func form(path string, values ...string) *http.Request {
	v := url.Values{}
	for i := 0; i < len(values); i += 2 {
		v.Set(values[i], values[i+1])
	}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.router.ServeHTTP(w, r)
	return w
}

func TestAManifestIsReadStrictly(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	for change, fault := range map[[2]string]string{
		{`{"name"`, `{name`}:                                              "valid GitHub App manifest",
		{`"url": "https://example.com",`, ``}:                             "Url can",
		{`https://example.com/hook"`, `https://example.com/", "x": 1`}:    "unknown field",
		{`{"url": "https://example.com/hook"}`, `{"active": true}`}:       "Hook url must be",
		{`http://127.0.0.1:1/back?x=1`, `/back`}:                          "Redirect url must be",
		{`"issues": "write"`, `"issues": "admin"`}:                        "issues: admin",
		{`"issues": "write"`, `"issues": "write", "everything": "write"`}: "everything: write",
		{`["issues"]`, `["issues", "status"]`}:                            "supported by permissions: status",
	} {
		text := strings.Replace(appManifest, change[0], change[1], 1)
		r := b.send(form("/settings/apps/new", "manifest", text))
		require.Equal(t, 422, r.Code, text)
		require.Contains(t, r.Body.String(), fault)
	}
	require.Equal(t, 200, b.send(form("/settings/apps/new", "manifest", appManifest)).Code)
}

// tokens authorises the App and exchanges the code.
func (b *browser) tokens(more ...string) entity.Object {
	b.t.Helper()
	page := b.send(httptest.NewRequest(http.MethodGet,
		"/login/oauth/authorize?client_id=id&redirect_uri=https%3A%2F%2Fa.example%2Fx&state=s", nil))
	if page.Code == http.StatusOK {
		id := regexp.MustCompile(`name=id value="(\w+)"`).FindStringSubmatch(page.Body.String())
		page = b.send(form("/login/oauth/authorize", "authorize", "1", "id", id[1]))
	}
	to, err := page.Result().Location() //nolint:bodyclose // it is recorded
	require.NoError(b.t, err)
	require.Equal(b.t, "s", to.Query().Get("state"))
	return b.Exchange(form("/", append([]string{"client_id", "id", "client_secret", "secret", "code",
		to.Query().Get("code")}, more...)...))
}

// A person's token lives for eight hours, and the one by which it is refreshed works once.
func TestThePersonsTokenIsRefreshed(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	require.Equal(t, "redirect_uri_mismatch", b.tokens("redirect_uri", "https://b.example/")["error"])
	require.Equal(t, "incorrect_client_credentials", b.tokens("client_secret", "x")["error"])
	first := b.tokens()
	b.now = b.now.Add(8*time.Hour - time.Second)
	require.Equal(t, "alice", b.UserOf(first["access_token"].(string)).Login)
	b.now = b.now.Add(time.Second)
	require.Nil(t, b.UserOf(first["access_token"].(string)))
	refresh := form("/", "client_id", "id", "client_secret", "secret", "grant_type", "refresh_token", "refresh_token",
		first["refresh_token"].(string))
	second := b.Exchange(refresh)["access_token"].(string)
	require.Equal(t, "alice", b.UserOf(second).Login)
	require.Equal(t, "bad_refresh_token", b.Exchange(refresh)["error"])
	require.True(t, b.Revoke(second))
	require.False(t, b.Revoke(second))
	require.Nil(t, b.UserOf(second))
	b.Lasting = true
	lasting := b.tokens()
	b.now = b.now.AddDate(1, 0, 0)
	require.NotNil(t, b.UserOf(lasting["access_token"].(string)))
	require.NotContains(t, lasting, "refresh_token")
}
