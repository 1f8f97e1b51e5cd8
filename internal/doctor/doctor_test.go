package doctor_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/appmanifest"
	"github.com/tenon-bot/tenon/internal/doctor"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// github answers what a test says.
type github struct {
	ahead     time.Duration
	app       port.App
	hook      port.Hook
	attempts  []port.Attempt
	answer    string
	installed []port.Installation
	err       error
}

func (g github) Clock(context.Context) (time.Duration, error)  { return g.ahead, nil }
func (g github) App(context.Context) (port.App, error)         { return g.app, g.err }
func (g github) Hook(context.Context) (port.Hook, error)       { return g.hook, nil }
func (g github) Answer(context.Context, int64) (string, error) { return g.answer, nil }
func (g github) Attempts(context.Context, string) ([]port.Attempt, string, error) {
	return g.attempts, "", nil
}

func (g github) Installations(context.Context) ([]port.Installation, bool, error) {
	return g.installed, true, nil
}

// healthy is what GitHub says of an App of acme that lacks nothing.
func healthy(t *testing.T) github {
	t.Helper()
	m, err := appmanifest.Read()
	require.NoError(t, err)
	return github{
		app: port.App{ID: 17, Name: "Tenon", Slug: "tenon", Owner: "acme", Organization: true, Permissions: m.Permissions,
			Events: m.Events},
		hook:      port.Hook{URL: "https://tenon.example/webhook", ContentType: "json", HasSecret: true},
		attempts:  []port.Attempt{{ID: 1, Status: 202, At: noon.Add(-time.Hour), Outcome: "OK"}},
		installed: []port.Installation{{ID: 7, Account: "acme", Organization: true, Permissions: m.Permissions}},
	}
}

// examined returns the results of the checks of a server on github.com by their names.
func examined(t *testing.T, g github, change func(*doctor.Server)) map[string]doctor.Result {
	t.Helper()
	m, err := appmanifest.Read()
	require.NoError(t, err)
	s := doctor.Server{AppID: 17, API: "https://api.github.com/", Git: "https://github.com/", Path: "/webhook",
		Manifest: m, GitHub: g, Now: func() time.Time { return noon }}
	if change != nil {
		change(&s)
	}
	found := map[string]doctor.Result{}
	doctor.Run(t.Context(), s, func(r doctor.Result) { found[r.Check] = r })
	require.Len(t, found, len(doctor.Checks()))
	return found
}

func TestAHealthyAppIsOK(t *testing.T) {
	t.Parallel()
	for name, r := range examined(t, healthy(t), nil) {
		require.Contains(t, []doctor.Status{doctor.OK, doctor.Skipped}, r.Status, "%s: %+v", name, r)
	}
}

// GitHub, and whatever is at the webhook's URL, may say anything.
func TestWhatOthersWroteCannotChangeATerminal(t *testing.T) {
	t.Parallel()
	evil := "\x1b[2J\x1b]0;pwned\a\u202e\r\n" + strings.Repeat("long", 10_000)
	g := healthy(t)
	g.app.Name, g.app.Owner = evil, evil
	g.hook.URL, g.hook.ContentType = evil, evil
	g.attempts = []port.Attempt{{ID: 1, Status: 500, Outcome: evil, Delivery: evil}}
	g.answer = evil
	g.installed[0].Account, g.installed[0].Suspended = evil, true
	failing := func(s *doctor.Server) {
		s.Models = []doctor.Model{{Name: evil, Ask: func(context.Context) error { return errors.New(evil) }}}
		s.Database = func(context.Context) (string, error) { return "", errors.New(evil) }
		s.Owners = []string{evil}
	}
	for name, r := range examined(t, g, failing) {
		for _, text := range []string{r.Text, r.Remedy, r.Link} {
			require.NotContains(t, text, "\x1b", name)
			require.NotContains(t, text, "\u202e", name)
			require.NotContains(t, text, "\n", name)
			require.Less(t, len(text), 4000, name)
		}
	}
	g = healthy(t)
	g.err = errors.New(evil + "-----BEGIN RSA PRIVATE KEY-----")
	require.NotContains(t, examined(t, g, nil)["app"].Text, "\x1b")
}

func TestTheLinksLeadToWhereThingsAreChanged(t *testing.T) {
	t.Parallel()
	g := healthy(t)
	g.app.Permissions = map[string]string{"metadata": "read"}
	g.hook.HasSecret = false
	g.attempts[0].Status = 401
	g.installed[0].Suspended = true
	found := examined(t, g, nil)
	require.Equal(t, "https://github.com/organizations/acme/settings/apps/tenon/permissions", found["permissions"].Link)
	require.Equal(t, "https://github.com/organizations/acme/settings/apps/tenon", found["webhook"].Link)
	require.Equal(t, "https://github.com/organizations/acme/settings/apps/tenon/advanced", found["deliveries"].Link)
	require.Equal(t, "https://github.com/organizations/acme/settings/installations/7", found["installations"].Link)
	g.app.Organization, g.app.Owner = false, "maria"
	g.app.Slug = "../evil"
	require.Equal(t, "https://ghe.example/settings/apps/..%2Fevil/permissions", examined(t, g, func(s *doctor.Server) {
		s.API, s.Git = "https://ghe.example/api/v3/", "https://ghe.example/"
	})["permissions"].Link)
}

