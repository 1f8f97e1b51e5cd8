package register

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/internal/config"
)

// App is a GitHub App as GitHub hands it out when it is registered.
type App struct {
	ID         int64
	Slug, Name string
	// Owner is the login of the user or organisation that owns it.
	Owner string
	// URL is the App's page.
	URL                       string
	PrivateKey, WebhookSecret config.Secret
	// ClientID and ClientSecret are what people sign in with on the pages; empty if GitHub gave none.
	ClientID     string
	ClientSecret config.Secret
}

// Registered is an App and where it is.
type Registered struct {
	App  App
	Site config.Site
	// Hook is the URL of its webhook.
	Hook string
}

// InstallURL returns the page on which the App is installed.
func (r Registered) InstallURL() string {
	page := strings.TrimSuffix(r.App.URL, "/")
	if !strings.HasPrefix(page, r.Site.Web) { // never lead people elsewhere
		below := "github-apps/"
		if r.Site.IsCloud() {
			below = "apps/"
		}
		page = r.Site.Web + below + url.PathEscape(r.App.Slug)
	}
	return page + "/installations/new"
}

// check returns an error for an answer of GitHub that is not complete.
func (a App) check() error {
	switch {
	case a.ID <= 0:
		return errors.New("GitHub's answer has no id of the App")
	case !strings.Contains(a.PrivateKey.Reveal(), "PRIVATE KEY-----"):
		return errors.New("GitHub's answer has no private key")
	case !a.WebhookSecret.IsSet() || strings.ContainsFunc(a.WebhookSecret.Reveal(), isControl):
		return errors.New("GitHub's answer has no webhook secret")
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r > '~' }

// GitHub is what this package needs of GitHub.
type GitHub interface {
	// Probe returns an error that says what is wrong unless the API of a site answers.
	Probe(ctx context.Context, site config.Site) error
	// Convert exchanges a code for the App. The error wraps ErrCode if GitHub does not accept the code.
	Convert(ctx context.Context, site config.Site, code string) (App, error)
}

// ErrCode is the error of a code that GitHub does not know: it was used, or is older than an hour.
var ErrCode = errors.New("GitHub does not know the code")

// Lookup returns the addresses of a host.
type Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
