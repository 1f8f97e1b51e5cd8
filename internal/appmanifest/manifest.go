// Package appmanifest reads app.yml: how the GitHub App is registered, with which permissions and events. Everything
// that needs to know these, in the program, reads them here.
package appmanifest

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon"
)

// Manifest is what app.yml says.
type Manifest struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	URL         string `yaml:"url"`
	// Public is true if other accounts may install the App.
	Public bool `yaml:"public"`
	// Permissions are the level of each permission by its name, as "write" of "contents".
	Permissions map[string]string `yaml:"default_permissions"`
	// Events are the names of the webhook events to subscribe to.
	Events []string `yaml:"default_events"`
}

// Read returns what the app.yml of this program says. There is no error unless app.yml is damaged, which a test rules
// out.
func Read() (Manifest, error) { return parse(tenon.AppYML()) }

func parse(text string) (m Manifest, err error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("reading app.yml: %w", err)
	}
	for name, level := range m.Permissions {
		if rank(level) == 0 {
			return Manifest{}, fmt.Errorf("reading app.yml: the permission %s has no level %q", name, level)
		}
	}
	return m, nil
}

// Permission is a permission and a level of it.
type Permission struct{ Name, Level string }

// String returns the permission as app.yml has it, as in "checks: write".
func (p Permission) String() string { return p.Name + ": " + p.Level }

// MissingPermissions returns the permissions of the manifest that are not among those granted, or at a lower level, by
// name. A higher level includes a lower one.
func (m Manifest) MissingPermissions(granted map[string]string) (missing []Permission) {
	for name, level := range m.Permissions {
		if rank(granted[name]) < rank(level) {
			missing = append(missing, Permission{name, level})
		}
	}
	slices.SortFunc(missing, func(a, b Permission) int { return strings.Compare(a.Name, b.Name) })
	return missing
}

// MissingEvents returns the events of the manifest that are not among those subscribed to, in the manifest's order.
func (m Manifest) MissingEvents(subscribed []string) (missing []string) {
	for _, event := range m.Events {
		if !slices.Contains(subscribed, event) {
			missing = append(missing, event)
		}
	}
	return missing
}

// rank orders the levels of permissions; it is 0 for what is none.
func rank(level string) int {
	return 1 + slices.Index([]string{"read", "write", "admin"}, level)
}