func TestWhereAWebhookLeadsIsJudgedByItsURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]doctor.Status{
		"https://tenon.example/webhook": doctor.OK, "https://tenon.example/webhook/": doctor.OK,
		"https://tenon.example:8443//webhook": doctor.OK, "https://tenon.example/": doctor.Failed,
		"https://tenon.example/hook": doctor.Failed, "https://tenon.example/tenon/webhook": doctor.Warning,
		"http://tenon.example/webhook": doctor.Warning, "https://127.0.0.1/webhook": doctor.Failed,
		"https://localhost/webhook": doctor.Failed, "https://[::1]/webhook": doctor.Failed,
		"https://192.168.1.5/webhook": doctor.Failed, "https://tenon/webhook": doctor.Failed,
		"https://tenon.internal/webhook": doctor.Failed, "https://smee.io/abc": doctor.Warning,
		"tenon.example/webhook": doctor.Failed, "https:///webhook": doctor.Failed, "%": doctor.Failed,
	} {
		g := healthy(t)
		g.hook.URL = url
		r := examined(t, g, nil)["webhook"]
		require.Equal(t, want, r.Status, "%s: %s", url, r.Text)
	}
	g := healthy(t)
	g.hook.URL = "https://10.0.0.7/webhook"
	inHouse := func(s *doctor.Server) { s.API, s.Git = "https://ghe.corp/api/v3/", "https://ghe.corp/" }
	require.Equal(t, doctor.OK, examined(t, g, inHouse)["webhook"].Status, "an Enterprise Server is in the same network")
}

func TestAServerThatStartsWasNotThereForTheLastDelivery(t *testing.T) {
	t.Parallel()
	g := healthy(t)
	starting := func(s *doctor.Server) { s.Starting = true }
	for status, want := range map[int]doctor.Status{502: doctor.OK, 0: doctor.OK, 401: doctor.Failed, 404: doctor.Failed} {
		g.attempts = []port.Attempt{{ID: 1, Status: status, At: noon.Add(-time.Minute)}}
		require.Equal(t, want, examined(t, g, starting)["deliveries"].Status, status)
		require.Equal(t, doctor.Failed, examined(t, g, nil)["deliveries"].Status, status)
	}
}

func TestWhatAnOwnerHasNotAcceptedIsNamed(t *testing.T) {
	t.Parallel()
	g := healthy(t)
	g.installed[0].Permissions = map[string]string{"metadata": "read"}
	r := examined(t, g, nil)["installations"]
	require.Equal(t, doctor.Failed, r.Status)
	require.Contains(t, r.Text, "acme has not accepted the permission actions: read, checks: write, contents: write")
	require.Equal(t, "https://github.com/organizations/acme/settings/installations/7/permissions/update", r.Link)
	g.app.Permissions = g.installed[0].Permissions
	require.Equal(t, doctor.OK, examined(t, g, nil)["installations"].Status, "what the App lacks is told of the App")
}

// Each permission and event of app.yml has a sentence for what is left out without it.
func TestWhatIsLostWithoutEachPermissionAndEvent(t *testing.T) {
	t.Parallel()
	m, err := appmanifest.Read()
	require.NoError(t, err)
	for name := range m.Permissions {
		g := healthy(t)
		g.app.Permissions = map[string]string{}
		for other, level := range m.Permissions {
			if other != name {
				g.app.Permissions[other] = level
			}
		}
		r := examined(t, g, nil)["permissions"]
		require.Contains(t, r.Text, "lacks the permission "+name+": ")
		require.NotEmpty(t, r.Text[strings.LastIndex(r.Text, ": ")+2:], name)
	}
	for i, name := range m.Events {
		g := healthy(t)
		g.app.Events = append(append([]string(nil), m.Events[:i]...), m.Events[i+1:]...)
		r := examined(t, g, nil)["events"]
		require.Contains(t, r.Text, "not subscribed to the event "+name+": ")
		require.NotEmpty(t, r.Text[strings.LastIndex(r.Text, ": ")+2:], name)
	}
}

func TestTheInstallationsAreLookedAtOneByOne(t *testing.T) {
	t.Parallel()
	g := healthy(t)
	g.installed[0].Suspended = true
	g.installed = append(g.installed, port.Installation{ID: 8, Account: "small", Permissions: map[string]string{
		"metadata": "read"}}, port.Installation{ID: 9, Account: "fine", Permissions: g.app.Permissions})
	server := doctor.Server{GitHub: g, Git: "https://github.com/", Owners: []string{"acme", "small"}}
	server.Manifest, _ = appmanifest.Read()
	list, all, err := doctor.Installations(t.Context(), server)
	require.NoError(t, err)
	require.True(t, all)
	require.Len(t, list, 3)
	require.Contains(t, list[0].Found.Text, "is suspended")
	require.Equal(t, doctor.Failed, list[1].Found.Status)
	require.Contains(t, list[1].Found.Text, "small has not accepted the permission")
	require.Equal(t, doctor.OK, list[2].Found.Status)
	require.Equal(t, []bool{true, true, false}, []bool{list[0].Served, list[1].Served, list[2].Served})
	g.err = errors.New("no answer")
	server.GitHub = g
	_, _, err = doctor.Installations(t.Context(), server)
	require.ErrorContains(t, err, "no answer")
}
