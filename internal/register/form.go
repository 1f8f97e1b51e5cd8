package register

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/text"
)

// maxField bounds the text of a field, in bytes.
const maxField = 500

// maxName is GitHub's bound for the name of an App, in characters.
const maxName = 34

// probeTime bounds the question whether a GitHub answers.
const probeTime = 10 * time.Second

// form is what a person entered.
type form struct{ GitHub, Account, Organization, Name, Public string }

// wish is a form that was checked.
type wish struct {
	site               config.Site
	organization, name string // no organization is the person's own account
	hook               string
}

func readForm(r *http.Request) (form, error) {
	if err := r.ParseForm(); err != nil {
		return form{}, err
	}
	get := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	return form{GitHub: get("github"), Account: get("account"), Organization: get("organization"), Name: get("name"),
		Public: get("public")}, nil
}

// organizationRule is GitHub's rule for the names of organisations.
var organizationRule = regexp.MustCompile(`^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$`)

// check returns what a form asks for, and what is wrong with its fields by their names.
func (p *Page) check(ctx context.Context, f form) (w wish, faults map[string]string) {
	faults = map[string]string{}
	w.site = p.opts.Site
	if w.site == (config.Site{}) {
		w.site = chosenSite(f.GitHub, faults)
	}
	if f.Account == "organization" {
		w.organization = f.Organization
		if !organizationRule.MatchString(w.organization) {
			faults["organization"] = "Enter the organisation's name as in its address, such as acme in " +
				"https://github.com/acme"
		}
	}
	if w.name = f.Name; w.name == "" {
		w.name = defaultName(w.organization)
	}
	if len([]rune(w.name)) > maxName || strings.ContainsFunc(w.name, isControl) {
		faults["name"] = "GitHub allows 34 characters at most. Use letters, digits and hyphens."
	}
	var err error
	if w.hook, err = hookURL(f.Public, w.site); err != nil {
		faults["public"] = err.Error()
	}
	if len(faults) > 0 {
		return w, faults
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := p.opts.GitHub.Probe(ctx, w.site); err != nil {
		faults["github"] = "tenon cannot use this GitHub: " + clip(err.Error())
	}
	return w, faults
}

func chosenSite(text string, faults map[string]string) config.Site {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	site, err := config.SiteAt(text)
	if err != nil || len(text) > maxField {
		faults["github"] = "Enter the address of GitHub, such as https://github.com or https://github.example.com"
	}
	return site
}

// defaultName returns a name that is likely to be free: all Apps of a GitHub have different ones.
func defaultName(organization string) string {
	if organization == "" {
		return "tenon-" + strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(newToken(), "")[:6])
	}
	name := "tenon-" + strings.ToLower(organization)
	return strings.TrimRight(name[:min(len(name), maxName)], "-")
}

// newAppURL returns GitHub's page that takes a manifest.
func (w wish) newAppURL() string {
	if w.organization == "" {
		return w.site.Web + "settings/apps/new"
	}
	return w.site.Web + "organizations/" + url.PathEscape(w.organization) + "/settings/apps/new"
}

// guessPublic returns an origin if GitHub may be able to reach it, else "".
func guessPublic(origin string) string {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" || !strings.Contains(u.Hostname(), ".") {
		return ""
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return ""
	}
	return origin
}

// clip bounds a text that comes from elsewhere.
func clip(s string) string { return text.Clip(s, 400) }
