package register

import (
	"context"
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func site(t *testing.T, address string) config.Site {
	t.Helper()
	s, err := config.SiteAt(address)
	require.NoError(t, err)
	return s
}

func TestTheWebhookIsBelowThePublicAddress(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"https://tenon.acme.com":          "https://tenon.acme.com/webhook",
		" https://Tenon.acme.com/ ":       "https://tenon.acme.com/webhook",
		"tenon.acme.com":                  "https://tenon.acme.com/webhook",
		"https://acme.com/bots/tenon/":    "https://acme.com/bots/tenon/webhook",
		"https://tenon.acme.com/webhook":  "https://tenon.acme.com/webhook",
		"https://tenon.acme.com/webhook/": "https://tenon.acme.com/webhook",
		"http://[2001:db8::1]:8080":       "http://[2001:db8::1]:8080/webhook",
	} {
		got, err := hookURL(public, site(t, "https://github.com"))
		require.NoError(t, err, public)
		require.Equal(t, want, got)
	}
}

// What GitHub cannot reach is said before anything is registered.
func TestAnAddressThatGitHubCannotReachIsSuspicious(t *testing.T) {
	t.Parallel()
	hosts := map[string]string{"inside.acme.com": "10.1.2.3", "shared.acme.com": "100.64.1.1",
		"self.acme.com": "127.0.0.1", "both.acme.com": "203.0.113.1", "six.acme.com": "fd00::1"}
	lookup := func(_ context.Context, host string) ([]netip.Addr, error) {
		if text, ok := hosts[host]; ok {
			return []netip.Addr{netip.MustParseAddr(text)}, nil
		}
		return nil, &net.DNSError{IsNotFound: true, Name: host}
	}
	const cloud, enterprise = "https://github.com", "https://ghe.acme.com"
	for _, c := range []struct{ public, github, want string }{
		{"https://both.acme.com", cloud, ""},
		{"https://localhost:8080", cloud, "this machine alone"},
		{"https://tenon.localhost", cloud, "this machine alone"},
		{"https://127.0.0.1", cloud, "this machine alone"},
		{"https://[::1]", cloud, "this machine alone"},
		{"https://0.0.0.0:8080", cloud, "this machine alone"},
		{"https://[::ffff:127.0.0.1]", cloud, "this machine alone"},
		{"https://10.0.0.5", cloud, "a private address"},
		{"https://192.168.1.4:8443", cloud, "a private address"},
		{"https://169.254.169.254", cloud, "a private address"},
		{"https://100.100.1.1", cloud, "a private address"},
		{"https://[fe80::1]", cloud, "a private address"},
		{"https://[fd12::1]", cloud, "a private address"},
		{"https://tenon", cloud, "known in your network alone"},
		{"https://tenon.corp", cloud, "known in your network alone"},
		{"https://tenon.tools.svc.cluster.local", cloud, "known in your network alone"},
		{"https://inside.acme.com", cloud, "has a private address here (10.1.2.3)"},
		{"https://shared.acme.com", cloud, "has a private address here"},
		{"https://six.acme.com", "https://acme.ghe.com", "has a private address here (fd00::1)"},
		{"https://self.acme.com", cloud, "this machine alone"},
		{"https://missing.acme.com", cloud, "There is no host missing.acme.com"},
		{"http://both.acme.com", cloud, "are not encrypted"},
		{"https://8.8.8.8", cloud, ""},
		{"https://inside.acme.com", enterprise, ""},
		{"https://10.0.0.5", enterprise, ""},
		{"https://tenon.corp", enterprise, "There is no host tenon.corp"},
		{"https://127.0.0.1", enterprise, "the machine that GitHub runs on"},
		{"https://self.acme.com", enterprise, "the machine that GitHub runs on"},
	} {
		at := site(t, c.github)
		hook, err := hookURL(c.public, at)
		require.NoError(t, err, c.public)
		got := suspicions(t.Context(), hook, at, lookup)
		if c.want == "" {
			require.Empty(t, got, c.public)
			continue
		}
		require.Len(t, got, 1, c.public)
		require.Contains(t, got[0].Text, c.want, c.public)
		require.NotEmpty(t, got[0].Remedy)
	}
}

func TestTheInstallationIsOnTheSameGitHub(t *testing.T) {
	t.Parallel()
	r := Registered{App: App{Slug: "tenon-acme", URL: "https://evil.example/apps/tenon-acme"},
		Site: site(t, "https://github.com")}
	require.Equal(t, "https://github.com/apps/tenon-acme/installations/new", r.InstallURL())
	r.Site = site(t, "https://ghe.acme.com")
	require.Equal(t, "https://ghe.acme.com/github-apps/tenon-acme/installations/new", r.InstallURL())
	r.App.URL = "https://ghe.acme.com/github-apps/x"
	require.Equal(t, "https://ghe.acme.com/github-apps/x/installations/new", r.InstallURL())
}
