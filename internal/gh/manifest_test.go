package gh_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

const manifestCode = "a180b1a3d263c81bc6441d7b990bae27d4c10679"

// conversion is a server that answers the exchange of a code.
func conversion(t *testing.T, status int, header http.Header, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/app-manifests/"+manifestCode+"/conversions" ||
			r.Header.Get("Authorization") != "" {
			http.Error(w, "{}", http.StatusTeapot)
			return
		}
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestACodeBecomesAnApp(t *testing.T) {
	t.Parallel()
	url := conversion(t, http.StatusCreated, nil, `{"id": 7, "slug": "tenon-acme", "name": "Tenon Acme",
		"html_url": "https://github.com/apps/tenon-acme", "owner": {"login": "acme"}, "pem": "key", "webhook_secret": "s",
		"client_id": "Iv1.c", "client_secret": "c"}`)
	app, err := gh.ConvertManifest(t.Context(), url, manifestCode, nil)
	require.NoError(t, err)
	require.Equal(t, gh.ManifestApp{ID: 7, Slug: "tenon-acme", Name: "Tenon Acme", Owner: "acme",
		URL: "https://github.com/apps/tenon-acme", PrivateKey: "key", WebhookSecret: "s", ClientID: "Iv1.c",
		ClientSecret: "c"}, app)
}

func TestTheErrorOfACodeDoesNotContainIt(t *testing.T) {
	t.Parallel()
	limit := http.Header{"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"4102444800"}}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	var wait *port.WaitError
	waits := func(err error) bool { return errors.As(err, &wait) }
	says := func(text string) func(error) bool {
		return func(err error) bool { return strings.Contains(err.Error(), text) }
	}
	for name, c := range map[string]struct {
		url   string
		check func(error) bool
	}{
		"used": {conversion(t, 404, nil, `{"message": "Not Found"}`),
			func(err error) bool { return errors.Is(err, port.ErrNotFound) }},
		"limit":   {conversion(t, 403, limit, `{"message": "API rate limit exceeded"}`), waits},
		"outage":  {conversion(t, 502, nil, ``), waits},
		"closed":  {closed.URL, waits},
		"no JSON": {conversion(t, 201, nil, `<html>`), says("is not JSON")},
		"endless": {conversion(t, 201, nil, `"`+strings.Repeat("x", 2<<20)+`"`), says("larger")},
	} {
		_, err := gh.ConvertManifest(t.Context(), c.url, manifestCode, nil)
		require.Error(t, err, name)
		require.True(t, c.check(err), "%s: %v", name, err)
		require.NotContains(t, err.Error(), manifestCode, name)
	}
	_, err := gh.ConvertManifest(t.Context(), closed.URL, "../../app", nil)
	require.ErrorContains(t, err, "not one of GitHub's")
}

func TestWhatIsNotGitHubIsTold(t *testing.T) {
	t.Parallel()
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-GitHub-Request-Id", "0001")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(private.Close)
	require.NoError(t, gh.ProbeAPI(t.Context(), private.URL, nil), "an Enterprise Server in private mode")
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	require.ErrorContains(t, gh.ProbeAPI(t.Context(), other.URL, nil), "is not GitHub's API (status 404)")
	require.ErrorContains(t, gh.ProbeAPI(t.Context(), strings.Replace(other.URL, "http:", "https:", 1), nil),
		"does not speak HTTPS")
	self := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(self.Close)
	require.ErrorContains(t, gh.ProbeAPI(t.Context(), self.URL, nil), "certificate")
}
