package doctor

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

func (v *visit) installations(ctx context.Context) []Result {
	if v.registered == nil {
		return skipped(notAsked)
	}
	var err error
	if v.installed, v.complete, err = v.GitHub.Installations(ctx); err != nil {
		return []Result{failed(because(err), "try again; if it stays, look at https://www.githubstatus.com", "")}
	}
	v.listed = true
	if len(v.installed) == 0 {
		return []Result{failed("nobody has installed the App, so no comment reaches it", "install it for an account and its "+
			"repositories", v.appPage("installations"))}
	}
	var all []string
	var found []Result
	for _, in := range v.installed {
		all = append(all, in.Account)
		if !v.serves(in.Account) {
			continue
		}
		if r, wrong := v.installation(in); wrong {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return ok(fmt.Sprintf("installed by %s: %s", count(len(v.installed), "account"), list(all)))
	}
	const most = 20
	if more := len(found) - most; more > 0 {
		found = append(found[:most], warning(fmt.Sprintf("and %d more installations like these", more), "", ""))
	}
	return found
}

// serves reports whether commands in the repositories of an account are carried out.
func (v *visit) serves(account string) bool {
	same := func(owner string) bool { return strings.EqualFold(owner, account) }
	return len(v.Owners) == 0 || slices.ContainsFunc(v.Owners, same)
}

// installation looks at one installation. Permissions that the App itself does not have are told of apart.
func (v *visit) installation(in port.Installation) (r Result, wrong bool) {
	if in.Suspended {
		return warning("the installation of "+quoted(in.Account)+" is suspended: GitHub delivers nothing from there",
			"its owner, or the App's, has to unsuspend it", v.installationPage(in)), true
	}
	var names, all []string
	for _, p := range v.Manifest.MissingPermissions(in.Permissions) {
		if !slices.Contains(v.Manifest.MissingPermissions(v.registered.Permissions), p) {
			names, all = append(names, p.Name), append(all, p.String())
		}
	}
	if len(names) == 0 {
		return r, false
	}
	status, lost := without(permissionUses, names)
	return Result{Status: status, Link: v.installationPage(in, "permissions", "update"),
		Text:   quoted(in.Account) + " has not accepted the permission " + strings.Join(all, ", ") + ": there, " + lost,
		Remedy: "an owner of " + quoted(in.Account) + " has to review and accept it"}, true
}

func (v *visit) owners(context.Context) (found []Result) {
	if !v.listed {
		return skipped(notAsked)
	}
	if len(v.Owners) == 0 {
		return ok("every account that installs the App is served, as TENON_ALLOWED_OWNERS is not set")
	}
	var absent, others []string
	for _, owner := range v.Owners {
		same := func(in port.Installation) bool { return strings.EqualFold(in.Account, owner) }
		if !slices.ContainsFunc(v.installed, same) {
			absent = append(absent, owner)
		}
	}
	for _, in := range v.installed {
		if !v.serves(in.Account) {
			others = append(others, in.Account)
		}
	}
	slices.Sort(others)
	told := ""
	if len(others) > 0 {
		told = "; " + list(others) + " installed it and is not served"
	}
	switch {
	case len(absent) == 0:
		return ok("served: " + list(v.Owners) + told)
	case !v.complete:
		return skipped("there are too many installations to look for " + list(absent))
	case len(absent) == len(v.Owners) && len(v.installed) > 0:
		return []Result{failed("TENON_ALLOWED_OWNERS is "+list(v.Owners)+", and none of them has installed the App"+told+
			", so nobody is served", "write the logins as GitHub does, or install the App there", v.appPage("installations"))}
	}
	return []Result{warning("TENON_ALLOWED_OWNERS names "+list(absent)+", where the App is not installed"+told,
		"correct the login, or install the App there", v.appPage("installations"))}
}

// Installation is an installation, and whether tenon works there.
type Installation struct {
	port.Installation
	// Served is false if commands in its repositories are not carried out.
	Served bool
	// Found is what is wrong, with the status OK if nothing is.
	Found Result
}

// Installations looks at each installation, as Run does. all is false if there are too many to list.
func Installations(ctx context.Context, s Server) (list []Installation, all bool, err error) {
	v := &visit{Server: s}
	v.web, _ = url.Parse(s.Git)
	app, err := s.GitHub.App(ctx)
	if err != nil {
		return nil, false, err
	}
	v.registered = &app
	installed, all, err := s.GitHub.Installations(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, in := range installed {
		found := Installation{Installation: in, Served: v.serves(in.Account), Found: Result{Status: OK}}
		if r, wrong := v.installation(in); wrong {
			found.Found = r.clean()
		}
		list = append(list, found)
	}
	return list, all, nil
}
