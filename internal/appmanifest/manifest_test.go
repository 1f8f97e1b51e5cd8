package appmanifest

import (
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon"
)

func TestTheProgramHasAppYMLAsItIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../app.yml")
	require.NoError(t, err)
	require.Equal(t, string(text), tenon.AppYML())
	m, err := Read()
	require.NoError(t, err)
	require.Equal(t, "tenon", m.Name)
	require.NotEmpty(t, m.Description)
	require.False(t, m.Public)
	require.Equal(t, "write", m.Permissions["contents"])
	require.Contains(t, m.Events, "issue_comment")
}

func TestAMistakeInAppYMLIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"default_permission: {}", "default_permissions: {checks: wirte}", "- a", ""} {
		_, err := parse(text)
		require.Error(t, err, text)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	m, err := Read()
	require.NoError(t, err)
	require.Empty(t, m.MissingPermissions(m.Permissions))
	require.Empty(t, m.MissingEvents(m.Events))
	granted := maps.Clone(m.Permissions)
	granted["actions"], granted["checks"] = "write", "read"
	delete(granted, "statuses")
	require.Equal(t, []Permission{{"checks", "write"}, {"statuses", "read"}}, m.MissingPermissions(granted),
		"writing includes reading, and not the other way")
	require.Equal(t, "checks: write", m.MissingPermissions(granted)[0].String())
	require.Equal(t, []string{"issue_comment"}, Manifest{Events: []string{"issues", "issue_comment"}}.
		MissingEvents([]string{"issues", "push"}))
	require.Len(t, m.MissingPermissions(nil), len(m.Permissions))
}
