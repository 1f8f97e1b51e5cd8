package config

import (
	"errors"
	"net/url"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/schema"
)

// Regular expressions of the settings of the pages.
var (
	portForm = `(?::` + schema.Digits(1, 65535, false) + `)?`
	// publicForm is an origin, encrypted unless the browser is on the same machine.
	publicForm = `^\s*(?:[hH][tT][tT][pP][sS]://(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*)` + portForm +
		`|[hH][tT][tT][pP]://(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])` + portForm + `)/*\s*$`
	// clientIDForm excludes clientIDNumber, which is the App's id.
	clientIDForm, clientIDNumber = `^\s*[A-Za-z0-9][A-Za-z0-9._-]{0,99}\s*$`, `^\s*[0-9.]+\s*$`
	// clientSecretForm has the least length of a secret from which keys are made. GitHub's have 40 digits.
	clientSecretForm = `^\s*[!-~]{20,200}\s*$`

	publicURL    = regexp.MustCompile(publicForm)
	clientID     = regexp.MustCompile(clientIDForm)
	appNumber    = regexp.MustCompile(clientIDNumber)
	clientSecret = regexp.MustCompile(clientSecretForm)
)

func setPublicURL(s *Server, text string) error {
	var base string
	if err := setURL(&base, text); err != nil {
		return err
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("is not a URL; write it with its scheme, like https://tenon.example.com")
	case u.Path != "/":
		return errors.New("has a path; the pages need a host of their own, like https://tenon.example.com")
	case unencrypted(base):
		return errors.New("begins with http://, so that everybody on the way could read the pages; use https:// " +
			"(http:// is allowed for localhost alone)")
	case !publicURL.MatchString(text):
		return errors.New("has no host that a browser accepts; write it like https://tenon.example.com")
	}
	u.Host = strings.ToLower(u.Host)
	if (u.Scheme == "https" && u.Port() == "443") || (u.Scheme == "http" && u.Port() == "80") {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	s.PublicURL = u.Scheme + "://" + u.Host
	return nil
}

func setOperators(s *Server, text string) (err error) {
	s.Operators, err = logins(text)
	if err == nil && len(s.Operators) == 0 {
		return errors.New("has no login; list at least one, or leave it out if there are no operators")
	}
	return err
}

func setClientID(s *Server, text string) error {
	switch {
	case appNumber.MatchString(text):
		return errors.New("is a number, like the App ID; the Client ID is below it on the page of your GitHub App, and " +
			`begins with "Iv"`)
	case !clientID.MatchString(text):
		return errors.New(`is not a Client ID; it is on the page of your GitHub App, and begins with "Iv"`)
	}
	s.ClientID = strings.TrimSpace(text)
	return nil
}

func setClientSecret(s *Server, text string) error {
	if !clientSecret.MatchString(text) {
		return errors.New("is not a client secret, which has 20 characters or more and no space; generate one on the page " +
			"of your GitHub App, below its Client ID")
	}
	secret := strings.TrimSpace(text)
	if quoted(secret) {
		return errors.New(whyQuoted)
	}
	s.ClientSecret = NewSecret(secret)
	return nil
}

// pages requires what signing in needs, if there are pages.
func (r *reader) pages() {
	if _, on := r.lookup("public_url"); !on {
		return
	}
	r.missing("client_id", "is not set, and nobody can sign in to the pages at TENON_PUBLIC_URL without it; it is the "+
		"text called Client ID on the page of your GitHub App")
	r.missing("client_secret", "is not set, and nobody can sign in to the pages at TENON_PUBLIC_URL without it; generate "+
		"a client secret on the page of your GitHub App, below its Client ID")
}
