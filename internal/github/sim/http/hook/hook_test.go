package hook_test

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the legacy signature
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
)

// world is a GitHub without a door, with a person's repository on which the App is installed, and a pull request.
type world struct {
	sim.Acts
	*hook.Hooks
	heads  []http.Header
	bodies []map[string]any
	raw    []byte // the newest body
}

func newWorld(t *testing.T, timeout time.Duration) *world {
	t.Helper()
	core := &entity.Core{Clock: time.Now, Memory: true, Log: slog.New(slog.DiscardHandler), Ctx: t.Context(),
		Base: "https://github.example", App: &entity.App{ID: 7, Slug: "tenon", Secret: "secret",
			Events: []string{"issue_comment"}, Permissions: map[string]string{"issues": "write"}}}
	w := &world{Acts: sim.ActsOf(core), Hooks: hook.New(core, form.New(core), &sync.WaitGroup{}, timeout)}
	core.Events = hook.EventsOf(w.Hooks, w.Acts)
	core.State.Init()
	w.MakeBot()
	require.NoError(t, w.AddUser("alice"))
	for _, name := range []string{"alice/app", "alice/other"} {
		require.NoError(t, w.AddRepo(sim.Repo{Name: name, Files: map[string]string{"a": "a\n"}}))
	}
	_, err := w.Install(sim.Installation{Owner: "alice", Repos: []string{"app"}})
	require.NoError(t, err)
	_, err = w.Push("alice/app", "feature", map[string]string{"a": "b\n"}, "Change\n")
	require.NoError(t, err)
	_, err = w.OpenPull(sim.Pull{As: "alice", Repo: "alice/app", Title: "A change", Head: "feature"})
	require.NoError(t, err)
	return w
}

// subscribe keeps the deliveries, each before the act that caused it returns.
func (w *world) subscribe() {
	w.SetHook(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.raw, _ = io.ReadAll(r.Body)
		var o map[string]any
		_ = json.Unmarshal(w.raw, &o)
		w.heads, w.bodies = append(w.heads, r.Header), append(w.bodies, o)
		rw.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(rw, "seen")
	}), nil)
}

// last returns the headers and the payload of the newest delivery.
func (w *world) last() (http.Header, map[string]any) {
	return w.heads[len(w.heads)-1], w.bodies[len(w.bodies)-1]
}

// comment comments on the pull request, and returns after the response to the delivery.
func (w *world) comment(t *testing.T) int64 {
	t.Helper()
	id, err := w.Comment("alice", "alice/app", 1, "/tenon fix it")
	require.NoError(t, err)
	return id
}

// "Your server should respond with a 2XX response within 10 seconds"; there is no automatic redelivery.
func TestAnAnswerThatTakesTooLongIsAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 50*time.Millisecond)
	done := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-done
	}))
	t.Cleanup(slow.Close)
	defer close(done)
	w.SetHookURL(slow.URL)
	w.comment(t)
	d := w.Deliveries()
	require.Len(t, d, 1)
	require.Zero(t, d[0].Status)
	require.Contains(t, d[0].Err, "deadline")
	require.Equal(t, "timed out", hook.APIOf(w.Hooks).Listed()[0].Item()["status"])
	w.SetHookURL("http://127.0.0.1:1/")
	w.comment(t)
	require.NotEmpty(t, w.Deliveries()[1].Err)
}

// A redirect is a failure like any other status; it is not followed.
func TestADeliveryFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10*time.Second)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it was followed")
	}))
	t.Cleanup(elsewhere.Close)
	first := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(first.Close)
	w.SetHookURL(first.URL)
	w.comment(t)
	require.Equal(t, 307, w.Deliveries()[0].Status)
	full := hook.APIOf(w.Hooks).Delivery(hook.APIOf(w.Hooks).Listed()[0])
	require.Equal(t, "Invalid HTTP Response: 307", full["status"])
	require.NotEmpty(t, full["request"].(entity.Object)["headers"].(map[string]string)["X-Hub-Signature-256"])
}

// "Validating webhook deliveries": HMAC hex digests of the body, under the secret.
func TestADeliveryIsSigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Minute)
	w.subscribe()
	id := w.comment(t)
	h, o := w.last()
	mac := hmac.New(sha256.New, []byte(w.WebhookSecret()))
	mac.Write(w.raw)
	require.Equal(t, "sha256="+hex.EncodeToString(mac.Sum(nil)), h.Get("X-Hub-Signature-256"))
	old := hmac.New(sha1.New, []byte(w.WebhookSecret()))
	old.Write(w.raw)
	require.Equal(t, "sha1="+hex.EncodeToString(old.Sum(nil)), h.Get("X-Hub-Signature"))
	require.Equal(t, "issue_comment", h.Get("X-GitHub-Event"))
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, h.Get("X-GitHub-Delivery"))
	require.True(t, strings.HasPrefix(h.Get("User-Agent"), "GitHub-Hookshot/"))
	require.Equal(t, "application/json", h.Get("Content-Type"))
	require.Equal(t, "created", o["action"])
	require.InDelta(t, id, o["comment"].(map[string]any)["id"], 0)
	require.NotNil(t, o["issue"].(map[string]any)["pull_request"])
	require.Equal(t, "alice", o["sender"].(map[string]any)["login"])

	d := w.Deliveries()
	require.Len(t, d, 1)
	require.Equal(t, 202, d[0].Status)
	require.Equal(t, "seen", d[0].Answer)
	require.Equal(t, h.Get("X-GitHub-Delivery"), d[0].GUID)
}

// The App gets deliveries of its own comments, from a sender of type Bot, and only of subscribed events where it is
// installed.
func TestWhatIsDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Minute)
	w.subscribe()
	require.NoError(t, w.WithIssue("alice/app", 1, func(is *entity.Issue) error {
		w.AddComment(is, w.SenderOf(nil), "done")
		return nil
	}))
	_, o := w.last()
	require.Equal(t, "Bot", o["sender"].(map[string]any)["type"])
	require.Equal(t, "tenon[bot]", o["sender"].(map[string]any)["login"])

	_, err := w.ReviewComment("alice", "alice/app", 1, sim.Place{Path: "a", Line: 1}, "not subscribed")
	require.NoError(t, err)
	n, err := w.OpenIssue("alice", "alice/other", "An issue", "")
	require.NoError(t, err)
	_, err = w.Comment("alice", "alice/other", n, "not installed here")
	require.NoError(t, err)
	w.SetHookSettings(hook.Settings{Inactive: true})
	w.comment(t)
	require.Len(t, w.Deliveries(), 1)
}

// "All GitHub Apps receive this event by default": events of installations need no subscription.
func TestTheAppHearsOfItsInstallations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Minute)
	w.subscribe()
	require.NoError(t, w.Suspend("alice", true))
	h, o := w.last()
	require.Equal(t, "installation", h.Get("X-GitHub-Event"))
	require.Equal(t, "suspend", o["action"])
	require.Equal(t, "alice", o["sender"].(map[string]any)["login"])
	require.NotNil(t, o["installation"].(map[string]any)["suspended_at"])
	w.comment(t)
	require.Len(t, w.Deliveries(), 1, "nobody hears this")
	require.NoError(t, w.Uninstall("alice"))
	_, o = w.last()
	require.Equal(t, "deleted", o["action"])
	require.Len(t, o["repositories"], 1)
}
