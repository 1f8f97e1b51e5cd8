package simhttp

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

const (
	codeLife      = 10 * time.Minute
	userTokenLife = 8 * time.Hour
	refreshLife   = 15_897_600 * time.Second
)

// oauth is what the flow keeps.
type oauth struct {
	pages      map[string]*authorizing // by what the page calls it
	codes      map[string]*authorizing
	tokens     map[string]*userToken
	refreshing map[string]*userToken // by refresh token
	authorized map[*model.User]bool
	limits     map[int64]*model.Usage // by user
}

func newOAuth() oauth {
	return oauth{pages: map[string]*authorizing{}, codes: map[string]*authorizing{}, tokens: map[string]*userToken{},
		refreshing: map[string]*userToken{}, authorized: map[*model.User]bool{}, limits: map[int64]*model.Usage{}}
}

// authorizing is a person on the way through the flow.
type authorizing struct {
	user            *model.User
	app             *model.App
	redirect, state string
	challenge       string
	begun           time.Time
}

// userToken is the token of a person, and the one by which it is refreshed.
type userToken struct {
	value, refresh string
	user           *model.User
	app            *model.App
	expires        time.Time // zero: never
	refreshUntil   time.Time
}

// ClientID returns the App's client id.
func (s signIn) ClientID() string { return s.Current().ClientID }

// ClientSecret returns the App's client secret.
func (s signIn) ClientSecret() string { return s.Current().ClientSecret }

// SetCallbackURLs sets the App's callback URLs.
func (s signIn) SetCallbackURLs(urls ...string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.App.Callbacks = urls
}

// RevokeAuthorization takes back that a person authorised the App: their tokens become useless.
func (s signIn) RevokeAuthorization(login string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := s.State.User(login)
	if err != nil {
		return err
	}
	delete(s.oauth.authorized, u)
	of := func(_ string, t *userToken) bool { return t.user == u }
	maps.DeleteFunc(s.oauth.tokens, of)
	maps.DeleteFunc(s.oauth.refreshing, of)
	return nil
}

// UserTokens returns how many tokens of a person are valid now.
func (s signIn) UserTokens(login string) int {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := 0
	for value, t := range s.oauth.tokens {
		if strings.EqualFold(t.user.Login, login) && s.userToken(value) != nil {
			n++
		}
	}
	return n
}

// authorize is GitHub's page on which a person authorises the App. Who has done so before is sent back at once.
func (v *view) authorize() {
	q := v.r.URL.Query()
	switch {
	case q.Get("client_id") != v.App.ClientID:
		http.NotFound(v.w, v.r)
		return
	case !v.App.CallsBack(q.Get("redirect_uri")):
		v.render(http.StatusOK, "Be careful!", plainPage,
			"The redirect_uri is not associated with this application.")
		return
	}
	a := &authorizing{user: v.viewer, app: v.App, redirect: q.Get("redirect_uri"), state: q.Get("state"),
		begun: v.Clock()}
	if q.Get("code_challenge_method") == "S256" {
		a.challenge = q.Get("code_challenge")
	}
	if v.oauth.authorized[v.viewer] {
		v.sendBack(a, url.Values{"code": {v.newCode(a)}})
		return
	}
	id := randomHex(16)
	v.oauth.pages[id] = a
	v.render(http.StatusOK, "Authorize "+v.App.Name, authorizeForm, model.Object{"ID": id, "Login": v.viewer.Login})
}

// authorized is the button of that page.
func (v *view) authorized() {
	id := v.r.FormValue("id")
	a := v.oauth.pages[id]
	delete(v.oauth.pages, id)
	if a == nil || a.user != v.viewer {
		http.NotFound(v.w, v.r)
		return
	}
	if v.r.FormValue("authorize") != "1" {
		v.sendBack(a, url.Values{"error": {"access_denied"},
			"error_description": {"The user has denied your application access."}})
		return
	}
	v.oauth.authorized[a.user] = true
	v.sendBack(a, url.Values{"code": {v.newCode(a)}})
}

// newCode returns a code for tokens.
func (s signIn) newCode(a *authorizing) string {
	code := randomHex(10)
	a.begun = s.Clock()
	s.oauth.codes[code] = a
	return code
}

// sendBack redirects to the callback URL.
func (v *view) sendBack(a *authorizing, values url.Values) {
	to, err := url.Parse(a.redirect)
	if err != nil {
		http.Error(v.w, "Server Error", http.StatusInternalServerError)
		return
	}
	q := to.Query()
	maps.Copy(q, values)
	if a.state != "" {
		q.Set("state", a.state)
	}
	to.RawQuery = q.Encode()
	http.Redirect(v.w, v.r, to.String(), http.StatusFound)
}

