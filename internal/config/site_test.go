package config

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheURLsOfGitHubFollowFromItsAddress(t *testing.T) {
	t.Parallel()
	enterprise := Site{Web: "https://ghe.acme.com/", API: "https://ghe.acme.com/api/v3/", Git: "https://ghe.acme.com/"}
	residency := Site{Web: "https://acme.ghe.com/", API: "https://api.acme.ghe.com/", Git: "https://acme.ghe.com/"}
	for text, want := range map[string]Site{
		"https://github.com":          gitHubCom,
		"https://github.com/":         gitHubCom,
		"https://www.github.com/":     gitHubCom,
		"https://api.github.com":      gitHubCom,
		"https://GHE.acme.com":        enterprise,
		"https://ghe.acme.com/api/v3": enterprise,
		"https://acme.ghe.com":        residency,
		"https://api.acme.ghe.com":    residency,
		"http://[::1]:8443": {Web: "http://[::1]:8443/", API: "http://[::1]:8443/api/v3/",
			Git: "http://[::1]:8443/"},
	} {
		got, err := SiteAt(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"ghe.acme.com":              "is not a URL",
		"https://ghe.acme.com/acme": "has a path",
		"https://u:p@ghe.acme.com/": "user name or password",
		"ftp://ghe.acme.com/":       "is not a URL",
	} {
		_, err := SiteAt(text)
		require.ErrorContains(t, err, want, text)
	}
	require.True(t, gitHubCom.IsCloud())
	require.True(t, residency.IsCloud())
	require.False(t, enterprise.IsCloud())
	require.Equal(t, "ghe.acme.com", enterprise.Host())
}

func TestTheAddressOfGitHubSetsBothURLsUnlessTheyAreSet(t *testing.T) {
	t.Parallel()
	read := func(pairs ...string) Server {
		env := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			env[pairs[i]] = pairs[i+1]
		}
		s, registered, err := LoadUnregistered(Source{Getenv: func(name string) string { return env[name] },
			ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist }})
		require.NoError(t, err)
		require.False(t, registered)
		return s
	}
	require.Equal(t, gitHubCom, read().GitHub)
	require.Equal(t, gitHubCom.API, read().GitHubAPI)
	s := read("TENON_GITHUB_URL", "https://ghe.acme.com", "TENON_GITHUB_GIT_URL", "https://git.acme.com/")
	require.Equal(t, "https://ghe.acme.com/api/v3/", s.GitHubAPI)
	require.Equal(t, "https://git.acme.com/", s.GitHubGit)
}

func TestOfAnAppAllIsNeededOrNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"TENON_APP_ID", "TENON_PRIVATE_KEY_FILE", "TENON_WEBHOOK_SECRET"} {
		_, registered, err := LoadUnregistered(Source{ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
			Getenv: func(asked string) string {
				if asked == name {
					return "1"
				}
				return ""
			}})
		require.True(t, registered, name)
		require.Error(t, err, name)
	}
}
