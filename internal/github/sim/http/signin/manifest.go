package signin

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

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

// manifestHook has the parameters of the App's webhook.
type manifestHook struct {
	URL    string `json:"url"`
	Active *bool  `json:"active"`
}

// maxAppName: "Your app name cannot be longer than 34 characters."
const maxAppName = 34

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
	"workflow_run": {"actions"},
}

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
