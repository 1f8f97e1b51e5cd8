package main

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fresh is a stage whose server has no App yet. maria is in front of the browser.
func fresh(t *testing.T, replies ...string) *stage {
	t.Helper()
	s := newStage(t, replies...)
	require.NoError(t, s.github.Uninstall("acme"))
	require.NoError(t, s.github.SignIn("maria"))
	s.unregistered, s.data = true, t.TempDir() // where a database is, there was an App
	return s
}

// setupLink returns the link in the server's log.
func (s *stage) setupLink() string {
	s.t.Helper()
	for line := range strings.Lines(s.log.all()) {
		var entry struct{ URL string }
		if json.Unmarshal([]byte(line), &entry) == nil && strings.Contains(entry.URL, "/setup/") {
			return entry.URL
		}
	}
	require.FailNow(s.t, "no link in the log", s.log.all())
	return ""
}

// webPage is what a browser shows.
type webPage struct {
	status int
	text   string
}

func open(t *testing.T, req *http.Request) webPage {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return webPage{resp.StatusCode, string(text)}
}

// send sends a form of a page, which goes to the page's own address where it names none.
func send(t *testing.T, address string, fields url.Values) webPage {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(fields.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return open(t, req)
}

// form returns where the first form with an address goes, and its fields.
func (p webPage) form(t *testing.T) (action string, fields url.Values) {
	t.Helper()
	m := regexp.MustCompile(`(?s)<form method="?post"? action="([^"]+)">(.*?)</form>`).FindStringSubmatch(p.text)
	require.NotNil(t, m, p.text)
	fields = url.Values{}
	for _, f := range regexp.MustCompile(`name="?(\w+)"? value="([^"]*)"`).FindAllStringSubmatch(m[2], -1) {
		fields.Set(f[1], html.UnescapeString(f[2]))
	}
	return html.UnescapeString(m[1]), fields
}

func TestAFreshServerIsSetUpOnItsPageAndGoesOnWithoutARestart(t *testing.T) {
	t.Parallel()
	s := fresh(t, goodReply)
	s.start()
	for path, want := range map[string]int{"/": 503, "/webhook": 503, "/readyz": 503, "/setup/": 503, "/healthz": 200} {
		status, text := s.get(path)
		require.Equal(t, want, status, path)
		if want == 503 {
			require.Contains(t, text, "tenon is not set up")
		}
	}
	link, hook := s.setupLink(), s.github.HookURL()
	review := send(t, link, url.Values{"account": {"organization"}, "organization": {"acme"},
		"public": {strings.TrimSuffix(hook, "/webhook")}})
	require.Contains(t, review.text, "the machine that GitHub runs on", "a loopback address is suspicious")
	action, fields := review.form(t)
	action, fields = send(t, action, fields).form(t)
	last := send(t, strings.TrimSuffix(s.github.GitURL(), "/")+action, fields)
	require.Equal(t, 200, last.status, last.text)
	require.Contains(t, last.text, s.github.GitURL()+"apps/tenon-acme/installations/new")

	s.until("the server to be ready", func() bool {
		status, _ := s.get("/readyz")
		return status == http.StatusOK
	})
	require.Equal(t, hook, s.github.HookURL(), "the address is still the same")
	require.Equal(t, 404, send(t, link, nil).status, "the link is gone")
	installed := send(t, s.github.GitURL()+"apps/tenon-acme/installations", url.Values{"account": {"acme"}})
	require.Equal(t, 200, installed.status)
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.NotContains(t, s.log.all(), s.github.WebhookSecret())

	for _, name := range []string{"tenon.yaml", "tenon.private-key.pem"} {
		info, err := os.Stat(filepath.Join(s.data, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	s.stop()
	s.start()
	s.comment("maria", "@tenon-acme help")
	s.until("help after a restart", func() bool { return len(s.answers()) == 2 })

	require.NoError(t, os.Remove(filepath.Join(s.data, "tenon.yaml")))
	s.stop()
	_, err := s.serveOnce()
	require.ErrorContains(t, err, "TENON_APP_ID: is not set", "a server that has a database has an App")
}

func get(t *testing.T, address string) *http.Request {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, address, nil)
	require.NoError(t, err)
	return req
}
