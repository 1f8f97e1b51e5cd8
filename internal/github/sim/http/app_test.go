package simhttp_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// The App of the fake GitHub asks for what app.yml asks for, so that tests do not rely on more.
func TestTheAppIsThatOfAppYML(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../../app.yml")
	require.NoError(t, err)
	var manifest struct {
		Permissions map[string]string `yaml:"default_permissions"`
		Events      []string          `yaml:"default_events"`
	}
	require.NoError(t, yaml.Unmarshal(data, &manifest))
	w := newWorld(t)
	app := w.call("GET", "app", w.jwt(nil), "").object()
	got := map[string]string{}
	for name, level := range app["permissions"].(map[string]any) {
		got[name] = level.(string)
	}
	require.Equal(t, manifest.Permissions, got)
	var events []string
	for _, event := range app["events"].([]any) {
		events = append(events, event.(string))
	}
	slices.Sort(events)
	slices.Sort(manifest.Events)
	require.Equal(t, manifest.Events, events)
}
