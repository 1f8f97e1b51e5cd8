package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/appmanifest"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// mistake is one that people make, and what names it.
type mistake struct {
	name string
	// github changes how the App is registered, plant makes the mistake. The App is installed after that if nobody has.
	github func(*simhttp.Options)
	plant  func(*patient)
	// installed is true if the mistake says who installs the App, or nobody does.
	installed bool
	// check names the mistake with a status, by a text and a remedy that have these parts.
	check  string
	status doctor.Status
	says   string
	remedy string
}

// set is a mistake in the settings.
func set(name, value string) func(*patient) { return func(p *patient) { p.env[name] = value } }

// hookedAs is a mistake in the settings of the webhook.
func hookedAs(settings simhttp.HookSettings) func(*patient) {
	return func(p *patient) { p.github.SetHookSettings(settings) }
}

// hookedAt is a webhook at another URL; GitHub is on the Internet.
func hookedAt(url string) func(*patient) {
	return func(p *patient) {
		p.install(sim.Installation{Owner: "acme"})
		p.github.SetHookURL(url)
		p.told = func(s *doctor.Server) { s.API, s.Git = "https://api.github.com/", "https://github.com/" }
	}
}

// answering is a server before tenon that answers each delivery itself.
func answering(status int, text string) func(*patient) {
	return func(p *patient) {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, text)
		}))
		p.Cleanup(proxy.Close)
		p.github.SetHookURL(proxy.URL + "/webhook")
	}
}

func reencoded(kind string, der func() ([]byte, error)) string {
	data, err := der()
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
}

// inAppYML returns the permissions and events of app.yml.
func inAppYML() (map[string]string, []string) {
	m, err := appmanifest.Read()
	if err != nil {
		panic(err)
	}
	return maps.Clone(m.Permissions), slices.Clone(m.Events)
}

func lacking(permission string) func(*simhttp.Options) {
	return func(o *simhttp.Options) {
		o.Permissions, o.Events = inAppYML()
		delete(o.Permissions, permission)
	}
}

func unsubscribed(event string) func(*simhttp.Options) {
	return func(o *simhttp.Options) {
		o.Permissions, o.Events = inAppYML()
		o.Events = slices.DeleteFunc(o.Events, func(e string) bool { return e == event })
	}
}

func clockOff(offset time.Duration) func(*simhttp.Options) {
	return func(o *simhttp.Options) { o.Now = func() time.Time { return time.Now().Add(-offset) } }
}

func keyOf(change func(pem string) string) func(*patient) {
	return func(p *patient) { p.env["TENON_PRIVATE_KEY_FILE"] = p.file(change(string(p.github.PrivateKeyPEM()))) }
}

