package signin

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// manifestLife: "You must complete all three steps in the GitHub App Manifest flow within one hour."
const manifestLife = time.Hour

// checkName returns what GitHub says is wrong with the name of a new App, "" if nothing is. Names of other accounts are
// not to be had either.
func (s *Flows) checkName(name string, account *entity.User) string {
	slug := slugOf(name)
	other, err := s.State.User(slug)
	switch {
	case strings.TrimSpace(name) == "" || slug == "":
		return "Name can't be blank"
	case len([]rune(name)) > maxAppName:
		return "Name is too long (maximum is 34 characters)"
	case s.App.Slug == slug || err == nil && other != account:
		return "Name is already taken"
	}
	return ""
}

// register makes the App of a manifest, with a name that was checked, and returns its code.
func (s *Flows) register(r *registering, name string) (code string, err error) {
	key, err := orNewKey(s.key)
	if err != nil {
		return "", err
	}
	m := r.manifest
	permissions := maps.Clone(m.DefaultPermissions)
	if permissions == nil {
		permissions = map[string]string{}
	}
	permissions["metadata"] = "read" // every App has it
	s.Registered++
	r.app = &entity.App{ID: s.App.ID + s.Registered, Slug: slugOf(name), Name: name, Key: key, Secret: randomHex(20),
		Permissions: permissions, Events: slices.Clone(m.DefaultEvents), Owner: r.account, Created: s.Now(),
		Public: m.Public, ClientID: newClientID(), ClientSecret: randomHex(20), Callbacks: slices.Clone(m.CallbackURLs)}
	r.app.Bot = s.State.NewUser(r.app.Slug+"[bot]", entity.UserBot, s.Now())
	s.App = r.app
	s.hook.SetURL("")
	if h := m.HookAttributes; h != nil && (h.Active == nil || *h.Active) {
		s.hook.SetURL(h.URL)
	}
	code = randomHex(20)
	s.manifests.codes[code] = r
	return code, nil
}

// Convert exchanges a code for the App, once, and reports whether its manifest had a webhook. The App is nil for a code
// that is not valid. Nobody has credentials before: the code is enough. The caller holds the lock.
func (s *Flows) Convert(code string) (app *entity.App, hasHook bool) {
	r := s.manifests.codes[code]
	delete(s.manifests.codes, code)
	if r == nil || s.Clock().Sub(r.begun) >= manifestLife {
		return nil, false
	}
	return r.app, r.manifest.HookAttributes != nil
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
	if account.Kind == entity.UserOrg {
		action, title = "/organizations/"+account.Login+action, title+" for "+account.Login
	}
	v.render(status, title, manifestForm, entity.Object{"Action": action, "Title": title, "ID": id, "Name": name,
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
