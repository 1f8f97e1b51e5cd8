package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestTheErrorSaysOfWhichKindAProblemIs(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		env  map[string]string
		file string
	}{
		"the settings are incomplete:\n  TENON_APP_ID: is not set; ": {env: app("TENON_APP_ID", "")},
		"settings have wrong values:\n  TENON_LISTEN: ":              {env: app("TENON_LISTEN", "8080")},
		"there are no such settings:\n  TENON_LISTNE: ":              {env: app("TENON_LISTNE", "x")},
		"the server file is not valid YAML:\n  tenon.yaml:2: ":       {env: app(), file: "a: 1\nlisten: 'it's'\n\n# end\n"},
		"the server file cannot be read:\n  gone.yaml: there is no ": {env: app("TENON_CONFIG", "gone.yaml")},
	} {
		files := map[string]string{}
		if c.file != "" {
			files["tenon.yaml"] = c.file
		}
		_, err := config.Load(source(c.env, files))
		require.ErrorContains(t, err, want)
		require.Len(t, problems(t, err), 1)
	}

	_, err := config.Load(source(map[string]string{"TENON_APP_ID": "Iv1.x", "TENON_APPSLUG": "x"},
		map[string]string{"tenon.yaml": "listne: :1\nconnections: 3\n"}))
	require.EqualError(t, err, "there are no such settings:\n"+
		"  tenon.yaml:1: there is no setting `listne`; did you mean `listen`?\n"+
		"  TENON_APPSLUG: is not a setting of tenon; did you mean TENON_APP_SLUG?\n"+
		"settings have wrong values:\n"+
		"  TENON_APP_ID: is not a number; it is the number called App ID on the page of your GitHub App "+
		"(not the Client ID)\n"+
		"  connections (tenon.yaml:2): \"3\" is not a whole number from 16 to 100000\n"+
		"the settings are incomplete:\n"+
		"  TENON_PRIVATE_KEY: is not set; generate a private key on the page of your GitHub App and set its text here, "+
		"or its path as TENON_PRIVATE_KEY_FILE\n"+
		"  TENON_WEBHOOK_SECRET: is not set; give it the webhook secret of your GitHub App, or choose one and set it "+
		"there too")
}

// What is in the file that cannot be read may be all that seems to be missing.
func TestNothingIsMissingWhileTheServerFileCannotBeRead(t *testing.T) {
	t.Parallel()
	_, err := config.Load(source(map[string]string{"TENON_LISTEN": "x"}, map[string]string{"tenon.yaml": "a: [\n"}))
	p := problems(t, err)
	require.Len(t, p, 2)
	require.Equal(t, "tenon.yaml:1", p[0].Name)
	require.Equal(t, "TENON_LISTEN", p[1].Name)
}

func TestTheAddressesOfTwoGitHubsAreNotMixed(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"TENON_GITHUB_API_URL", "TENON_GITHUB_GIT_URL"} {
		_, err := config.Load(source(app(set, "https://ghe.example/"), nil))
		p := problems(t, err)
		require.Len(t, p, 1)
		require.Equal(t, "TENON_GITHUB_URL", p[0].Name)
		require.Contains(t, p[0].Text, "is not set, but "+set+" is")
	}
	for _, pairs := range [][]string{{"TENON_GITHUB_API_URL", "https://api.github.com"},
		{"TENON_GITHUB_URL", "https://ghe.example"},
		{"TENON_GITHUB_URL", "https://ghe.example", "TENON_GITHUB_API_URL", "https://api.ghe.example/v3"}} {
		_, err := config.Load(source(app(pairs...), nil))
		require.NoError(t, err)
	}
}