// mistakes in the settings, and in the keys.
var mistakesInSettings = []mistake{
	{name: "the id of no App", plant: set("TENON_APP_ID", "999999"), check: "app", status: doctor.Failed,
		says: "there is no App with the id 999999", remedy: "neither its Client ID nor the id of an installation"},
	{name: "the id, or the key, of another App",
		plant: set("TENON_APP_ID", fmt.Sprint(simhttp.AnotherAppID)), check: "app",
		status: doctor.Failed,
		says:   "the id or the key is another App's. The key's fingerprint is " + fingerprintOf(sharedKey()),
		remedy: `whether "Private keys" lists this fingerprint`},
	{name: "the client id instead of the App id", plant: set("TENON_APP_ID", "Iv23liABCDEF0123abcd"), check: "settings",
		status: doctor.Failed, says: "not the Client ID"},
	{name: "a key that was cut off", plant: keyOf(func(pem string) string { return pem[:len(pem)/2] }), check: "settings",
		status: doctor.Failed, says: "TENON_PRIVATE_KEY_FILE"},
	{name: "the public key", plant: keyOf(func(string) string {
		return reencoded("PUBLIC KEY", func() ([]byte, error) { return x509.MarshalPKIXPublicKey(&sharedKey().PublicKey) })
	}), check: "settings", status: doctor.Failed, says: "TENON_PRIVATE_KEY_FILE"},
	{name: "a key file that there is not", plant: set("TENON_PRIVATE_KEY_FILE", "/nowhere/key.pem"), check: "settings",
		status: doctor.Failed, says: "there is no such file"},
	{name: "a misspelt variable", plant: set("TENON_ALLOWED_OWNER", "acme"), check: "settings", status: doctor.Failed,
		says: "TENON_ALLOWED_OWNERS"},
	{name: "a webhook secret that can be guessed", plant: set("TENON_WEBHOOK_SECRET", "tenon"), check: "settings",
		status: doctor.Failed, says: "TENON_WEBHOOK_SECRET"},
	{name: "owners that nobody is called", plant: set("TENON_ALLOWED_OWNERS", "acmee"), check: "owners",
		status: doctor.Failed, says: "none of them has installed the App; acme installed it and is not served"},
	{name: "one owner of two misspelt", plant: set("TENON_ALLOWED_OWNERS", "acme,mil"), check: "owners",
		status: doctor.Warning, says: "names mil, where the App is not installed"},
	{name: "the name of another App", plant: set("TENON_APP_SLUG", "tenon-dev"), check: "app", status: doctor.Warning,
		says: "TENON_APP_SLUG is tenon-dev: commands that begin with @tenon are not seen"},
	{name: "the client id of another App", plant: set("TENON_CLIENT_ID", "Iv23liOfAnother"), check: "pages",
		status: doctor.Failed, says: "TENON_CLIENT_ID is not the Client ID of the App, which is Iv23li",
		remedy: "set TENON_CLIENT_ID to that"},
	{name: "a client secret that was deleted", plant: set("TENON_CLIENT_SECRET", strings.Repeat("0", 40)), check: "pages",
		status: doctor.Failed, says: "TENON_CLIENT_SECRET is not a client secret of the App",
		remedy: "generate one below \"Client secrets\""},
	{name: "an Enterprise Server without /api/v3", plant: func(p *patient) {
		p.env["TENON_GITHUB_API_URL"] = p.github.GitURL()
	}, check: "github", status: doctor.Failed, says: "is not where the API of a GitHub Enterprise Server is",
		remedy: "/api/v3/"},
	{name: "the site instead of its API", plant: func(p *patient) {
		p.told = func(s *doctor.Server) { s.API = "https://github.com/" }
	}, check: "github",
		status: doctor.Failed, says: "the address of a site", remedy: "https://api.github.com/"},
	{name: "API and git of two GitHubs", plant: func(p *patient) {
		p.told = func(s *doctor.Server) { s.API = "https://api.github.com/" }
	}, check: "github",
		status: doctor.Failed, says: "TENON_GITHUB_API_URL is on api.github.com, and TENON_GITHUB_GIT_URL on 127.0.0.1"},
	{name: "a GitHub that nobody reaches", plant: func(p *patient) {
		p.env["TENON_GITHUB_API_URL"], p.env["TENON_GITHUB_GIT_URL"] = "http://127.0.0.1:1/api/v3/", "http://127.0.0.1:1/"
	}, check: "github", status: doctor.Failed, says: "connection refused", remedy: "DNS and proxy"},
}

// mistakes of the App on GitHub.
var mistakesOnGitHub = []mistake{
	{name: "a clock that is ahead", github: clockOff(7 * time.Minute), check: "clock", status: doctor.Warning,
		says: "ahead of GitHub's; tenon uses GitHub's time in its requests to GitHub", remedy: "NTP"},
	{name: "a clock that is behind", github: clockOff(-8 * time.Minute), check: "clock", status: doctor.Warning,
		says: "behind GitHub's; tenon uses GitHub's time"},
	{name: "a permission that is missing", github: lacking("contents"), check: "permissions", status: doctor.Failed,
		says: "lacks the permission contents: write: tenon cannot work without", remedy: "Repository permissions"},
	{name: "a permission that less depends on", github: lacking("statuses"), check: "permissions",
		status: doctor.Warning, says: "lacks the permission statuses: read: services that report by commit statuses"},
	{name: "an event that nobody subscribed to", github: unsubscribed("issue_comment"), check: "events",
		status: doctor.Failed, says: "not subscribed to the event issue_comment: tenon cannot work without",
		remedy: "Subscribe to events"},
	{name: "an event that is missing in part", github: unsubscribed("pull_request_review_comment"), check: "events",
		status: doctor.Warning, says: "commands in comments on lines are not seen"},
	{name: "a permission that an owner has not accepted", plant: func(p *patient) {
		permissions, _ := inAppYML()
		delete(permissions, "issues")
		p.install(sim.Installation{Owner: "acme", Permissions: permissions})
	}, installed: true, check: "installations", status: doctor.Failed,
		says: "acme has not accepted the permission issues: write", remedy: "an owner of acme has to review and accept it"},
	{name: "a suspended installation", plant: func(p *patient) {
		p.install(sim.Installation{Owner: "acme"})
		require.NoError(p, p.github.Suspend("acme", true))
	}, installed: true, check: "installations", status: doctor.Warning, says: "the installation of acme is suspended"},
	{name: "an App that nobody installed", installed: true, check: "installations", status: doctor.Failed,
		says: "nobody has installed the App"},
}

