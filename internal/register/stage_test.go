package register_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/register"
)

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return key
})

// stage is a page, the simulated GitHub, and a person's browser.
type stage struct {
	t      *testing.T
	github *simhttp.Server
	page   *register.Page
	server *httptest.Server
	links  []string // as announced
	saved  []register.Registered
	log    bytes.Buffer

	mu      sync.Mutex
	now     time.Time
	convert error // what the next exchange of a code comes to
	save    error // what the next saving comes to
}

// Probe and Convert are GitHub's part, by the real client.
func (s *stage) Probe(ctx context.Context, site config.Site) error {
	return gh.ProbeAPI(ctx, site.API, nil)
}

func (s *stage) Convert(ctx context.Context, site config.Site, code string) (register.App, error) {
	if err := s.convert; err != nil {
		s.convert = nil
		return register.App{}, err
	}
	app, err := gh.ConvertManifest(ctx, site.API, code, nil)
	if errors.Is(err, port.ErrNotFound) {
		return register.App{}, register.ErrCode
	}
	return register.App{ID: app.ID, Slug: app.Slug, Name: app.Name, Owner: app.Owner, URL: app.URL,
		PrivateKey: config.NewSecret(app.PrivateKey), WebhookSecret: config.NewSecret(app.WebhookSecret),
		ClientID: app.ClientID, ClientSecret: config.NewSecret(app.ClientSecret)}, err
}

func (s *stage) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stage) forward(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// newStage has maria, an owner of acme, before the page.
func newStage(t *testing.T, options ...func(*register.Options)) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Now()}
	var err error
	s.github, err = simhttp.New(simhttp.Options{Memory: true, Key: sharedKey()})
	require.NoError(t, err)
	require.NoError(t, s.github.Start())
	t.Cleanup(func() { require.NoError(t, s.github.Close()) })
	require.NoError(t, s.github.AddOrg("acme", "maria"))
	require.NoError(t, s.github.SignIn("maria"))
	opts := register.Options{GitHub: s, Now: s.clock, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Lookup:   func(context.Context, string) ([]netip.Addr, error) { return nil, nil },
		Announce: func(path string) { s.links = append(s.links, path) },
		Save: func(r register.Registered) error {
			if err := s.save; err != nil {
				s.save = nil
				return err
			}
			s.saved = append(s.saved, r)
			return nil
		},
		Elsewhere: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }),
	}
	for _, o := range options {
		o(&opts)
	}
	s.page, err = register.New(opts)
	require.NoError(t, err)
	s.server = httptest.NewServer(s.page)
	t.Cleanup(s.server.Close)
	return s
}

func (s *stage) link() string { return s.server.URL + s.links[len(s.links)-1] }

// shown is a page as a browser got it.
type shown struct {
	status int
	text   string
	header http.Header
}

// get opens a page, following redirects.
func (s *stage) get(address string) shown {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodGet, address, nil)
	require.NoError(s.t, err)
	return s.do(http.DefaultClient, req)
}

func (s *stage) do(client *http.Client, req *http.Request) shown {
	s.t.Helper()
	resp, err := client.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return shown{resp.StatusCode, string(text), resp.Header}
}

// post sends a form as a browser does from a page of the same origin.
func (s *stage) post(address string, fields url.Values) shown {
	s.t.Helper()
	u, err := url.Parse(address)
	require.NoError(s.t, err)
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(fields.Encode()))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", u.Scheme+"://"+u.Host)
	return s.do(http.DefaultClient, req)
}

// fields are those of an App of acme.
func (s *stage) fields() url.Values {
	return url.Values{"github": {s.github.GitURL()}, "account": {"organization"}, "organization": {"acme"},
		"public": {"https://tenon.acme.com"}}
}

// form returns the action and the hidden fields of the form of a page that goes elsewhere.
func (p shown) form(t *testing.T) (action string, fields url.Values) {
	t.Helper()
	m := regexp.MustCompile(`<form method="?post"? action="([^"]+)">`).FindStringSubmatch(p.text)
	require.NotNil(t, m, p.text)
	fields = url.Values{}
	_, rest, _ := strings.Cut(p.text, m[0])
	rest, _, _ = strings.Cut(rest, "</form>")
	for _, f := range regexp.MustCompile(`name="?(\w+)"? value="([^"]*)"`).FindAllStringSubmatch(rest, -1) {
		fields.Set(f[1], html.UnescapeString(f[2]))
	}
	return html.UnescapeString(m[1]), fields
}

// toGitHub sends a form of the page and continues to the page of GitHub, on which the App is named.
func (s *stage) toGitHub(fields url.Values) shown {
	s.t.Helper()
	review := s.post(s.link(), fields)
	require.Equal(s.t, 200, review.status, review.text)
	action, hidden := review.form(s.t)
	return s.post(action, hidden)
}

// press presses GitHub's button, and returns the address to which GitHub sends the browser.
func (s *stage) press(page shown) string {
	s.t.Helper()
	action, hidden := page.form(s.t)
	req, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(s.github.GitURL(), "/")+action,
		strings.NewReader(hidden.Encode()))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer := s.do(&http.Client{CheckRedirect: stay}, req)
	require.Equal(s.t, http.StatusFound, answer.status, answer.text)
	return answer.header.Get("Location")
}

func (s *stage) isDone() bool {
	select {
	case <-s.page.Done():
		return true
	default:
		return false
	}
}
