package gh_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// userToken returns a token of somebody who authorises the App in a browser.
func (w *world) userToken(t *testing.T, login string) string {
	t.Helper()
	const back = "http://127.0.0.1:1/auth/callback"
	require.NoError(t, w.SignIn(login))
	w.SetCallbackURLs(back)
	var code string
	browser := &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		code = to.URL.Query().Get("code")
		return http.ErrUseLastResponse
	}}
	send := func(method, path string, form url.Values) string {
		req, err := http.NewRequestWithContext(t.Context(), method, w.GitURL()+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := browser.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		data, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(data)
	}
	page := send(http.MethodGet, "login/oauth/authorize?redirect_uri="+back+"&client_id="+w.ClientID(), nil)
	id := regexp.MustCompile(`name=id value="(\w+)"`).FindStringSubmatch(page)
	require.NotNil(t, id)
	send(http.MethodPost, "login/oauth/authorize", url.Values{"id": {id[1]}, "authorize": {"1"}})
	got, err := url.ParseQuery(send(http.MethodPost, "login/oauth/access_token", url.Values{"code": {code},
		"client_id": {w.ClientID()}, "client_secret": {w.ClientSecret()}}))
	require.NoError(t, err)
	return got.Get("access_token")
}

func TestAPersonsTokenSaysWhoAndWhatCanBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	users, err := gh.NewUsers(w.APIURL(), w.ClientID(), w.ClientSecret(), nil)
	require.NoError(t, err)
	mona, stranger := w.userToken(t, "mona"), w.userToken(t, "stranger")
	id, login, err := users.Account(t.Context(), mona)
	require.NoError(t, err)
	require.Equal(t, "mona", login)
	require.NotZero(t, id)
	got, err := users.Repository(t.Context(), mona, "octo-org", "hello-joint")
	require.NoError(t, err)
	require.Equal(t, w.repo.ID, got)
	_, err = users.Repository(t.Context(), stranger, "octo-org", "hello-joint")
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = users.Repository(t.Context(), mona, "octo-org", "hello-joint/pulls")
	require.ErrorIs(t, err, port.ErrNotFound, "no name leads to another path")

	require.NoError(t, w.RenameRepo("octo-org/hello-joint", "new-name"))
	got, err = users.Repository(t.Context(), mona, "octo-org", "hello-joint")
	require.NoError(t, err)
	require.Equal(t, w.repo.ID, got, "a former name leads to the same repository")
	require.NoError(t, w.AddRepo(sim.Repo{Name: "octo-org/hello-joint", Files: map[string]string{"a": "b"}}))
	require.NoError(t, w.SetRole("octo-org/hello-joint", "mona", entity.RoleRead))
	got, err = users.Repository(t.Context(), mona, "octo-org", "hello-joint")
	require.NoError(t, err)
	require.NotEqual(t, w.repo.ID, got, "the name is that of another repository now")

	require.NoError(t, users.Revoke(t.Context(), mona))
	require.Zero(t, w.UserTokens("mona"))
	require.NoError(t, users.Revoke(t.Context(), mona), "once is enough")
	_, _, err = users.Account(t.Context(), mona)
	require.ErrorIs(t, err, port.ErrDenied)
	_, err = users.Repository(t.Context(), mona, "octo-org", "hello-joint")
	require.ErrorIs(t, err, port.ErrDenied)
	require.NotContains(t, err.Error(), mona)
}

func TestWhatGitHubDoesNotSayOfARepositoryIsNoAnswer(t *testing.T) {
	t.Parallel()
	limit := http.Header{"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"4102444800"}}
	for _, c := range []struct {
		status int
		header http.Header
		denied bool
	}{
		{status: 403, denied: true}, {status: 451, denied: true}, {status: 404, denied: true}, {status: 410, denied: true},
		{status: 403, header: limit}, {status: 429, header: http.Header{"Retry-After": {"60"}}}, {status: 502},
		{status: 200}, {status: 422},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for name, values := range c.header {
				w.Header()[name] = values
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(`{"message": "no"`))
		}))
		users, err := gh.NewUsers(server.URL, "id", "secret", nil)
		require.NoError(t, err)
		_, err = users.Repository(t.Context(), "ghu_secret", "acme", "lathe")
		server.Close()
		require.Error(t, err, c.status)
		require.Equal(t, c.denied, errors.Is(err, port.ErrNotFound), "%d: %v", c.status, err)
		require.NotContains(t, err.Error(), "ghu_secret")
	}
}
