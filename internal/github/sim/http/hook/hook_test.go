package hook_test

import (
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
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
)

// newHooks returns the webhook of a GitHub without a door, with a user and a repository on which the App is installed.
func newHooks(t *testing.T, timeout time.Duration) (*hook.Hooks, sim.Acts) {
	t.Helper()
	core := &entity.Core{Clock: time.Now, Memory: true, Log: slog.New(slog.DiscardHandler), Ctx: t.Context(),
		Base: "https://github.example",
		App: &entity.App{ID: 7, Slug: "tenon", Secret: "secret", Events: []string{"issues", "check_run"},
			Permissions: map[string]string{"issues": "write"}}}
	acts := sim.ActsOf(core)
	hooks := hook.New(core, &sync.WaitGroup{}, timeout)
	core.Events = hook.EventsOf(hooks, acts)
	core.State.Init()
	acts.MakeBot()
	require.NoError(t, acts.AddUser("alice"))
	require.NoError(t, acts.AddRepo(sim.Repo{Name: "alice/app", Files: map[string]string{"a": "a\n"}}))
	_, err := acts.Install(sim.Installation{Owner: "alice"})
	require.NoError(t, err)
	return hooks, acts
}

// open opens an issue, and returns after the response to its delivery.
func open(t *testing.T, acts sim.Acts) {
	t.Helper()
	_, err := acts.OpenIssue("alice", "alice/app", "A bug", "")
	require.NoError(t, err)
}

// "Your server should respond with a 2XX response within 10 seconds"; there is no automatic redelivery.
func TestAnAnswerThatTakesTooLongIsAFailure(t *testing.T) {
	t.Parallel()
	hooks, acts := newHooks(t, 50*time.Millisecond)
	done := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-done
	}))
	t.Cleanup(slow.Close)
	defer close(done)
	hooks.SetHookURL(slow.URL)
	open(t, acts)
	d := hooks.Deliveries()
	require.Len(t, d, 1)
	require.Zero(t, d[0].Status)
	require.Contains(t, d[0].Err, "deadline")
	require.Equal(t, "timed out", hook.APIOf(hooks).Listed()[0].Item()["status"])
	hooks.SetHookURL("http://127.0.0.1:1/")
	open(t, acts)
	require.NotEmpty(t, hooks.Deliveries()[1].Err)
}

// A redirect is a failure like any other status; it is not followed.
func TestADeliveryFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	hooks, acts := newHooks(t, 10*time.Second)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
	t.Cleanup(elsewhere.Close)
	first := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(first.Close)
	hooks.SetHookURL(first.URL)
	open(t, acts)
	require.Equal(t, 307, hooks.Deliveries()[0].Status)
	full := hook.APIOf(hooks).Delivery(hook.APIOf(hooks).Listed()[0])
	require.Equal(t, "Invalid HTTP Response: 307", full["status"])
	require.NotEmpty(t, full["request"].(entity.Object)["headers"].(map[string]string)["X-Hub-Signature-256"])
}

// Events are delivered while the App is installed, subscribed and permitted, to a webhook that is active and needs them.
func TestWhichEventsAreDelivered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare   func(*testing.T, *hook.Hooks, sim.Acts) error
		delivered bool
	}{
		"all is well": {func(*testing.T, *hook.Hooks, sim.Acts) error { return nil }, true},
		"suspended":   {func(_ *testing.T, _ *hook.Hooks, acts sim.Acts) error { return acts.Suspend("alice", true) }, false},
		"uninstalled": {func(_ *testing.T, _ *hook.Hooks, acts sim.Acts) error { return acts.Uninstall("alice") }, false},
		"not subscribed": {func(_ *testing.T, _ *hook.Hooks, acts sim.Acts) error {
			acts.Current().Events = []string{"check_run"}
			return nil
		}, false},
		"inactive": {func(_ *testing.T, hooks *hook.Hooks, _ sim.Acts) error {
			hooks.SetHookSettings(hook.Settings{Inactive: true})
			return nil
		}, false},
		"not needed": {func(t *testing.T, hooks *hook.Hooks, _ sim.Acts) error {
			hooks.SetHook(http.NotFoundHandler(), func(event, action string) bool { return event+action != "issuesopened" })
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hooks, acts := newHooks(t, time.Minute)
			hooks.SetHook(http.NotFoundHandler(), nil)
			require.NoError(t, c.prepare(t, hooks, acts))
			before := len(hooks.Deliveries())
			open(t, acts)
			require.Equal(t, c.delivered, len(hooks.Deliveries()) == before+1)
		})
	}
}

// What is delivered to a handler in the process has arrived when the act returns, in the form that the settings say.
func TestAHandlerGetsDeliveriesInTurn(t *testing.T) {
	t.Parallel()
	hooks, acts := newHooks(t, time.Minute)
	var got []string
	hooks.SetHook(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got = append(got, r.Header.Get("Content-Type")+" "+r.Header.Get("X-Hub-Signature-256")[:7]+" "+string(data[:8]))
		_, _ = io.WriteString(w, strings.Repeat("x", 70_000))
	}), nil)
	open(t, acts)
	hooks.SetHookSettings(hook.Settings{Form: true, Secret: "another"})
	first, err := hooks.Redeliver(hooks.Deliveries()[0].GUID)
	require.NoError(t, err)
	require.Equal(t, []string{`application/json sha256= {"action`, "application/x-www-form-urlencoded sha256= payload="}, got)
	require.Equal(t, []any{true, 200, 64 << 10}, []any{first.Redelivery, first.Status, len(first.Answer)})
	config := hook.APIOf(hooks).Config()
	require.Equal(t, []any{"form", "0", "********"}, []any{config["content_type"], config["insecure_ssl"], config["secret"]})
	require.NoError(t, acts.Suspend("alice", true))
	require.Len(t, hooks.Deliveries(), 3, "events of installations need no subscription")
}
