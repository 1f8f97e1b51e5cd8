package register_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/register"
)

func TestNobodyGetsInWithoutTheLink(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{"/setup/" + strings.Repeat("A", 43), "/setup/x", s.links[0] + "A",
		s.links[0][:len(s.links[0])-1] + "!"} {
		p := s.get(s.server.URL + path)
		require.Equal(t, 404, p.status, path)
		require.NotContains(t, p.text, s.links[0])
		require.Equal(t, 404, s.post(s.server.URL+path, s.fields()).status)
	}
	require.Equal(t, 503, s.get(s.server.URL+"/setup").status, "elsewhere")
	require.Equal(t, 503, s.get(s.server.URL+s.links[0]+"/more").status)
	require.Len(t, strings.TrimPrefix(s.links[0], "/setup/"), 43, "256 bits")
}

func TestALinkIsReplacedAfterAnHour(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	old := s.link()
	s.forward(59 * time.Minute)
	require.Equal(t, 200, s.get(old).status)
	s.forward(time.Minute)
	require.Equal(t, 404, s.get(old).status)
	require.Len(t, s.links, 2, "the new one is announced")
	require.Equal(t, 200, s.get(s.link()).status)
}

func TestWhoHasTheLinkIsNotKeptOutByGuesses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	wrong := s.server.URL + "/setup/" + strings.Repeat("A", 43)
	for range 300 {
		require.Equal(t, 404, s.get(wrong).status)
	}
	require.Equal(t, 200, s.get(s.link()).status)
	require.Len(t, s.links, 1, "guesses write nothing to the log")
}

func TestAPageOnThisMachineAnswersNoOtherHost(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *register.Options) {
		o.Hosts = func(host string) bool { return strings.HasPrefix(host, "127.0.0.1:") }
	})
	req, err := http.NewRequest(http.MethodGet, s.link(), nil)
	require.NoError(t, err)
	req.Host = "evil.example:80"
	require.Equal(t, http.StatusMisdirectedRequest, s.do(http.DefaultClient, req).status)
	require.Equal(t, 200, s.get(s.link()).status)
}

func TestAnotherSiteCannotSendTheForm(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	req, err := http.NewRequest(http.MethodPost, s.link(), strings.NewReader(s.fields().Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, s.do(http.DefaultClient, req).status)
}

func TestPagesLoadNothingAndTellNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, p := range []shown{s.get(s.link()), s.post(s.link(), s.fields()), s.get(s.server.URL + "/setup/x")} {
		policy := p.header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; style-src 'sha256-")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.Equal(t, "strict-origin", p.header.Get("Referrer-Policy"), "no path leaves the page")
		require.Equal(t, "no-store", p.header.Get("Cache-Control"))
		require.NotContains(t, p.text, "<script")
		require.NotContains(t, p.text, " src=")
	}
	require.Equal(t, 400, s.post(s.link(), url.Values{"name": {strings.Repeat("x", 70_000)}}).status, "a bounded body")
}

func TestAFormIsChecked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	closed := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(closed.Close)
	for fault, change := range map[string][2]string{
		"Enter the address under which GitHub reaches this server": {"public", ""},
		"This is not a URL":              {"public", "https://a b"},
		"Leave out user names":           {"public", "https://a:b@tenon.acme.com"},
		"This is the address of GitHub":  {"public", s.github.GitURL()},
		"Enter the organisation":         {"organization", "acme/lathe"},
		"34 characters at most":          {"name", strings.Repeat("x", 35)},
		"Enter the address of GitHub":    {"github", "https://github.com/acme"},
		"is not GitHub&#39;s API":        {"github", closed.URL},
		"tenon cannot use this GitHub: ": {"github", "http://127.0.0.1:1"},
	} {
		fields := s.fields()
		fields.Set(change[0], change[1])
		p := s.post(s.link(), fields)
		require.Equal(t, 422, p.status, fault)
		require.Contains(t, p.text, fault)
		require.Contains(t, p.text, "acme", "what was entered is kept")
	}
	fields := s.fields()
	fields.Set("change", "1")
	fields.Set("public", `https://"><b>`)
	p := s.post(s.link(), fields)
	require.Equal(t, 200, p.status, "the form again")
	require.Contains(t, p.text, `value="https://&#34;&gt;&lt;b&gt;"`)
}
