package main

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/register"
)

// screen is a terminal that can be read while a command runs.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// settingUp is `tenon setup` as it runs, before a simulated GitHub of which maria is in front of the browser.
type settingUp struct {
	t           *testing.T
	github      *simhttp.Server
	out, errOut screen
	cancel      context.CancelFunc
	ended       chan error
}

func startSetup(t *testing.T, flags setupFlags) *settingUp {
	t.Helper()
	github, err := simhttp.New(simhttp.Options{Memory: true, Key: sharedKey()})
	require.NoError(t, err)
	require.NoError(t, github.Start())
	t.Cleanup(func() { require.NoError(t, github.Close()) })
	require.NoError(t, github.AddOrg("acme", "maria"))
	require.NoError(t, github.SignIn("maria"))
	flags.github, flags.org, flags.url = github.GitURL(), "acme", "https://tenon.acme.example"
	s := &settingUp{t: t, github: github, ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	t.Cleanup(cancel)
	go func() { s.ended <- setUpLocally(ctx, flags, &s.out, &s.errOut) }()
	return s
}

// link returns the address that was printed.
func (s *settingUp) link() string {
	s.t.Helper()
	var link string
	require.Eventually(s.t, func() bool {
		link = regexp.MustCompile(`http://127\.0\.0\.1:\d+/setup/\S+`).FindString(s.out.String() + s.errOut.String())
		return link != ""
	}, patience, patience/10_000)
	return link
}

// register goes through the pages in a browser.
func (s *settingUp) register() {
	s.t.Helper()
	review := send(s.t, s.link(), url.Values{"account": {"organization"}, "organization": {"acme"},
		"public": {"https://tenon.acme.example"}})
	action, fields := review.form(s.t)
	action, fields = send(s.t, action, fields).form(s.t)
	last := send(s.t, strings.TrimSuffix(s.github.GitURL(), "/")+action, fields)
	require.Equal(s.t, 200, last.status, last.text)
	require.NoError(s.t, <-s.ended)
}

func TestSetupWritesTheSettingsAndSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "etc")
	s := startSetup(t, setupFlags{dir: dir})
	s.register()
	said := s.out.String()
	require.Contains(t, said, "✓ tenon-acme is registered")
	require.Contains(t, said, s.github.GitURL()+"apps/tenon-acme/installations/new")
	require.Contains(t, said, "tenon serve --config "+filepath.Join(dir, "tenon.yaml"))
	require.Contains(t, said, "nobody has installed", "the doctor looked at the new App")
	require.NotContains(t, said+s.errOut.String(), s.github.WebhookSecret())
	require.NotContains(t, said, "PRIVATE KEY")
	key, err := os.ReadFile(filepath.Join(dir, "tenon.private-key.pem"))
	require.NoError(t, err)
	require.Equal(t, string(s.github.PrivateKeyPEM()), string(key))
	settings, err := os.ReadFile(filepath.Join(dir, "tenon.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(settings), "github_url: \""+s.github.GitURL()+"\"")

	again := startSetup(t, setupFlags{dir: dir})
	require.ErrorContains(t, <-again.ended, "is not overwritten")
}

func TestSetupPrintsTheSettingsAlone(t *testing.T) {
	t.Parallel()
	s := startSetup(t, setupFlags{print: true, dir: "."})
	s.register()
	require.True(t, strings.HasPrefix(s.out.String(), "# yaml-language-server"), s.out.String())
	require.Contains(t, s.out.String(), "webhook_secret: \""+s.github.WebhookSecret())
	require.Contains(t, s.out.String(), "  -----BEGIN RSA PRIVATE KEY-----\n")
	require.NotContains(t, s.errOut.String(), s.github.WebhookSecret())
	require.Contains(t, s.errOut.String(), "installations/new")
}

func TestSetupThatIsStoppedWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startSetup(t, setupFlags{dir: dir})
	require.Equal(t, 200, open(t, get(t, s.link())).status)
	require.Equal(t, 404, open(t, get(t, s.link()+"x")).status)
	req := get(t, s.link())
	req.Host = "tenon.acme.example"
	require.Equal(t, 421, open(t, req).status, "a name that another site makes lead here")
	s.cancel()
	require.EqualError(t, <-s.ended, "stopped: no App was registered, and nothing was written")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestWhatGitHubNamesTheAppCannotMoveTheCursor(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[2Jacme\a"
	var out strings.Builder
	site, err := config.SiteAt("https://github.example.com")
	require.NoError(t, err)
	printNext(&out, register.Registered{Site: site, App: register.App{ID: 1, Name: evil, Owner: evil,
		URL: site.Web + evil}}, register.Files{}, setupFlags{dir: "."})
	require.Equal(t, 3, strings.Count(out.String(), `\x1b[2Jacme\x07`), out.String())
	require.NotContains(t, out.String(), "\x1b")
}
