package signin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/signin"
)

func TestSomebodySignsInAndComesBackToThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	status, text := b.get(b.begin("maria", "/who?x=1"))
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "1 maria operator=true")
	require.NotEmpty(t, w.form.Get("code_verifier"))
	require.Equal(t, secret, w.form.Get("client_secret"))
	require.Len(t, b.cookies(), 1, "the cookie of the way through GitHub is gone")
	for name, value := range b.cookies() {
		require.Equal(t, "tenon-session", name)
		require.NotContains(t, value, "maria")
		require.NotContains(t, value, "token")
	}
	_, text = w.signedIn("victor").get("/who")
	require.Contains(t, text, "2 victor operator=false")
}

func TestCookiesAreForThisHostAloneAndNotForScripts(t *testing.T) {
	t.Parallel()
	g := newGitHub()
	s, err := signin.New(signin.Options{PublicURL: "https://tenon.example", SiteURL: "https://github.example/",
		ClientID: "Iv1", ClientSecret: secret, GitHub: g, Transport: g, Now: g.clock})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	s.Handler(http.NotFoundHandler()).ServeHTTP(w,
		httptest.NewRequest(http.MethodGet, "https://tenon.example/auth/start", nil))
	require.Equal(t, http.StatusSeeOther, w.Code)
	cookies := w.Result().Cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	require.Equal(t, "__Host-tenon-signin", c.Name)
	require.True(t, c.HttpOnly && c.Secure && c.SameSite == http.SameSiteLaxMode && c.Path == "/" && c.Domain == "")
	_, err = signin.New(signin.Options{PublicURL: "https://h", ClientID: "Iv1", ClientSecret: "short", Now: g.clock})
	require.ErrorContains(t, err, "shorter")
}

func TestAWayThroughGitHubEndsOnceAndInItsBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	back := b.begin("maria", "/who")
	onItsWay := w.browser()
	_ = onItsWay.begin("victor", "/who")
	var status int
	for _, other := range []*browser{w.browser(), onItsWay} {
		status, _ = other.get(back)
		require.Equal(t, http.StatusBadRequest, status, "nobody is signed in as somebody else by a link")
		require.Empty(t, w.requests(), "and GitHub is not asked")
	}
	stolen := b.cookies()
	status, _ = b.get(back)
	require.Equal(t, http.StatusOK, status)
	status, _ = b.get(back)
	require.Equal(t, http.StatusBadRequest, status, "the state is used up")
	req := httptest.NewRequest(http.MethodGet, back, nil)
	for name, value := range stolen {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	again := httptest.NewRecorder()
	w.server.Config.Handler.ServeHTTP(again, req)
	require.Equal(t, http.StatusBadRequest, again.Code, "and so is the code")

	late := w.browser()
	back = late.begin("maria", "/who")
	w.forward(10 * time.Minute)
	status, _ = late.get(back)
	require.Equal(t, http.StatusBadRequest, status)
}

func TestSeveralTabsSignInAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	first, second := b.begin("maria", "/who?tab=1"), b.begin("maria", "/who?tab=2")
	for _, back := range []string{second, first} {
		status, _ := b.get(back)
		require.Equal(t, http.StatusOK, status)
	}
	for range 9 { // each forgets the oldest beyond some
		_ = b.begin("maria", "/auth/start?to=/who")
	}
	for _, value := range b.cookies() {
		require.Less(t, len(value), 4096)
	}
}

func TestSigningInReplacesASessionThatSomebodyPlanted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("victor")
	old := b.cookies()["tenon-session"]
	token := b.formToken()
	status, _ := b.get(b.begin("maria", "/auth/start"))
	require.Equal(t, http.StatusNotFound, status, "the first page, which this server has not")
	_, text := b.get("/who")
	require.Contains(t, text, "maria")
	require.NotEqual(t, token, b.formToken())
	_, _ = w.browser().get("/who", "Cookie", "tenon-session="+old)
	req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
	req.AddCookie(&http.Cookie{Name: "tenon-session", Value: old})
	got := httptest.NewRecorder()
	w.server.Config.Handler.ServeHTTP(got, req)
	require.Equal(t, http.StatusUnauthorized, got.Code, "the session before has ended")
}

func TestNoLinkLeadsAwayThroughSigningIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, to := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "/\t/evil.example",
		"/%5Cevil.example/..", "javascript:alert(1)", "evil.example", "", "/auth/signout", "/%2F/evil.example",
		"/" + strings.Repeat("a", 500), "https:/evil.example", "/\n/evil.example"} {
		b := w.browser()
		back := b.begin("maria", "/auth/start?"+url.Values{"to": {to}}.Encode())
		client := http.Client{Jar: b.jar, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		resp, err := client.Get(back)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.Equal(t, http.StatusSeeOther, resp.StatusCode, to)
		require.Equal(t, "/", resp.Header.Get("Location"), to)
	}
}

func TestSigningInBeginsOnTheHostWhereItEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	handler := w.server.Config.Handler
	at := func(target string) string {
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, httptest.NewRequest(http.MethodGet, target, nil))
		return got.Header().Get("Location")
	}
	to := at("http://internal.example/auth/start?to=%2Fruns%2Fa")
	require.Equal(t, w.server.URL+"/auth/start?host=public&to=%2Fruns%2Fa", to)
	require.Contains(t, at(strings.Replace(to, w.server.URL, "http://changed-by-a-proxy", 1)), "https://github.example/")
}

func TestGitHubsRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for refusal, want := range map[string]struct {
		status int
		text   string
	}{
		"bad_verification_code":        {400, "Sign in again"},
		"incorrect_client_credentials": {500, "TENON_CLIENT_SECRET"},
		"redirect_uri_mismatch":        {500, "/auth/callback"},
		"anything_else":                {502, "GitHub did not answer"},
	} {
		w := newWorld(t)
		b := w.browser()
		back := b.begin("maria", "/who")
		w.with(func() { w.refusal = refusal })
		status, text := b.get(back)
		require.Equal(t, want.status, status, refusal)
		require.Contains(t, text, want.text)
		require.NotContains(t, w.log.String(), "ghu_secret")
	}
	w := newWorld(t)
	b := w.browser()
	back, err := url.Parse(b.begin("maria", "/who"))
	require.NoError(t, err)
	state := back.Query().Get("state")
	status, text := b.get("/auth/callback?error=access_denied&state=" + state)
	require.Equal(t, http.StatusForbidden, status)
	require.Contains(t, text, "You did not let GitHub")
	_, _ = b.get("/auth/callback?code=x&installation_id=5&setup_action=install")
	require.NotNil(t, b.last, "whoever installed the App signs in")
	b = w.browser()
	back, err = url.Parse(b.begin("maria", "/who"))
	require.NoError(t, err)
	w.with(func() { w.down = true })
	status, text = b.get(back.String())
	require.Equal(t, http.StatusBadGateway, status)
	require.Contains(t, text, "GitHub did not answer")
}

func TestWhatNobodySeesIsNotSentToGitHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, header := range [][]string{{"Sec-Fetch-Dest", "empty"}, {"Accept", "text/event-stream"}} {
		b := w.browser()
		status, text := b.get("/who", header...)
		require.Equal(t, http.StatusUnauthorized, status)
		require.Contains(t, text, "You are not signed in")
	}
}

func TestAFormOfAnotherPageDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maria := w.signedIn("maria")
	token := maria.formToken()
	for name, c := range map[string]struct {
		b      *browser
		form   url.Values
		header []string
	}{
		"no token":               {b: maria, form: url.Values{}},
		"a wrong token":          {b: maria, form: url.Values{"csrf_token": {token + "x"}}},
		"another's token":        {b: w.signedIn("victor"), form: url.Values{"csrf_token": {token}}},
		"nobody with a token":    {b: w.browser(), form: url.Values{"csrf_token": {token}}},
		"nobody":                 {b: w.browser(), form: url.Values{"csrf_token": {""}}},
		"a form of another site": {maria, url.Values{"csrf_token": {token}}, []string{"Sec-Fetch-Site", "cross-site"}},
		"another origin":         {maria, url.Values{"csrf_token": {token}}, []string{"Origin", "https://evil.example"}},
		"no origin":              {maria, url.Values{"csrf_token": {token}}, []string{"Origin", "null"}},
		"a large form":           {b: maria, form: url.Values{"a": {strings.Repeat("a", 70_000)}, "csrf_token": {token}}},
	} {
		for _, method := range []string{http.MethodPost, http.MethodPut} {
			status, _ := c.b.send(method, "/act", c.form, c.header...)
			require.Equal(t, http.StatusForbidden, status, name)
		}
	}
	status, _ := maria.send(http.MethodDelete, "/act?csrf_token="+token, nil)
	require.Equal(t, http.StatusForbidden, status, "an address is not a form")
	require.Zero(t, w.acts)
	status, _ = maria.send(http.MethodPost, "/act", url.Values{"csrf_token": {token}}, "Origin", w.server.URL,
		"Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, 1, w.acts)
}

func TestSigningOutEndsTheSessionEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	stolen, token := b.cookies()["tenon-session"], b.formToken()
	status, _ := b.get("/auth/signout")
	require.NotEqual(t, http.StatusSeeOther, status, "a link signs nobody out")
	_, text := b.get("/who")
	require.Contains(t, text, "maria")
	status, _ = b.send(http.MethodPost, "/auth/signout", url.Values{"csrf_token": {token}})
	require.Equal(t, http.StatusNotFound, status, "the first page, which this server has not")
	require.Empty(t, b.cookies())
	require.Empty(t, w.valid, "GitHub accepts none of the tokens")

	other := newWorld(t) // another process with the same secret, which has heard nothing
	other.valid, other.refreshing = w.valid, w.refreshing
	other.with(func() { delete(other.refreshing, "refresh-token-maria-1") })
	for _, server := range []*world{w, other} {
		req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
		req.AddCookie(&http.Cookie{Name: "tenon-session", Value: stolen})
		got := httptest.NewRecorder()
		server.server.Config.Handler.ServeHTTP(got, req)
		require.Equal(t, http.StatusUnauthorized, got.Code)
	}
}

func TestAClientSecretIsTriedWithoutSigningIn(t *testing.T) {
	t.Parallel()
	g := newGitHub()
	try := func() error {
		return signin.TryCredentials(t.Context(), "https://github.example/", "Iv1", secret, g)
	}
	require.NoError(t, try())
	g.with(func() { g.refusal = "incorrect_client_credentials" })
	require.ErrorIs(t, try(), signin.ErrCredentials)
	g.with(func() { g.down = true })
	require.ErrorIs(t, try(), errDown)
}
