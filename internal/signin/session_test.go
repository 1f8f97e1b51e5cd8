package signin_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAChangedCookieIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	good := b.cookies()["tenon-session"]
	for i := range len(good) {
		if i%29 != 0 {
			continue
		}
		changed := []byte(good)
		changed[i] ^= 1
		req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
		req.AddCookie(&http.Cookie{Name: "tenon-session", Value: string(changed)})
		got := httptest.NewRecorder()
		w.server.Config.Handler.ServeHTTP(got, req)
		require.Equal(t, http.StatusUnauthorized, got.Code, i)
	}
	back := w.browser().begin("maria", "/who")
	require.NotEmpty(t, back)
	req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
	req.AddCookie(&http.Cookie{Name: "tenon-signin", Value: good})
	got := httptest.NewRecorder()
	w.server.Config.Handler.ServeHTTP(got, req)
	require.Equal(t, http.StatusUnauthorized, got.Code, "one cookie is not the other")
}

func TestATokenIsRenewedOnceBeforeItExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	before := b.cookies()["tenon-session"]
	w.forward(7*time.Hour + 56*time.Minute)
	w.requests()
	var together sync.WaitGroup
	for range 8 { // the requests of one page, which all have the same cookie
		together.Go(func() {
			req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
			req.AddCookie(&http.Cookie{Name: "tenon-session", Value: before})
			got := httptest.NewRecorder()
			w.server.Config.Handler.ServeHTTP(got, req)
			if got.Code != http.StatusOK || got.Body.String() != "true" {
				t.Errorf("%d %s", got.Code, got.Body)
			}
		})
	}
	together.Wait()
	renewals := 0
	for _, what := range w.requests() {
		if what == "tokens" {
			renewals++
		}
	}
	require.Equal(t, 1, renewals)
	status, _ := b.get("/who")
	require.Equal(t, http.StatusOK, status)
	require.NotEqual(t, before, b.cookies()["tenon-session"])
	w.forward(time.Hour)
	_, text := b.get("/read/7/acme/lathe")
	require.Equal(t, "true", text, "by the new token")
}

func TestASessionEndsThatCannotBeRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	w.with(func() { clear(w.refreshing) })
	w.forward(7*time.Hour + 57*time.Minute)
	status, _ := b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusOK, status, "its token is valid still")
	w.forward(4 * time.Minute)
	status, _ = b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusUnauthorized, status)
	require.Empty(t, b.cookies())

	lasting := newWorld(t)
	lasting.life = 0
	b = lasting.signedIn("maria")
	lasting.forward(30*24*time.Hour - time.Minute)
	status, _ = b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusOK, status)
	lasting.forward(time.Minute)
	req := httptest.NewRequest(http.MethodGet, "/read/7/acme/lathe", nil)
	for name, value := range b.cookies() {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	got := httptest.NewRecorder()
	lasting.server.Config.Handler.ServeHTTP(got, req)
	require.Equal(t, http.StatusUnauthorized, got.Code, "after 30 days, whatever the browser keeps")
}

func TestAnOutageOfGitHubNeverMeansYes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	_, text := b.get("/read/7/acme/lathe")
	require.Equal(t, "true", text)
	w.with(func() { w.down = true })
	w.forward(59 * time.Second)
	_, text = b.get("/read/7/acme/lathe")
	require.Equal(t, "true", text, "as it said within the last minute")
	w.forward(time.Second)
	status, _ := b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusBadGateway, status)
	_, text = b.get("/who")
	require.Contains(t, text, "operator=true", "an operator looks in while GitHub is down")
	w.forward(time.Hour)
	_, text = b.get("/who")
	require.Contains(t, text, "operator=false", "but not for ever on its word")
	w.forward(8 * time.Hour)
	status, _ = b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusBadGateway, status)
	w.with(func() { w.down = false })
	_, text = b.get("/read/7/acme/lathe")
	require.Equal(t, "true", text)
}

func TestARepositoryIsReadByWhoMayAndByItsID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maria, victor := w.signedIn("maria"), w.signedIn("victor")
	for path, want := range map[string]string{"/read/7/acme/lathe": "true", "/read/8/acme/lathe": "false",
		"/read/0/acme/lathe": "false", "/read/7/acme/other": "false"} {
		_, text := maria.get(path)
		require.Equal(t, want, text, path)
	}
	_, text := victor.get("/read/7/acme/lathe")
	require.Equal(t, "false", text, "what GitHub lets another read is nothing to him")
	w.with(func() { delete(w.repos["maria"], "acme/lathe") })
	_, text = maria.get("/read/7/acme/lathe")
	require.Equal(t, "true", text)
	w.requests()
	w.forward(time.Minute)
	_, text = maria.get("/read/7/acme/lathe")
	require.Equal(t, "false", text, "a right that was taken away ends within a minute")
	require.Equal(t, []string{"user", "acme/lathe"}, w.requests())
	_, _ = maria.get("/read/7/acme/lathe")
	require.Empty(t, w.requests())
}

func TestWhoWasRenamedIsNoOperatorUnderTheOldName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	w.with(func() {
		w.valid["token-maria-1"] = "maria-b"
		w.people["maria-b"] = 1
	})
	w.forward(time.Minute)
	_, text := b.get("/who")
	require.Contains(t, text, "1 maria-b operator=false")
	w.with(func() { w.valid["token-maria-1"] = "victor" })
	w.forward(time.Minute)
	_, text = b.get("/who")
	require.NotContains(t, text, "victor", "a token of somebody else ends the session")
	require.NotNil(t, b.last)
}

func TestARevokedTokenSignsOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn("maria")
	w.with(func() { clear(w.valid) })
	w.forward(time.Minute)
	status, _ := b.get("/read/7/acme/lathe")
	require.Equal(t, http.StatusUnauthorized, status)
	require.Empty(t, b.cookies())
}