// notActive is a webhook that is not active since before the App was installed, ten minutes ago.
func notActive() mistake {
	var ago atomic.Int64
	return mistake{name: "a webhook that is not active", github: func(o *simhttp.Options) {
		o.Now = func() time.Time { return time.Now().Add(-time.Duration(ago.Load())) }
	}, plant: func(p *patient) {
		p.github.SetHookSettings(simhttp.HookSettings{Inactive: true})
		ago.Store(int64(10 * time.Minute))
		p.install(sim.Installation{Owner: "acme"})
		ago.Store(0)
	}, installed: true, check: "deliveries", status: doctor.Failed,
		says: "not even that acme installed the App: its webhook is not active", remedy: "tick Active"}
}

// mistakes of the webhook and what is before it.
var mistakesOfTheWebhook = []mistake{
	{name: "another secret on GitHub", plant: hookedAs(simhttp.HookSettings{Secret: "another one"}), check: "deliveries",
		status: doctor.Failed, says: "is not the one in TENON_WEBHOOK_SECRET (status 401)", remedy: "press Redeliver"},
	{name: "no secret on GitHub", plant: hookedAs(simhttp.HookSettings{NoSecret: true}), check: "webhook",
		status: doctor.Failed, says: "the webhook has no secret"},
	{name: "forms instead of JSON", plant: hookedAs(simhttp.HookSettings{Form: true}), check: "webhook",
		status: doctor.Failed, says: "content type is form", remedy: "application/json"},
	{name: "certificates that are not verified", plant: hookedAs(simhttp.HookSettings{InsecureTLS: true}),
		check: "webhook", status: doctor.Warning, says: "does not verify the certificate"},
	notActive(),
	{name: "a webhook that may not be active", plant: hookedAs(simhttp.HookSettings{Inactive: true}), check: "deliveries",
		status: doctor.Warning, says: "or the webhook is not active", remedy: "tick Active"},
	{name: "no webhook at all", plant: func(p *patient) { p.github.SetHookURL("") }, check: "webhook",
		status: doctor.Failed, says: "the App has no webhook"},
	{name: "a wrong path", plant: func(p *patient) { p.github.SetHookURL(p.hook + "s") }, check: "webhook",
		status: doctor.Failed, says: "and tenon takes deliveries at /webhook", remedy: "/webhook"},
	{name: "a URL without a path", plant: func(p *patient) {
		p.github.SetHookURL(strings.TrimSuffix(p.hook, "/webhook"))
	}, check: "deliveries", status: doctor.Failed, says: "The answer was: there is nothing at this path"},
	{name: "plain http", plant: hookedAt("http://tenon.example.com/webhook"), check: "webhook", status: doctor.Warning,
		says: "deliveries are not encrypted", remedy: "https://tenon.example.com/webhook"},
	{name: "localhost", plant: hookedAt("http://localhost:8080/webhook"), check: "webhook", status: doctor.Failed,
		says: "an address that GitHub cannot reach"},
	{name: "an address of the own network", plant: hookedAt("https://10.0.0.7/webhook"), check: "webhook",
		status: doctor.Failed, says: "an address that GitHub cannot reach"},
	{name: "nobody at the URL", plant: func(p *patient) { p.github.SetHookURL("http://127.0.0.1:1/webhook") },
		check: "deliveries", status: doctor.Failed, says: "GitHub could not reach the webhook's URL", remedy: "firewall"},
	{name: "a login page before tenon", plant: answering(http.StatusForbidden, "log in"), check: "deliveries",
		status: doctor.Failed, says: "something before tenon refuses GitHub's requests", remedy: "login page"},
	{name: "a redirect", plant: answering(http.StatusMovedPermanently, ""), check: "deliveries", status: doctor.Failed,
		says: "GitHub does not follow redirects"},
	{name: "a proxy that takes small bodies only", plant: answering(http.StatusRequestEntityTooLarge, ""),
		check: "deliveries", status: doctor.Failed, says: "status 413", remedy: "25 MiB"},
	{name: "a proxy without tenon behind it", plant: answering(http.StatusBadGateway, "<h1>502</h1>"),
		check: "deliveries", status: doctor.Failed, says: "could not take it (status 502)"},
}

