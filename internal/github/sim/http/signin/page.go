package signin

import (
	"html/template"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// view is a request for a page; the server's lock is held.
type view struct {
	*Flows
	w    http.ResponseWriter
	r    *http.Request
	vars map[string]string
}

// maxForm bounds the body of a request, in bytes.
const maxForm = 64 << 20

// page handles a request for a page of somebody who is signed in.
func (s *Flows) page(w http.ResponseWriter, r *http.Request, show func(*view)) {
	entry := s.watch.Begin(r, "page")
	s.watch.Pass(traffic.BeforeEffect, r)
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	defer s.watch.End(entry, http.StatusOK)
	if s.viewer == nil {
		http.Redirect(w, r, "/login", http.StatusFound)
		return
	}
	show(&view{Flows: s, w: w, r: r, vars: mux.Vars(r)})
}

func (v *view) render(status int, title string, t *template.Template, data any) {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_ = pageHead.Execute(v.w, title) // the browser may be gone
	_ = t.Execute(v.w, data)
}

// account returns the account of the path: the viewer's own, or an organisation of which the viewer is an owner; nil if
// there is none.
func (v *view) account() *entity.User {
	name := v.vars["account"]
	if name == "" {
		return v.viewer
	}
	org, err := v.State.User(name)
	if err != nil || org.Kind != entity.UserOrg || !v.mayManage(org) {
		return nil
	}
	return org
}

// mayManage reports whether the Apps of an account are the viewer's business.
func (v *view) mayManage(account *entity.User) bool {
	return account == v.viewer || account.Owners[strings.ToLower(v.viewer.Login)]
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
