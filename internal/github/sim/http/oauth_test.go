package simhttp_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

const (
	callback  = "http://127.0.0.1:1/auth/callback"
	verifier  = "a-verifier-that-is-long-enough-for-everybody-1234"
	challenge = "aJFWCU9kr3NRC8LK0LZH6HHyUf5AIrGliG9iTT0iR1Q"
)

// visit requests a page as the browser of whoever is signed in, without following redirects.
func (w *world) visit(path string) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, strings.TrimSuffix(w.GitURL(), "/")+path, nil)
	require.NoError(w.t, err)
	return w.sendBy(&http.Client{CheckRedirect: stay}, req)
}

// authorize presses a button of the page that authorises the App, or comes back at once. It returns the query of the
// callback.
func (w *world) authorize(login, button string) url.Values {
	w.t.Helper()
	require.NoError(w.t, w.SignIn(login))
	page := w.visit("/login/oauth/authorize?" + url.Values{"client_id": {w.ClientID()}, "redirect_uri": {callback},
		"state": {"s"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}.Encode())
	if page.status == http.StatusOK {
		m := regexp.MustCompile(`name=id value="(\w+)"`).FindStringSubmatch(page.text)
		require.NotNil(w.t, m, page.text)
		page = w.browser("/login/oauth/authorize", url.Values{"id": {m[1]}, "authorize": {button}})
	}
	require.Equal(w.t, http.StatusFound, page.status, page.text)
	to, err := url.Parse(page.header.Get("Location"))
	require.NoError(w.t, err)
	require.True(w.t, strings.HasPrefix(to.String(), callback+"?"), to)
	return to.Query()
}

// exchange requests tokens.
func (w *world) exchange(form url.Values) url.Values {
	w.t.Helper()
	if !form.Has("client_id") {
		form.Set("client_id", w.ClientID())
		form.Set("client_secret", w.ClientSecret())
	}
	r := w.browser("/login/oauth/access_token", form)
	require.Equal(w.t, http.StatusOK, r.status)
	got, err := url.ParseQuery(r.text)
	require.NoError(w.t, err)
	return got
}

// tokensOf returns the tokens of somebody who authorises the App.
func (w *world) tokensOf(login string) url.Values {
	w.t.Helper()
	w.SetCallbackURLs(callback)
	got := w.exchange(url.Values{"code": {w.authorize(login, "1").Get("code")}, "code_verifier": {verifier}})
	require.NotEmpty(w.t, got.Get("access_token"), got)
	return got
}

func TestACodeIsGoodForTokensOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.SetCallbackURLs(callback)
	require.Equal(t, "access_denied", w.authorize("alice", "0").Get("error"))
	back := w.authorize("alice", "1")
	require.Equal(t, "s", back.Get("state"))
	for name, form := range map[string]url.Values{
		"bad_verification_code":        {"code": {"guessed"}, "code_verifier": {verifier}},
		"incorrect_client_credentials": {"code": {"guessed"}, "client_id": {w.ClientID()}, "client_secret": {"x"}},
		"redirect_uri_mismatch": {"code": {w.authorize("alice", "1").Get("code")}, "code_verifier": {verifier},
			"redirect_uri": {"https://evil.example/"}},
	} {
		require.Equal(t, name, w.exchange(form).Get("error"))
	}
	wrong := w.authorize("alice", "1").Get("code")
	require.Equal(t, "bad_verification_code",
		w.exchange(url.Values{"code": {wrong}, "code_verifier": {"of-another"}}).Get("error"), "PKCE")
	form := url.Values{"code": {back.Get("code")}, "code_verifier": {verifier}, "redirect_uri": {callback}}
	got := w.exchange(form)
	require.Equal(t, "28800", got.Get("expires_in"))
	require.Equal(t, "bad_verification_code", w.exchange(form).Get("error"), "a code works once")
	late := w.authorize("alice", "1").Get("code")
	w.clock.forward(10 * time.Minute)
	require.Equal(t, "bad_verification_code",
		w.exchange(url.Values{"code": {late}, "code_verifier": {verifier}}).Get("error"))
	page := w.visit("/login/oauth/authorize?redirect_uri=https%3A%2F%2Fevil.example&client_id=" + w.ClientID())
	require.Contains(t, page.text, "not associated")
}

func TestATokenOfAPersonReadsWhatThePersonCan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.RequestsPerHour = 6 })
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/open", Public: true, Files: map[string]string{"a": "b"}}))
	alice, stranger := w.tokensOf("alice").Get("access_token"), w.tokensOf("stranger").Get("access_token")
	require.Equal(t, "alice", w.call("GET", "user", alice, "").object()["login"])
	require.Equal(t, 200, w.call("GET", "repos/acme/app", alice, "").status)
	w.refused(w.call("GET", "repos/acme/app", stranger, ""), 404, "Not Found")
	require.Equal(t, 200, w.call("GET", "repos/acme/open", stranger, "").status)
	w.refused(w.call("GET", "user", w.token, ""), 403, "not accessible by integration")
	w.refused(w.call("GET", "user", "ghu_forged", ""), 401, "Bad credentials")
	w.refused(w.call("GET", "repos/acme/app/pulls", alice, ""), 403, "not accessible")

	require.NoError(t, w.SetRole("acme/app", "alice", entity.RoleNone))
	w.refused(w.call("GET", "repos/acme/app", alice, ""), 404, "Not Found")
	require.NoError(t, w.SetRole("acme/app", "alice", entity.RoleRead))
	require.NoError(t, w.Uninstall("acme"))
	w.refused(w.call("GET", "repos/acme/app", alice, ""), 404, "Not Found")
	limited := w.call("GET", "user", alice, "")
	require.Equal(t, "0", limited.header.Get("X-RateLimit-Remaining"))
	w.refused(w.call("GET", "user", alice, ""), 403, "rate limit exceeded for user")
}

// revoke deletes a token in the name of the App, with a client secret.
func (w *world) revoke(token, secret string) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodDelete,
		w.APIURL()+"applications/"+w.ClientID()+"/token", strings.NewReader(`{"access_token": "`+token+`"}`))
	require.NoError(w.t, err)
	req.Header.Set("User-Agent", "sim")
	req.SetBasicAuth(w.ClientID(), secret)
	return w.send(req)
}

func TestTokensOfPeopleEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.tokensOf("alice")
	w.clock.forward(8 * time.Hour)
	w.refused(w.call("GET", "user", first.Get("access_token"), ""), 401, "Bad credentials")
	refresh := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {first.Get("refresh_token")}}
	second := w.exchange(refresh)
	require.Equal(t, 200, w.call("GET", "user", second.Get("access_token"), "").status)
	require.Equal(t, "bad_refresh_token", w.exchange(refresh).Get("error"), "it works once")
	require.Equal(t, 1, w.UserTokens("alice"))

	require.Equal(t, 404, w.revoke(second.Get("access_token"), "wrong").status)
	require.Equal(t, 204, w.revoke(second.Get("access_token"), w.ClientSecret()).status)
	require.Zero(t, w.UserTokens("alice"))

	third := w.tokensOf("alice")
	require.NoError(t, w.RevokeAuthorization("alice"))
	w.refused(w.call("GET", "user", third.Get("access_token"), ""), 401, "Bad credentials")
	require.Equal(t, "bad_refresh_token", w.exchange(url.Values{"grant_type": {"refresh_token"},
		"refresh_token": {third.Get("refresh_token")}}).Get("error"))
}
