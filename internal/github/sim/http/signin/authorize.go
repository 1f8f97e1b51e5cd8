package signin

import (
	"html/template"
	"maps"
	"net/http"
	"net/url"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

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
	v.render(http.StatusOK, "Authorize "+v.App.Name, authorizeForm, entity.Object{"ID": id, "Login": v.viewer.Login})
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

var (
	plainPage     = template.Must(template.New("plain").Parse(`<p id=fault>{{.}}</p>`))
	authorizeForm = template.Must(template.New("authorize").Parse(`<form method=post action="/login/oauth/authorize">
<input type=hidden name=id value="{{.ID}}"><p>Signed in as {{.Login}}</p>
<button id=authorize name=authorize value=1>Authorize</button>
<button id=cancel name=authorize value=0>Cancel</button></form>`))
)

// newCode returns a code for tokens.
func (s *Flows) newCode(a *authorizing) string {
	code := randomHex(10)
	a.begun = s.Clock()
	s.oauth.codes[code] = a
	return code
}
