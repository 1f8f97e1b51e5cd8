package gitrepo_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

var renamed = port.RepoRef{Owner: "acme", Name: "hammer"}

// redirect returns middleware that redirects requests for acme/hammer, as a server does for a renamed repository.
func redirect(to func(path string) string) func(http.Handler) http.Handler {
	return func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if rest, ok := strings.CutPrefix(r.URL.RequestURI(), "/acme/hammer.git"); ok {
				rw.Header().Set("Location", to(rest))
				rw.WriteHeader(http.StatusMovedPermanently)
				return
			}
			git.ServeHTTP(rw, r)
		})
	}
}

func TestARepositoryThatWasRenamedIsFollowedToItsNewName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Wrap(redirect(func(rest string) string { return "/acme/anvil.git" + rest }))
	_, err := editAndPush(t.Context(), w.repos, renamed, w.tip, "main")
	require.NoError(t, err)
	require.Equal(t, []string{
		"GET /acme/hammer.git/info/refs?service=git-upload-pack", "GET /acme/anvil.git/info/refs?service=git-upload-pack",
		"POST /acme/anvil.git/git-upload-pack", "POST /acme/anvil.git/git-upload-pack",
		"POST /acme/anvil.git/git-receive-pack",
	}, w.server.Requests())
	w.repo.Fsck()
}

func TestARequestWithABodyFollowsWhereTheAdvertisementLed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.open(t) // the capabilities are cached from now on
	w.server.Requests()
	w.server.Wrap(redirect(func(rest string) string { return w.server.URL + "acme/anvil.git" + rest }))
	c, err := w.repos.Open(t.Context(), renamed, "refs/heads/main", "")
	require.NoError(t, err)
	require.Equal(t, w.tip, c.SHA())
	require.Equal(t, []string{
		"POST /acme/hammer.git/git-upload-pack",
		"GET /acme/hammer.git/info/refs?service=git-upload-pack", "GET /acme/anvil.git/info/refs?service=git-upload-pack",
		"POST /acme/anvil.git/git-upload-pack",
	}, w.server.Requests()[:4])
}

func TestARepositoryThatIsRenamedWhileItIsWorkedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	repo := w.server.Create(t, renamed.String())
	repo.Take(w.repo, "refs/heads/main", "refs/heads/main")
	c, err := w.repos.Open(t.Context(), renamed, "refs/heads/main", w.tip)
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	w.server.Wrap(redirect(func(rest string) string { return "/acme/anvil.git" + rest }))
	made, err := c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	require.Equal(t, made.SHA, w.repo.Ref("refs/heads/main"))
}

func TestATokenFollowsNoRedirectToAnotherHost(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked for %s", r.URL)
	}))
	t.Cleanup(other.Close)
	for name, to := range map[string]func(host, rest string) string{
		"another host and port": func(_, rest string) string { return other.URL + "/acme/anvil.git" + rest },
		"another scheme":        func(host, rest string) string { return "https://" + host + "/acme/anvil.git" + rest },
		"a name that begins like it": func(_, rest string) string {
			return "http://127.0.0.1.evil.example/acme/anvil.git" + rest
		},
		"with a user": func(host, rest string) string {
			return "http://" + host + "@evil.example/acme/anvil.git" + rest
		},
		"no scheme":      func(_, rest string) string { return "//evil.example/acme/anvil.git" + rest },
		"no repository":  func(_, rest string) string { return "/login/" + rest },
		"too deep":       func(_, rest string) string { return "/acme/anvil/extra.git" + rest },
		"upwards":        func(_, rest string) string { return "/acme/..%2fanvil.git" + rest },
		"something else": func(_, _ string) string { return "/acme/anvil.git" },
		"itself":         func(_, rest string) string { return "/acme/hammer.git" + rest },
		"nowhere":        func(_, _ string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, gitrepo.Options{})
			host := strings.TrimSuffix(strings.TrimPrefix(w.server.URL, "http://"), "/")
			w.server.Wrap(redirect(func(rest string) string { return to(host, rest) }))
			_, err := w.repos.Open(t.Context(), renamed, "refs/heads/main", w.tip)
			require.ErrorContains(t, err, "the repository has moved")
			require.ErrorIs(t, err, port.ErrNotFound)
			require.Equal(t, []string{"GET /acme/hammer.git/info/refs?service=git-upload-pack"}, w.server.Requests())
		})
	}
}

func TestOnlyOneRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Wrap(func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, strings.Replace(r.URL.RequestURI(), "/acme/", "/acme/x", 1), http.StatusMovedPermanently)
		})
	})
	_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.ErrorContains(t, err, "the repository has moved")
	require.Len(t, w.server.Requests(), 2)
}
