package simhttp

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// SignIn says whose browser requests the pages of the server. Without anybody, they redirect to the page /login.
func (s signIn) SignIn(login string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := s.State.User(login)
	s.viewer = u
	return err
}

// pageRoutes adds the pages for a browser: of the manifest flow, and of an installation.
func pageRoutes(r *mux.Router) {
	for _, below := range []string{"/settings/apps", "/organizations/{account}/settings/apps"} {
		r.Methods(http.MethodPost).Path(below + "/new").HandlerFunc(page((*view).manifest))
		r.Methods(http.MethodPost).Path(below).HandlerFunc(page((*view).createApp))
	}
	r.Methods(http.MethodGet).Path("/login/oauth/authorize").HandlerFunc(page((*view).authorize))
	r.Methods(http.MethodPost).Path("/login/oauth/authorize").HandlerFunc(page((*view).authorized))
	r.Methods(http.MethodPost).Path("/login/oauth/access_token").HandlerFunc(on((*Server).accessToken))
	for _, below := range []string{"/apps/{slug}", "/github-apps/{slug}"} {
		r.Methods(http.MethodGet).Path(below + "/installations/new").HandlerFunc(page((*view).installation))
		r.Methods(http.MethodPost).Path(below + "/installations").HandlerFunc(on((*Server).install))
	}
}

// view is a request for a page; the server's lock is held.
type view struct {
	*Server
	w    http.ResponseWriter
	r    *http.Request
	vars map[string]string
}

// page handles a request for a page of somebody who is signed in.
func page(show func(*view)) http.HandlerFunc {
	return on(func(s *Server, w http.ResponseWriter, r *http.Request) {
		entry := s.begin(r, "page")
		s.gate(BeforeEffect, r)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		s.Mu.Lock()
		defer s.Mu.Unlock()
		defer s.end(entry, http.StatusOK)
		if s.viewer == nil {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		show(&view{Server: s, w: w, r: r, vars: mux.Vars(r)})
	})
}

// account returns the account of the path: the viewer's own, or an organisation of which the viewer is an owner; nil if
// there is none.
func (v *view) account() *model.User {
	name := v.vars["account"]
	if name == "" {
		return v.viewer
	}
	org, err := v.State.User(name)
	if err != nil || org.Kind != sim.UserOrg || !v.mayManage(org) {
		return nil
	}
	return org
}

// mayManage reports whether the Apps of an account are the viewer's business.
func (v *view) mayManage(account *model.User) bool {
	return account == v.viewer || account.Owners[strings.ToLower(v.viewer.Login)]
}

// manifest shows the page on which a person names the App of a manifest.
func (v *view) manifest() {
	account := v.account()
	if account == nil {
		http.NotFound(v.w, v.r)
		return
	}
	m, faults := parseManifest(v.r.FormValue("manifest"))
	if len(faults) > 0 {
		v.render(http.StatusUnprocessableEntity, "Invalid GitHub App configuration", manifestFaults, faults)
		return
	}
	id := randomHex(16)
	v.manifests.pages[id] = &registering{manifest: m, account: account, state: v.r.FormValue("state"), begun: v.Clock()}
	v.nameApp(http.StatusOK, id, m.Name, "")
}

// nameApp shows the field for the App's name and the button.
func (v *view) nameApp(status int, id, name, fault string) {
	account := v.manifests.pages[id].account
	action, title := "/settings/apps", "Create GitHub App"
	if account.Kind == sim.UserOrg {
		action, title = "/organizations/"+account.Login+action, title+" for "+account.Login
	}
	v.render(status, title, manifestForm, model.Object{"Action": action, "Title": title, "ID": id, "Name": name,
		"Fault": fault})
}

// createApp registers the App and sends the browser back.
func (v *view) createApp() {
	id, name := v.r.FormValue("id"), v.r.FormValue("name")
	r := v.manifests.pages[id]
	if r == nil || r.account != v.account() || v.Clock().Sub(r.begun) >= manifestLife {
		http.NotFound(v.w, v.r)
		return
	}
	if fault := v.checkName(name, r.account); fault != "" {
		v.nameApp(http.StatusUnprocessableEntity, id, name, fault)
		return
	}
	delete(v.manifests.pages, id)
	code, err := v.register(r, name)
	to, parseErr := url.Parse(r.manifest.RedirectURL)
	if err != nil || parseErr != nil {
		http.Error(v.w, "Server Error", http.StatusInternalServerError)
		return
	}
	q := to.Query()
	q.Set("code", code)
	if r.state != "" {
		q.Set("state", r.state)
	}
	to.RawQuery = q.Encode()
	http.Redirect(v.w, v.r, to.String(), http.StatusFound)
}

// installation shows the accounts on which the viewer can install the App: of one that is not public, its owner alone.
func (v *view) installation() {
	if v.vars["slug"] != v.App.Slug {
		http.NotFound(v.w, v.r)
		return
	}
	var accounts []string
	for _, u := range v.State.Users {
		if v.mayManage(u) && (v.App.Public || u == v.App.Owner) {
			accounts = append(accounts, u.Login)
		}
	}
	v.render(http.StatusOK, "Install "+v.App.Name, installForm, model.Object{"Slug": v.App.Slug, "Accounts": accounts})
}

// install installs the App on all repositories of an account.
func (s signIn) install(w http.ResponseWriter, r *http.Request) {
	s.Mu.Lock()
	account, err := s.State.User(r.FormValue("account"))
	v := &view{Server: s.Server, r: r}
	allowed := s.viewer != nil && err == nil && mux.Vars(r)["slug"] == s.App.Slug && v.mayManage(account) &&
		(s.App.Public || account == s.App.Owner)
	s.Mu.Unlock()
	if !allowed {
		http.NotFound(w, r)
		return
	}
	id, err := s.Install(sim.Installation{Owner: account.Login})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = installed.Execute(w, id) // the browser may be gone
}

func (v *view) render(status int, title string, t *template.Template, data any) {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_ = pageHead.Execute(v.w, title) // the browser may be gone
	_ = t.Execute(v.w, data)
}

var (
	pageHead = template.Must(template.New("head").Parse(
		`<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{{.}}</title><h1>{{.}}</h1>`))
	manifestFaults = template.Must(template.New("faults").Parse(`<ul id=faults>{{range .}}<li>{{.}}</li>{{end}}</ul>`))
	manifestForm   = template.Must(template.New("form").Parse(`<form method=post action="{{.Action}}">
{{with .Fault}}<p id=fault>{{.}}</p>{{end}}<input type=hidden name=id value="{{.ID}}">
<label>GitHub App name <input name=name value="{{.Name}}"></label><button id=create>{{.Title}}</button></form>`))
	installForm = template.Must(template.New("install").Parse(`{{$slug := .Slug}}{{range .Accounts}}
<form method=post action="/apps/{{$slug}}/installations"><input type=hidden name=account value="{{.}}">
<button id=install>Install on {{.}}</button></form>{{else}}<p>No account</p>{{end}}`))
	installed = template.Must(template.New("installed").Parse(
		`<!DOCTYPE html><html lang=en><title>Installed</title><h1 id=installed>Installed</h1><p>Installation {{.}}</p>`))
)
