package signin

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Routes adds the pages for a browser to a router, whose servers flows finds: those of the manifest flow, of an
// installation and of an authorisation.
func Routes(r *mux.Router, flows func(*http.Request) *Flows) {
	page := func(show func(*view)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { flows(r).page(w, r, show) }
	}
	for _, below := range []string{"/settings/apps", "/organizations/{account}/settings/apps"} {
		r.Methods(http.MethodPost).Path(below + "/new").HandlerFunc(page((*view).manifest))
		r.Methods(http.MethodPost).Path(below).HandlerFunc(page((*view).createApp))
	}
	r.Methods(http.MethodGet).Path("/login/oauth/authorize").HandlerFunc(page((*view).authorize))
	r.Methods(http.MethodPost).Path("/login/oauth/authorize").HandlerFunc(page((*view).authorized))
	for _, below := range []string{"/apps/{slug}", "/github-apps/{slug}"} {
		r.Methods(http.MethodGet).Path(below + "/installations/new").HandlerFunc(page((*view).installation))
		r.Methods(http.MethodPost).Path(below + "/installations").HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) { flows(r).install(w, r) })
	}
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
	v.render(http.StatusOK, "Install "+v.App.Name, installForm, entity.Object{"Slug": v.App.Slug, "Accounts": accounts})
}

// install installs the App on all repositories of an account.
func (s *Flows) install(w http.ResponseWriter, r *http.Request) {
	s.Mu.Lock()
	account, err := s.State.User(r.FormValue("account"))
	v := &view{Flows: s, r: r}
	allowed := s.viewer != nil && err == nil && mux.Vars(r)["slug"] == s.App.Slug && v.mayManage(account) &&
		(s.App.Public || account == s.App.Owner)
	s.Mu.Unlock()
	if !allowed {
		http.NotFound(w, r)
		return
	}
	id, err := s.acts.Install(sim.Installation{Owner: account.Login})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = installed.Execute(w, id) // the browser may be gone
}
