package signin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

func TestAManifestIsReadStrictly(t *testing.T) {
	t.Parallel()
	core := &entity.Core{Clock: time.Now, App: &entity.App{Slug: "tenon"}}
	core.State.Init()
	acts, router := sim.ActsOf(core), mux.NewRouter()
	require.NoError(t, acts.AddUser("alice"))
	flows := signin.New(core, acts, hook.API{}, &traffic.Watch{}, nil)
	require.NoError(t, signin.VisitorOf(flows).SignIn("alice"))
	signin.Routes(router, func(*http.Request) *signin.Flows { return flows })
	read := func(manifest string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		body := strings.NewReader(url.Values{"manifest": {manifest}}.Encode())
		r := httptest.NewRequest(http.MethodPost, "/settings/apps/new", body)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		router.ServeHTTP(w, r)
		return w
	}
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
		r := read(text)
		require.Equal(t, 422, r.Code, text)
		require.Contains(t, r.Body.String(), fault)
	}
	require.Equal(t, 200, read(appManifest).Code)
}
