package simhttp

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// accessToken exchanges a code, or a refresh token, for tokens. It answers 200 also where it refuses.
func (s *site) accessToken(w http.ResponseWriter, r *http.Request) {
	entry := s.watch.Begin(r, "/login/oauth/access_token")
	s.watch.Pass(traffic.BeforeEffect, r)
	a := &answer{status: http.StatusOK}
	if f := s.watch.NextFailure(r); f != nil {
		a = failed(f)
	} else {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		s.Mu.Lock()
		a.body = s.flows.Exchange(r)
		s.Mu.Unlock()
	}
	s.watch.End(entry, a.status)
	s.watch.Pass(traffic.AfterEffect, r)
	o, is := a.body.(entity.Object)
	if !is || strings.Contains(r.Header.Get("Accept"), "json") {
		respond(w, a)
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
	if !c.flows.Revoke(body.AccessToken) {
		return nil, entity.Unprocessable("Validation Failed")
	}
	return noContent()
}

// convertManifest exchanges a code for the App's credentials, once.
func convertManifest(c *call) (*answer, error) {
	app, hasHook := c.flows.Convert(c.vars["code"])
	if app == nil {
		return nil, notFound()
	}
	o := c.form.Integration(app)
	o["client_id"], o["client_secret"] = app.ClientID, app.ClientSecret
	o["webhook_secret"], o["pem"] = form.TextOrNull(app.Secret), string(app.KeyPEM())
	if !hasHook {
		o["webhook_secret"] = nil
	}
	return &answer{status: http.StatusCreated, body: o}, nil
}
