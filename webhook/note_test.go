package webhook_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/webhook"
)

// logged is a server, and the lines that it logs.
func logged(t *testing.T) (s server, lines func() []map[string]any) {
	t.Helper()
	var log bytes.Buffer
	queue := &memory{}
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: queue, Slug: func() string { return "tenon" },
		Log: slog.New(slog.NewJSONHandler(&log, nil))})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	router.HandleFunc("/", func(http.ResponseWriter, *http.Request) {}).Methods(http.MethodGet)
	return server{router, queue}, func() (list []map[string]any) {
		for line := range strings.Lines(log.String()) {
			var entry map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &entry))
			delete(entry, "time")
			list = append(list, entry)
		}
		return list
	}
}

func TestWhereTheAppIsInstalledIsLogged(t *testing.T) {
	t.Parallel()
	const of = `"installation":{"id":55001,"account":{"login":"octo-org"},"repository_selection":"selected"},` +
		`"sender":{"login":"mona"}`
	for name, c := range map[string]struct {
		event, body string
		status      int
		msg         string
		with        map[string]any
	}{
		"a ping": {"ping", `{"zen":"Design for failure.","hook_id":42}`, http.StatusOK,
			"GitHub's ping arrived: the webhook's URL and secret are right", map[string]any{"hook": 42.0}},
		"an installation": {"installation", `{"action":"created","repositories":[{},{}],` + of + `}`, http.StatusNoContent,
			"the App was installed", map[string]any{"account": "octo-org", "by": "mona", "installation": 55001.0,
				"repositories": 2.0, "selection": "selected"}},
		"a suspended one": {"installation", `{"action":"suspend",` + of + `}`, http.StatusNoContent,
			"the App was suspended: its commands are refused until it is unsuspended",
			map[string]any{"account": "octo-org", "by": "mona", "installation": 55001.0}},
		"more repositories": {"installation_repositories", `{"action":"added","repositories_added":[{}],` + of + `}`,
			http.StatusNoContent, "the repositories of an installation changed", map[string]any{"account": "octo-org",
				"by": "mona", "installation": 55001.0, "added": 1.0, "removed": 0.0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, lines := logged(t)
			require.Equal(t, c.status, s.deliver(c.event, []byte(c.body)).Code)
			c.with["msg"], c.with["level"], c.with["event"], c.with["delivery"] = c.msg, "INFO", c.event, guid
			require.Equal(t, []map[string]any{c.with}, lines())
			require.Empty(t, s.queue.events, "it is no command")
		})
	}
}

func TestARefusedDeliveryIsLoggedWithWhatItClaims(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(http.Header){
		"a signature with another secret": func(h http.Header) {
			h.Set("X-Hub-Signature-256", "sha256="+strings.Repeat("0", 64))
		},
		"no signature": func(h http.Header) { h.Del("X-Hub-Signature-256") },
		"a form":       func(h http.Header) { h.Set("Content-Type", "application/x-www-form-urlencoded") },
	} {
		s, lines := logged(t)
		r := signed("issue_comment", payload(t, "issue_comment"))
		spoil(r.Header)
		require.GreaterOrEqual(t, s.send(r).Code, 400, name)
		require.Len(t, lines(), 1, name)
		require.Equal(t, "delivery refused", lines()[0]["msg"], name)
		require.Equal(t, guid, lines()[0]["delivery"], name)
		require.Equal(t, "issue_comment", lines()[0]["event"], name)
	}
}

// Anybody can send these headers: what GitHub could not have sent does not reach the log.
func TestWhatAForgedDeliveryClaimsDoesNotReachTheLog(t *testing.T) {
	t.Parallel()
	s, lines := logged(t)
	r := signed("issue_comment", []byte("{}"))
	r.Header.Set("X-Hub-Signature-256", "sha256="+strings.Repeat("0", 64))
	r.Header.Set("X-GitHub-Delivery", "x\x1b[31m"+strings.Repeat("y", 5000))
	r.Header.Set("X-GitHub-Event", "a b")
	require.Equal(t, http.StatusBadRequest, s.send(r).Code)
	require.Empty(t, lines()[0]["delivery"])
	require.Empty(t, lines()[0]["event"])
}

func TestASlashAtTheEndOrTwoAtTheStartAreTheWebhook(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/webhook", "/webhook/", "//webhook"} {
		s := newServer(t)
		r := signed("issue_comment", payload(t, "issue_comment"))
		r.URL.Path = path
		w := s.send(r)
		require.Equal(t, http.StatusAccepted, w.Code, "%s: GitHub follows no redirect", path)
	}
}

func TestADeliveryToAWrongPathIsToldTheRightOne(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/webhooks", "/api/github/webhooks"} {
		s, lines := logged(t)
		r := signed("ping", []byte("{}"))
		r.URL.Path = path
		w := s.send(r)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.Contains(t, w.Body.String(), "takes GitHub's deliveries at /webhook")
		require.Len(t, lines(), 1, path)
		require.Contains(t, lines()[0]["error"], `came to the path "`+path+`"`)
		require.Equal(t, guid, lines()[0]["delivery"])
	}
	s, lines := logged(t)
	require.Equal(t, http.StatusNotFound, s.send(httptest.NewRequest(http.MethodGet, "/favicon.ico", nil)).Code)
	require.Equal(t, http.StatusMethodNotAllowed, s.send(httptest.NewRequest(http.MethodPut, "/", nil)).Code)
	require.Empty(t, lines(), "a browser's request is no delivery")
}
