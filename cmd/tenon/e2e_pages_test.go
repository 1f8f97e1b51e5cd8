package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withPages starts the server with its pages, behind a proxy, as most servers are. It returns their address.
func (s *stage) withPages(env ...string) string {
	s.t.Helper()
	return s.withPagesBy(s.start, env...)
}

// withPagesBy is withPages for a way to start the server.
func (s *stage) withPagesBy(start func(), env ...string) string {
	s.t.Helper()
	var server *url.URL
	proxy := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(server)
		p.Out.Host = p.In.Host
	}})
	s.t.Cleanup(proxy.Close)
	s.github.SetCallbackURLs(proxy.URL + "/auth/callback")
	s.env = append(s.env, append([]string{"TENON_PUBLIC_URL=" + proxy.URL, "TENON_CLIENT_ID=" + s.github.ClientID(),
		"TENON_CLIENT_SECRET=" + s.github.ClientSecret()}, env...)...)
	start()
	server = s.serverURL()
	return proxy.URL
}

// serverURL is where the server listens.
func (s *stage) serverURL() *url.URL {
	s.t.Helper()
	at := regexp.MustCompile(`"msg":"listening","address":"([^"]+)"`).FindStringSubmatch(s.log.all())
	require.NotNil(s.t, at)
	return &url.URL{Scheme: "http", Host: at[1]}
}

// guest is somebody's browser on the pages.
type guest struct {
	s     *stage
	pages string
	jar   http.CookieJar
}

// guest returns a browser in which nobody has signed in.
func (s *stage) guest(pages string) *guest {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.t, err)
	return &guest{s, pages, jar}
}

func (g *guest) do(method, address string, form url.Values) (webPage, http.Header) {
	g.s.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = g.pages + address
	}
	req, err := http.NewRequestWithContext(g.s.t.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(g.s.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := (&http.Client{Jar: g.jar}).Do(req)
	require.NoError(g.s.t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(g.s.t, err)
	return webPage{resp.StatusCode, string(text)}, resp.Header
}

func (g *guest) open(path string) webPage {
	g.s.t.Helper()
	page, _ := g.do(http.MethodGet, path, nil)
	return page
}

// as signs somebody in who authorises the App for the first time, on the way to a page.
func (g *guest) as(login, path string) webPage {
	g.s.t.Helper()
	require.NoError(g.s.t, g.s.github.SignIn(login))
	page := g.open(path)
	require.Contains(g.s.t, page.text, "Authorize tenon")
	to, form := page.form(g.s.t)
	form.Set("authorize", "1")
	page, _ = g.do(http.MethodPost, strings.TrimSuffix(g.s.github.GitURL(), "/")+to, form)
	return page
}

func TestWithoutAPublicURLThereAreNoPages(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.env = append(s.env, "TENON_CLIENT_ID="+s.github.ClientID(), "TENON_CLIENT_SECRET="+s.github.ClientSecret(),
		"TENON_OPERATORS=maria")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	run := regexp.MustCompile(`run \w+`).FindString(s.answers()[0])
	require.NotEmpty(t, run)
	require.NotContains(t, s.answers()[0], "/runs/")
	g := s.guest(s.serverURL().String())
	about := g.open("/")
	require.Equal(t, http.StatusOK, about.status)
	require.True(t, strings.HasPrefix(about.text, aboutLine))
	nothing := g.open("/nothing")
	require.Equal(t, http.StatusNotFound, nothing.status)
	for _, path := range []string{"/auth/start", "/auth/callback?code=a&state=b", "/signin", "/runs", "/queue",
		"/dead-letters",
		"/installations", "/runs/" + strings.TrimPrefix(run, "run "), "/repos/acme/lathe", "/orgs/acme",
		"/static/a/style.css"} {
		page, header := g.do(http.MethodGet, path, nil)
		require.Equal(t, nothing, page, path)
		require.Empty(t, header.Get("Set-Cookie"), path)
		page, _ = g.do(http.MethodPost, path, url.Values{})
		require.Equal(t, http.StatusNotFound, page.status, path)
	}
}

func TestPeopleSeeTheRunsThatGitHubLetsThemSee(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.SetPublic(s.repo, false))
	require.NoError(t, s.github.AddUser("olga"))
	pages := s.withPages("TENON_OPERATORS=Olga")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	link := regexp.MustCompile(regexp.QuoteMeta(pages) + `(/runs/\w+)`).FindStringSubmatch(s.answers()[0])
	require.NotNil(t, link, s.answers()[0])
	path := link[1]

	lost, err := http.NewRequestWithContext(t.Context(), http.MethodPost, pages+"/hook", strings.NewReader("{}"))
	require.NoError(t, err)
	lost.Header.Set("X-GitHub-Event", "ping")
	require.Contains(t, open(t, lost).text, "correct the webhook URL", "a delivery to a wrong address")

	front := s.guest(pages).open("/")
	require.Contains(t, front.text, "Sign in with GitHub")
	maria := s.guest(pages)
	page := maria.as("maria", path)
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.text, "fix the words in")
	require.Contains(t, page.text, "goodbye")

	stranger := s.guest(pages)
	hidden := stranger.as("stranger", path)
	require.Equal(t, http.StatusNotFound, hidden.status)
	require.NotContains(t, hidden.text, "main.go")
	missing, header := stranger.do(http.MethodGet, "/runs/r-none", nil)
	require.Equal(t, missing, stranger.open(path), "what one may not read is like what there is not")
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"} {
		require.Equal(t, want, header.Get(name))
	}
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	for _, p := range []string{"/dead-letters", "/installations"} {
		require.Equal(t, http.StatusNotFound, stranger.open(p).status)
	}

	olga := s.guest(pages)
	page = olga.as("olga", path)
	require.Equal(t, http.StatusOK, page.status, "an operator sees every run")
	require.NotContains(t, page.text, "fix the words in", "but no sources of what she cannot read")
	require.NotContains(t, page.text, "goodbye")
	require.Equal(t, http.StatusOK, olga.open("/dead-letters").status)

	token := regexp.MustCompile(`name="csrf_token" value="([^"]+)"`).FindStringSubmatch(maria.open(path).text)
	require.NotNil(t, token)
	page, _ = maria.do(http.MethodPost, "/auth/signout", url.Values{"csrf_token": {token[1]}})
	require.Contains(t, page.text, "Sign in with GitHub")
	require.Zero(t, s.github.UserTokens("maria"))
	require.NotContains(t, s.log.all(), "ghu_")
	require.NotContains(t, s.log.all(), s.github.ClientSecret())
}
