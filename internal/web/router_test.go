package web_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

// noon is the time of all tests.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// ours is a repository that ann may read.
var ours = port.RepoRef{ID: 7, Owner: "acme", Name: "shop"}

// site is the pages with fakes, seen by ann.
type site struct {
	visitors *webtest.Visitors
	runs     *webtest.Runs
	live     *webtest.Live
	acts     *webtest.Acts
	handler  http.Handler
}

func newSite() *site {
	s := &site{visitors: &webtest.Visitors{Who: web.Visitor{ID: 5, Login: "ann"}, May: map[int64]bool{ours.ID: true}},
		runs: &webtest.Runs{}, live: &webtest.Live{}, acts: &webtest.Acts{}}
	s.handler = web.New(web.Options{Visitors: s.visitors, Runs: s.runs, Live: s.live, Acts: s.acts,
		Now: func() time.Time { return noon }, Colours: 1 << 40,
		Log: slog.New(slog.DiscardHandler)})
	return s
}

// get returns what a path answers.
func (s *site) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// post sends a form with its token.
func (s *site) post(path string, fields url.Values) *httptest.ResponseRecorder {
	form := url.Values{"csrf_token": {webtest.Token}}
	for name, values := range fields {
		form[name] = values
	}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// fragment returns a part of a page as the script asks for it.
func (s *site) fragment(path string) string {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("X-Fragment", "1")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Body.String()
}

func TestNoPageCanLoadOrSendAnythingElsewhere(t *testing.T) {
	t.Parallel()
	s := newSite()
	for _, path := range []string{"/", "/nothing", "/runs/none", "/static/no/style.css", "/auth/none"} {
		h := s.get(path).Header()
		require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
			"form-action 'self'; frame-ancestors 'none'; base-uri 'none'", h.Get("Content-Security-Policy"), path)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "private, no-store", h.Get("Cache-Control"))
		require.Equal(t, "same-origin", h.Get("Referrer-Policy"))
		require.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"))
	}
}

func TestWhoIsNotSignedInIsAskedToBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.visitors.Who = web.Visitor{}
	front := s.get("/")
	require.Equal(t, http.StatusOK, front.Code)
	require.Contains(t, front.Body.String(), `<a class="button" href="/signin">Sign in with GitHub</a>`)
	require.Equal(t, http.StatusSeeOther, s.get("/signin").Code)
	require.Equal(t, "/auth/start", s.get("/signin").Header().Get("Location"))
}

func TestAStyleIsKeptForEverUnderAPathThatChangesWithIt(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.visitors.Who = web.Visitor{}
	_, rest, _ := strings.Cut(s.get("/").Body.String(), `<link rel="stylesheet" href="`)
	path, _, _ := strings.Cut(rest, `"`)
	style := s.get(path)
	require.Equal(t, http.StatusOK, style.Code)
	require.Equal(t, "text/css; charset=utf-8", style.Header().Get("Content-Type"))
	require.Contains(t, style.Header().Get("Cache-Control"), "immutable")
	require.LessOrEqual(t, style.Body.Len(), 20_000)
	require.NotContains(t, style.Body.String(), "url(")
	require.Equal(t, http.StatusNotFound, s.get("/static/0000/style.css").Code)
}

func TestWhatCannotBeReadIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(view.Run{ID: "r-1", Request: view.Request{Repo: ours}})
	s.runs.Put(view.Run{ID: "r-2", Request: view.Request{Repo: port.RepoRef{ID: 8, Owner: "acme", Name: "secret"}}})
	require.Equal(t, http.StatusOK, s.get("/runs/r-1").Code)
	hidden, missing := s.get("/runs/r-2"), s.get("/runs/r-3")
	require.Equal(t, http.StatusNotFound, hidden.Code)
	require.Equal(t, http.StatusNotFound, missing.Code)
	require.Equal(t, missing.Body.String(), hidden.Body.String())
	require.Equal(t, missing.Header(), hidden.Header())
}

func TestGitHubsSilenceIsNoPermission(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(view.Run{ID: "r-1", Request: view.Request{Repo: ours}})
	s.visitors.Fault = errors.New("GitHub is out")
	require.Equal(t, http.StatusBadGateway, s.get("/runs/r-1").Code)
	require.Contains(t, s.get("/runs/r-1").Body.String(), "GitHub did not answer")
}