// mistakes of the model and the machine.
var mistakesOfTheMachine = []mistake{
	{name: "a model that there is not", plant: set("TENON_MODEL", "model-2"), check: "model", status: doctor.Failed,
		says: "does not know the model", remedy: "the model's name and base URL"},
	{name: "a wrong key of the model", plant: set("TENON_MODEL_API_KEY", "sk-wrong"), check: "model",
		status: doctor.Failed, says: "did not accept the key", remedy: "the model's API key"},
	{name: "a base URL without its path", plant: func(p *patient) {
		p.env["TENON_MODEL_BASE_URL"] = strings.TrimSuffix(p.env["TENON_MODEL_BASE_URL"], "/v1")
	}, check: "model", status: doctor.Failed, says: "or the address is wrong"},
	{name: "a model that nobody reaches", plant: set("TENON_MODEL_BASE_URL", "http://127.0.0.1:1/v1"), check: "model",
		status: doctor.Failed, says: "could not be reached", remedy: "TENON_MODEL_BASE_URL"},
	{name: "no model", plant: func(p *patient) {
		for _, name := range []string{"TENON_MODEL", "TENON_MODEL_BASE_URL", "TENON_MODEL_API_KEY"} {
			delete(p.env, name)
		}
	}, check: "model", status: doctor.Warning, says: "no model is configured"},
	{name: "a database server that nobody reaches", plant: set("TENON_DATABASE_URL",
		"postgres://tenon:hunter2@127.0.0.1:1/tenon"), check: "database", status: doctor.Failed, says: "127.0.0.1"},
	{name: "a data folder that cannot be written", plant: func(p *patient) {
		p.env["TENON_DATA_DIR"] = filepath.Join(p.file(""), "data")
	}, check: "database", status: doctor.Failed, says: "cannot be written"},
	{name: "a full disk", plant: func(p *patient) { p.free = 20 << 20 }, check: "disk", status: doctor.Failed,
		says: "has 20 MiB free: tenon refuses deliveries when it is full"},
	{name: "a disk that is nearly full", plant: func(p *patient) { p.free = 500 << 20 }, check: "disk",
		status: doctor.Warning, says: "has 500 MiB free"},
	{name: "a port that another program uses", plant: func(p *patient) {
		other, err := new(net.ListenConfig).Listen(p.Context(), "tcp", "127.0.0.1:0")
		require.NoError(p, err)
		p.Cleanup(func() { _ = other.Close() })
		go func() {
			for c, err := other.Accept(); err == nil; c, err = other.Accept() {
				_ = c.Close()
			}
		}()
		p.env["TENON_LISTEN"] = other.Addr().String()
	}, check: "listen", status: doctor.Failed, says: "another program is using 127.0.0.1:"},
}

// Most self-hosted Apps fail by one of these, and silence is the only symptom.
func TestEachMistakeIsNamed(t *testing.T) {
	t.Parallel()
	all := slices.Concat(mistakesInSettings, mistakesOnGitHub, mistakesOfTheWebhook, mistakesOfTheMachine)
	require.GreaterOrEqual(t, len(all), 25)
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			var options simhttp.Options
			if m.github != nil {
				m.github(&options)
			}
			p := newPatient(t, options)
			if m.plant != nil {
				m.plant(p)
			}
			if !m.installed {
				p.install(sim.Installation{Owner: "acme"})
			}
			found := p.examined()
			for _, r := range found {
				if r.Check == m.check && r.Status == m.status && strings.Contains(r.Text, m.says) {
					require.Contains(t, r.Remedy, m.remedy)
					if r.Status == doctor.Failed && r.Check != "settings" {
						require.NotEmpty(t, r.Remedy, "what to do about it")
					}
					return
				}
			}
			require.Fail(t, "the mistake is not named", "%+v", found)
		})
	}
}

func TestWithoutAMistakeNothingIsNamed(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(*patient){
		"as GitHub hands out the key": func(*patient) {},
		"a key with the line ends of Windows": keyOf(func(pem string) string {
			return strings.ReplaceAll(pem, "\n", "\r\n")
		}),
		"a converted key": keyOf(func(string) string {
			return reencoded("PRIVATE KEY", func() ([]byte, error) { return x509.MarshalPKCS8PrivateKey(sharedKey()) })
		}),
		"owners in other letters": set("TENON_ALLOWED_OWNERS", "ACME"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPatient(t, simhttp.Options{})
			plant(p)
			p.install(sim.Installation{Owner: "acme"})
			checks := map[string]bool{}
			for _, r := range p.examined() {
				checks[r.Check] = true
				if !strings.Contains(r.Text, "its base URL begins with http://") { // as that of the model is
					require.Equal(t, doctor.OK, r.Status, "%+v", r)
				}
			}
			require.Len(t, checks, len(doctor.Checks()), "each check was made")
		})
	}
}