// accessToken exchanges a code, or a refresh token, for tokens. It answers 200 also where it refuses.
func (s signIn) accessToken(w http.ResponseWriter, r *http.Request) {
	entry := s.begin(r, "/login/oauth/access_token")
	s.gate(BeforeEffect, r)
	a := &answer{status: http.StatusOK}
	if f := s.nextFailure(r); f != nil {
		a = f.answer()
	} else {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		s.Mu.Lock()
		a.body = s.exchange(r)
		s.Mu.Unlock()
	}
	s.end(entry, a.status)
	s.gate(AfterEffect, r)
	o, is := a.body.(model.Object)
	if !is || strings.Contains(r.Header.Get("Accept"), "json") {
		write(w, a)
		return
	}
	form := url.Values{}
	for k, v := range o {
		form.Set(k, strings.Trim(string(mustJSON(v)), `"`))
	}
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	_, _ = w.Write([]byte(form.Encode())) // the client may be gone
}

func mustJSON(v any) []byte {
	data, _ := json.Marshal(v) // texts and numbers have no error
	return data
}

func oauthError(code, text string) model.Object {
	return model.Object{"error": code, "error_description": text}
}

// exchange returns tokens or why there are none.
func (s signIn) exchange(r *http.Request) model.Object {
	id, secret := r.FormValue("client_id"), r.FormValue("client_secret")
	if id != s.App.ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(s.App.ClientSecret)) != 1 {
		return oauthError("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
	}
	if r.FormValue("grant_type") == "refresh_token" {
		return s.refreshed(r.FormValue("refresh_token"))
	}
	code := r.FormValue("code")
	a := s.oauth.codes[code]
	delete(s.oauth.codes, code)
	switch {
	case a == nil || a.app != s.App || s.Clock().Sub(a.begun) >= codeLife:
		return oauthError("bad_verification_code", "The code passed is incorrect or expired.")
	case r.FormValue("redirect_uri") != "" && r.FormValue("redirect_uri") != a.redirect:
		return oauthError("redirect_uri_mismatch",
			"The redirect_uri MUST match the registered callback URL for this application.")
	case a.challenge != "" && a.challenge != challengeOf(r.FormValue("code_verifier")):
		return oauthError("bad_verification_code", "The code passed is incorrect or expired.")
	}
	return s.newUserToken(a.user)
}

// challengeOf returns the S256 challenge of a verifier.
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// refreshed exchanges a refresh token. "Once you use a refresh token, that refresh token and the old user access token
// will no longer work."
func (s signIn) refreshed(value string) model.Object {
	t := s.oauth.refreshing[value]
	if t == nil || t.app != s.App || !s.Clock().Before(t.refreshUntil) {
		return oauthError("bad_refresh_token", "The refresh token passed is incorrect or expired.")
	}
	delete(s.oauth.refreshing, value)
	delete(s.oauth.tokens, t.value)
	return s.newUserToken(t.user)
}

func (s signIn) newUserToken(u *model.User) model.Object {
	t := &userToken{value: "ghu_" + rand.Text() + rand.Text()[:10], user: u, app: s.App}
	s.oauth.tokens[t.value] = t
	o := model.Object{"access_token": t.value, "token_type": "bearer", "scope": ""}
	if s.opts.LastingUserTokens {
		return o
	}
	now := s.Clock()
	t.refresh = "ghr_" + rand.Text() + rand.Text() + rand.Text()[:24]
	t.expires, t.refreshUntil = now.Add(userTokenLife), now.Add(refreshLife)
	s.oauth.refreshing[t.refresh] = t
	o["expires_in"], o["refresh_token"] = int(userTokenLife.Seconds()), t.refresh
	o["refresh_token_expires_in"] = int(refreshLife.Seconds())
	return o
}

// userToken returns the token with a value, nil if it is none now.
func (s signIn) userToken(value string) *userToken {
	t := s.oauth.tokens[value]
	if t == nil || t.app != s.App || !t.expires.IsZero() && !s.Clock().Before(t.expires) {
		return nil
	}
	return t
}

// deleteUserToken revokes a token: "DELETE /applications/{client_id}/token", with the client's id and secret as basic
// authentication.
func deleteUserToken(c *call) (*answer, error) {
	id, secret, _ := c.r.BasicAuth()
	if id != c.App.ClientID || id != c.vars["client_id"] || secret != c.App.ClientSecret {
		return nil, notFound()
	}
	var body struct {
		AccessToken string `json:"access_token"`
	}
	if err := c.decode(&body); err != nil {
		return nil, err
	}
	t := c.oauth.tokens[body.AccessToken]
	if t == nil {
		return nil, model.Unprocessable("Validation Failed")
	}
	delete(c.oauth.tokens, t.value)
	return noContent()
}

var (
	plainPage     = template.Must(template.New("plain").Parse(`<p id=fault>{{.}}</p>`))
	authorizeForm = template.Must(template.New("authorize").Parse(`<form method=post action="/login/oauth/authorize">
<input type=hidden name=id value="{{.ID}}"><p>Signed in as {{.Login}}</p>
<button id=authorize name=authorize value=1>Authorize</button>
<button id=cancel name=authorize value=0>Cancel</button></form>`))
)
