package simhttp_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const appManifest = `{"name": "acme-tenon", "url": "https://example.com",
	"hook_attributes": {"url": "https://example.com/hook"}, "redirect_url": "http://127.0.0.1:1/back?x=1",
	"public": false, "default_permissions": {"issues": "write"},
	"default_events": ["issues"]}`

// browser posts a form to a page, without following redirects.
func (w *world) browser(path string, form url.Values) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, strings.TrimSuffix(w.GitURL(), "/")+path,
		strings.NewReader(form.Encode()))
	require.NoError(w.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return w.sendBy(&http.Client{CheckRedirect: stay}, req)
}

// stay does not follow a redirect.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// pageID returns what a page of the manifest flow calls its manifest.
func pageID(t *testing.T, r reply) string {
	t.Helper()
	m := regexp.MustCompile(`name=id value="(\w+)"`).FindStringSubmatch(r.text)
	require.NotNil(t, m, r.text)
	return m[1]
}

// codeOf returns the code of an App that alice registers.
func (w *world) codeOf(manifest string) string {
	w.t.Helper()
	require.NoError(w.t, w.SignIn("alice"))
	page := w.browser("/settings/apps/new", url.Values{"manifest": {manifest}})
	back := w.browser("/settings/apps", url.Values{"id": {pageID(w.t, page)}, "name": {"alice-tenon"}})
	to, err := url.Parse(back.header.Get("Location"))
	require.NoError(w.t, err)
	return to.Query().Get("code")
}

func TestAManifestBecomesAnAppOfAnOrganisation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.SignIn("owner"))
	page := w.browser("/organizations/acme/settings/apps/new?state=s%2F1", url.Values{"manifest": {appManifest}})
	require.Equal(t, 200, page.status, page.text)
	require.Contains(t, page.text, "Create GitHub App for acme")
	require.Contains(t, page.text, `value="acme-tenon"`)
	form := url.Values{"id": {pageID(t, page)}, "name": {"Tenon"}}
	taken := w.browser("/organizations/acme/settings/apps", form)
	require.Contains(t, taken.text, "Name is already taken")
	form.Set("name", strings.Repeat("x", 35))
	require.Contains(t, w.browser("/organizations/acme/settings/apps", form).text, "Name is too long")
	form.Set("name", "Acme Tenon")
	back := w.browser("/organizations/acme/settings/apps", form)
	require.Equal(t, 302, back.status)
	to, err := url.Parse(back.header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, []string{"127.0.0.1:1", "/back", "1", "s/1"},
		[]string{to.Host, to.Path, to.Query().Get("x"), to.Query().Get("state")})
	code := to.Query().Get("code")

	require.Equal(t, 404, w.call("POST", "app-manifests/other/conversions", "", "").status)
	r := w.call("POST", "app-manifests/"+code+"/conversions", "", "")
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, "acme-tenon", r.object()["slug"])
	require.Equal(t, "acme", r.object()["owner"].(map[string]any)["login"])
	require.Equal(t, map[string]any{"issues": "write", "metadata": "read"}, r.object()["permissions"])
	require.Equal(t, w.WebhookSecret(), r.object()["webhook_secret"])
	require.Equal(t, string(w.PrivateKeyPEM()), r.object()["pem"])
	require.Equal(t, w.AppID(), r.id())
	require.Equal(t, "https://example.com/hook", w.HookURL())
	w.refused(w.call("POST", "app-manifests/"+code+"/conversions", "", ""), 404, "Not Found")
	require.Equal(t, "acme-tenon[bot]", w.BotLogin())
	require.Equal(t, "acme-tenon", w.call("GET", "app", w.jwt(nil), "").object()["slug"], "the App can be used")
}

func TestAnAppOfAManifestIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	form := url.Values{"manifest": {appManifest}}
	require.Equal(t, "/login", w.browser("/settings/apps/new", form).header.Get("Location"))
	require.NoError(t, w.SignIn("alice"))
	require.Equal(t, 404, w.browser("/organizations/acme/settings/apps/new", form).status, "alice is no owner")
	page := w.browser("/settings/apps/new", form)
	require.Contains(t, page.text, "Create GitHub App<")
	back := w.browser("/settings/apps", url.Values{"id": {pageID(t, page)}, "name": {"alice-tenon"}})
	require.NotContains(t, back.header.Get("Location"), "state=", "none was given")
	require.Equal(t, 404, w.browser("/apps/alice-tenon/installations", url.Values{"account": {"acme"}}).status)
	require.Equal(t, 200, w.browser("/apps/alice-tenon/installations", url.Values{"account": {"alice"}}).status)
}

func TestACodeExpiresInAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code := w.codeOf(appManifest)
	w.clock.forward(time.Hour)
	require.Equal(t, 404, w.call("POST", "app-manifests/"+code+"/conversions", "", "").status)
}
