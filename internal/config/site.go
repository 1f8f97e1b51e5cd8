package config

import (
	"errors"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/bot/schema"
)

// Site is one GitHub: github.com, a GitHub Enterprise Server, or a host of GitHub Enterprise Cloud with data residency.
// The URLs end in a slash.
type Site struct {
	// Web is where people go, API the base URL of the REST API, Git what comes before "owner/name.git".
	Web, API, Git string
}

// gitHubCom is github.com.
var gitHubCom = Site{Web: "https://github.com/", API: "https://api.github.com/", Git: "https://github.com/"}

// residency ends the hosts of Enterprise Cloud with data residency.
const residency = ".ghe.com"

// SiteAt returns the site at an address that people use in a browser. The address of its API will do, too.
func SiteAt(web string) (Site, error) {
	var text string
	if err := setURL(&text, web); err != nil {
		return Site{}, err
	}
	u, err := url.Parse(text)
	if err != nil {
		return Site{}, errors.New("is not a URL; write it with its scheme, like https://github.example.com/")
	}
	u.Host = strings.ToLower(u.Host)
	switch path := strings.TrimSuffix(u.Path, "api/v3/"); {
	case path != "/" || u.RawPath != "":
		return Site{}, errors.New("has a path; write the address of the site alone, like https://github.example.com/")
	case u.Host == "github.com" || u.Host == "www.github.com" || u.Host == "api.github.com":
		return gitHubCom, nil
	case strings.HasSuffix(u.Host, residency):
		host := strings.TrimPrefix(u.Host, "api.")
		return Site{Web: "https://" + host + "/", API: "https://api." + host + "/", Git: "https://" + host + "/"}, nil
	}
	base := u.Scheme + "://" + u.Host + "/"
	return Site{Web: base, API: base + "api/v3/", Git: base}, nil
}

// IsCloud reports whether the site is on the Internet: github.com, or a host of Enterprise Cloud.
func (s Site) IsCloud() bool {
	u, err := url.Parse(s.Web)
	return err == nil && (u.Hostname() == "github.com" || strings.HasSuffix(u.Hostname(), residency))
}

// Host returns the host of the site as people know it.
func (s Site) Host() string {
	u, err := url.Parse(s.Web)
	if err != nil {
		return ""
	}
	return u.Host
}

// siteForm is what SiteAt accepts.
func siteForm() schema.Schema {
	return schema.Text(`^\s*` + hostForm + `(?:/|/api/v3/*)?\s*$`)
}

func setSite(s *Server, text string) (err error) {
	s.GitHub, err = SiteAt(text)
	return err
}
