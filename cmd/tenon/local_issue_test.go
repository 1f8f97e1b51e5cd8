package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestAnIssueIsNamedByItsAddressOrItsNumber(t *testing.T) {
	t.Parallel()
	const https = "https://github.com/acme/lathe.git"
	for _, c := range []struct{ named, remote, want string }{
		{"7", https, "github.com acme/lathe 7"},
		{"#7", "git@github.com:acme/lathe.git", "github.com acme/lathe 7"},
		{"7", "ssh://git@git.acme.example:2222/acme/lathe", "git.acme.example acme/lathe 7"},
		{"7", "ssh://git@ssh.github.com:443/acme/lathe.git", "github.com acme/lathe 7"},
		{"7", "https://user:secret@git.acme.example:8443/acme/my.lathe.git/", "git.acme.example:8443 acme/my.lathe 7"},
		{"other/vise#8", https, "github.com other/vise 8"},
		{"https://git.acme.example/acme/lathe/issues/9#issuecomment-1", "", "git.acme.example acme/lathe 9"},
		{"https://github.com/acme/lathe/pull/9/files", "", "github.com acme/lathe 9"},
	} {
		got, err := placeOfIssue(c.named, c.remote)
		require.NoError(t, err, c.named)
		require.Equal(t, c.want, fmt.Sprintf("%s %s/%s %d", got.host, got.owner, got.name, got.number))
	}
	for named, remote := range map[string]string{
		"7": "", "8": "/srv/git/lathe.git", "0": https, "lathe": https, "-1": https,
		"https://github.com/acme/lathe": https, "ftp://github.com/acme/lathe/issues/7": https,
	} {
		_, err := placeOfIssue(named, remote)
		require.ErrorAs(t, err, new(usageError), named)
	}
}

func TestATokenIsForItsServerOnly(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no gh
	settings := config.Local{Token: config.NewSecret("secret")}
	token, err := personalToken(t.Context(), settings, "github.com")
	require.NoError(t, err)
	require.Equal(t, "secret", token)
	_, err = personalToken(t.Context(), settings, "git.acme.example")
	require.ErrorContains(t, err, "gh auth login --hostname git.acme.example")
	settings.Server = "https://git.acme.example"
	token, err = personalToken(t.Context(), settings, "git.acme.example")
	require.NoError(t, err)
	require.Equal(t, "secret", token)
	_, err = personalToken(t.Context(), settings, "github.com")
	require.Error(t, err)
}

// issueServer is a GitHub with one issue.
func issueServer(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer good" {
			http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
			return
		}
		if r.URL.Path != "/api/v3/repos/acme/lathe/issues/7" {
			http.Error(w, `{"message":"Not Found"}`, http.StatusNotFound)
			return
		}
		_, _ = fmt.Fprint(w, `{"number":7,"state":"open","title":"It greets","user":{"login":"joe","id":3},`+
			`"body":"It should say goodbye in main.go.","html_url":"https://example.com/acme/lathe/issues/7",`+
			`"repository_url":"https://example.com/repos/acme/lathe"}`)
	}))
	t.Cleanup(server.Close)
	return server
}

func TestFixReadsAnIssue(t *testing.T) {
	github := issueServer(t)
	dir, m := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	gitIn(t, dir, "remote", "add", "origin", github.URL+"/acme/lathe.git")
	t.Setenv("GITHUB_SERVER_URL", github.URL)
	t.Setenv("GITHUB_API_URL", github.URL+"/api/v3/")
	t.Setenv("GITHUB_TOKEN", "good")
	code, out, errOut := tenon(t, "", "fix", "--issue", "7")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, m.asked[0], "It should say goodbye in main.go.")
	require.Contains(t, fileText(t, filepath.Join(dir, "main.go")), "goodbye")
	require.Len(t, strings.Fields(gitIn(t, dir, "branch", "--format=%(refname)")), 1, "no branch is made")

	code, out, errOut = tenon(t, "", "ask", "--issue", "7", "why?")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, m.asked[len(m.asked)-1], "It should say goodbye in main.go.")

	code, _, errOut = tenon(t, "", "ask", "--issue", "7")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "there is no question")

	code, _, errOut = tenon(t, "", "fix", "--issue", "8")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "there is no issue 8 of acme/lathe")

	t.Setenv("GITHUB_TOKEN", "bad")
	code, _, errOut = tenon(t, "", "fix", "--issue", "7")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "the token is the one in GITHUB_TOKEN or GH_TOKEN")
}
