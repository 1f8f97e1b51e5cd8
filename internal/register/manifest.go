package register

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/tenon-bot/tenon/internal/appmanifest"
)

// manifest is what GitHub's page expects in the field of that name.
type manifest struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"`
	Description string            `json:"description"`
	Hook        hookAttributes    `json:"hook_attributes"`
	RedirectURL string            `json:"redirect_url"`
	Callbacks   []string          `json:"callback_urls,omitempty"`
	Public      bool              `json:"public"`
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

// hookAttributes has all that GitHub takes: content of Apps' webhooks is JSON without being asked for.
type hookAttributes struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
}

// manifestJSON returns the manifest of an App that asks for what app.yml says.
func manifestJSON(app appmanifest.Manifest, name, hook, redirect string) (string, error) {
	data, err := json.Marshal(manifest{Name: name, URL: app.URL, Description: app.Description,
		Hook: hookAttributes{URL: hook, Active: true}, RedirectURL: redirect,
		Callbacks: callbacks(hook), Public: app.Public,
		Permissions: app.Permissions, Events: app.Events})
	if err != nil {
		return "", fmt.Errorf("writing the manifest: %w", err)
	}
	return string(data), nil
}

// signInPath is where the pages have people come back who sign in with GitHub.
const signInPath = "/auth/callback"

// callbacks returns where people sign in on the pages of the server with a webhook.
func callbacks(hook string) []string {
	if origin := originOf(hook); origin != "" {
		return []string{origin + signInPath}
	}
	return nil
}

// originOf returns the scheme and the host of a URL; empty for what is none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
