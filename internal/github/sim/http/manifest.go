package simhttp

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// manifestLife: "You must complete all three steps in the GitHub App Manifest flow within one hour."
const manifestLife = time.Hour

// maxAppName: "Your app name cannot be longer than 34 characters."
const maxAppName = 34

// manifest has the parameters of GitHub's page.
type manifest struct {
	Name               string            `json:"name"`
	URL                string            `json:"url"`
	HookAttributes     *manifestHook     `json:"hook_attributes"`
	RedirectURL        string            `json:"redirect_url"`
	CallbackURLs       []string          `json:"callback_urls"`
	SetupURL           string            `json:"setup_url"`
	Description        string            `json:"description"`
	Public             bool              `json:"public"`
	DefaultEvents      []string          `json:"default_events"`
	DefaultPermissions map[string]string `json:"default_permissions"`
	OAuthOnInstall     bool              `json:"request_oauth_on_install"`
	SetupOnUpdate      bool              `json:"setup_on_update"`
}

type manifestHook struct {
	URL    string `json:"url"`
	Active *bool  `json:"active"`
}

// registering is a manifest on its way through the flow.
type registering struct {
	manifest manifest
	account  *model.User
	state    string
	begun    time.Time
	app      *model.App // set when the person has pressed the button
}

// manifests are those on their way: by what the page of GitHub calls them, and then by their code.
type manifests struct{ pages, codes map[string]*registering }

// permissionLevels are the permissions of repositories that a manifest can ask for, with the highest level of each.
var permissionLevels = map[string]string{"actions": "write", "administration": "write", "checks": "write",
	"contents": "write", "deployments": "write", "environments": "write", "issues": "write", "metadata": "read",
	"packages": "write", "pages": "write", "pull_requests": "write", "secrets": "write", "security_events": "write",
	"statuses": "write", "workflows": "write", "members": "write"}

// eventPermissions are the permissions of which an App needs one to subscribe to an event: "To subscribe to this event,
// a GitHub App must have at least read-level access for …" ("Webhook events and payloads").
var eventPermissions = map[string][]string{
	"check_run": {"checks"}, "check_suite": {"checks"}, "create": {"contents"}, "delete": {"contents"},
	"issue_comment": {"issues", "pull_requests"}, "issues": {"issues"}, "label": {"issues", "pull_requests", "metadata"},
	"pull_request": {"pull_requests"}, "pull_request_review": {"pull_requests"},
	"pull_request_review_comment": {"pull_requests"}, "pull_request_review_thread": {"pull_requests"},
	"push": {"contents"}, "repository": {"metadata"}, "status": {"statuses"}, "workflow_job": {"actions"},
	"workflow_run": {"actions"}}

// parseManifest returns a manifest, and what GitHub says is wrong with it.
func parseManifest(text string) (m manifest, faults []string) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, []string{"The configuration does not appear to be a valid GitHub App manifest: " + err.Error()}
	}
	if !isWebURL(m.URL) {
		faults = append(faults, "Url can't be blank and must be a valid URL")
	}
	if m.HookAttributes != nil && !isWebURL(m.HookAttributes.URL) {
		faults = append(faults, "Hook url must be a valid URL")
	}
	if !isWebURL(m.RedirectURL) {
		faults = append(faults, "Redirect url must be a valid URL")
	}
	if slices.ContainsFunc(m.CallbackURLs, func(u string) bool { return !isWebURL(u) }) {
		faults = append(faults, "Callback urls must be valid URLs")
	}
	for _, name := range slices.Sorted(maps.Keys(m.DefaultPermissions)) {
		level, highest := m.DefaultPermissions[name], permissionLevels[name]
		if highest == "" || level != "read" && (level != "write" || highest != "write") {
			faults = append(faults, fmt.Sprintf("Default permission records resource is not included in the list: %s: %s",
				name, level))
		}
	}
	for _, event := range m.DefaultEvents {
		need := eventPermissions[event]
		has := func(name string) bool { return m.DefaultPermissions[name] != "" || name == "metadata" }
		if !slices.ContainsFunc(need, has) {
			faults = append(faults, "Default events are not supported by permissions: "+event)
		}
	}
	return m, faults
}

func isWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf returns the name of an App as in URLs.
func slugOf(name string) string {
	return strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// checkName returns what GitHub says is wrong with the name of a new App, "" if nothing is. Names of other accounts are
// not to be had either.
func (s signIn) checkName(name string, account *model.User) string {
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
func (s signIn) register(r *registering, name string) (code string, err error) {
	key := s.opts.Key
	if key == nil {
		if key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return "", fmt.Errorf("making the App's key: %w", err)
		}
	}
	m := r.manifest
	permissions := maps.Clone(m.DefaultPermissions)
	if permissions == nil {
		permissions = map[string]string{}
	}
	permissions["metadata"] = "read" // every App has it
	s.Registered++
	r.app = &model.App{ID: s.App.ID + s.Registered, Slug: slugOf(name), Name: name, Key: key, Secret: randomHex(20),
		Permissions: permissions, Events: slices.Clone(m.DefaultEvents), Owner: r.account, Created: s.Now(),
		Public: m.Public, ClientID: newClientID(), ClientSecret: randomHex(20), Callbacks: slices.Clone(m.CallbackURLs)}
	r.app.Bot = s.State.NewUser(r.app.Slug+"[bot]", sim.UserBot, s.Now())
	s.App, s.hook.url = r.app, ""
	if h := m.HookAttributes; h != nil && (h.Active == nil || *h.Active) {
		s.hook.url = h.URL
	}
	code = randomHex(20)
	s.manifests.codes[code] = r
	return code, nil
}

// convertManifest exchanges a code for the App's credentials, once. Nobody has credentials before: the code is enough.
func convertManifest(c *call) (*answer, error) {
	r := c.manifests.codes[c.vars["code"]]
	delete(c.manifests.codes, c.vars["code"])
	if r == nil || c.Clock().Sub(r.begun) >= manifestLife {
		return nil, notFound()
	}
	o := c.jsonOf(r.app)
	o["client_id"], o["client_secret"] = r.app.ClientID, r.app.ClientSecret
	o["webhook_secret"], o["pem"] = stringOrNull(r.app.Secret), string(r.app.KeyPEM())
	if r.manifest.HookAttributes == nil {
		o["webhook_secret"] = nil
	}
	return &answer{status: http.StatusCreated, body: o}, nil
}
