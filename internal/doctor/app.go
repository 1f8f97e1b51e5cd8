package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

func (v *visit) settings(context.Context) (list []Result) {
	for _, p := range v.Problems {
		remedy := "correct it and start again; docs/settings.md lists all settings"
		if p.Name == "TENON_APP_ID" && v.AppID == 0 {
			remedy = "`tenon setup` registers an App, and writes its settings"
		}
		list = append(list, failed(p.Name+" "+strings.TrimPrefix(p.Text, " "), remedy, ""))
	}
	for _, w := range v.Warnings {
		list = append(list, warning(w, "", ""))
	}
	if len(list) == 0 {
		return ok(v.Settings)
	}
	return list
}

func (v *visit) key(context.Context) []Result {
	switch {
	case v.Key != nil:
		return []Result{failed(because(v.Key), "generate a new key under \"Private keys\" on the App's page and store the "+
			"whole file", v.appPage())}
	case v.GitHub == nil:
		return skipped("the settings name no App")
	}
	return ok("the private key is a whole RSA key")
}

func (v *visit) github(ctx context.Context) []Result {
	if r, wrong := v.addresses(); wrong {
		return []Result{r}
	}
	if v.GitHub == nil {
		return skipped("the settings name no App that could ask")
	}
	ahead, err := v.GitHub.Clock(ctx)
	var refused *port.AppRefusedError
	switch {
	case errors.As(err, &refused):
		return []Result{failed("what answers at "+v.API+" is not GitHub's API", "correct TENON_GITHUB_API_URL: it is "+
			"https://HOST/api/v3/ for a GitHub Enterprise Server, and left out for github.com", "")}
	case err != nil && isUntrusted(err):
		return []Result{failed(because(err), "name the certificate of your authority by SSL_CERT_FILE", "")}
	case err != nil:
		return []Result{failed(because(err), "look at the network, DNS and proxy (HTTPS_PROXY, NO_PROXY) of this machine, "+
			"and at https://www.githubstatus.com", "")}
	}
	v.ahead, v.reached = ahead, true
	return ok(v.API + " answers")
}

// isUntrusted reports whether an error is that of a certificate. Its type is the transport's.
func isUntrusted(err error) bool { return strings.Contains(err.Error(), "certificate") }

// addresses looks at the addresses themselves: a wrong one can answer, too.
func (v *visit) addresses() (r Result, wrong bool) {
	api, err := url.Parse(v.API)
	if err != nil || v.web == nil {
		return r, false // the settings say so
	}
	of := strings.ToLower(api.Hostname())
	git := strings.ToLower(v.web.Hostname())
	dotCom := of == "api.github.com"
	cloud := strings.HasSuffix(of, ".ghe.com")
	switch {
	case of == "github.com" || cloud && !strings.HasPrefix(of, "api."):
		return failed("TENON_GITHUB_API_URL is the address of a site, not of its API",
			"set it to https://api."+of+"/", ""), true
	case !dotCom && !cloud && !strings.HasPrefix(api.Path, "/api/v3"):
		return failed("TENON_GITHUB_API_URL is "+v.API+", which is not where the API of a GitHub Enterprise Server is",
			fmt.Sprintf("set it to %s://%s/api/v3/", api.Scheme, api.Host), ""), true
	case strings.TrimPrefix(of, "api.") != git && (dotCom || git == "github.com"):
		return failed(fmt.Sprintf("TENON_GITHUB_API_URL is on %s, and TENON_GITHUB_GIT_URL on %s", of, git),
			"set both to the same GitHub; leave both out for github.com", ""), true
	}
	return r, false
}

// suspicious is how far a clock is from GitHub's that is not kept right.
const suspicious = 20 * time.Second

func (v *visit) clock(context.Context) []Result {
	if !v.reached {
		return skipped("GitHub did not say what time it is")
	}
	if v.ahead.Abs() > suspicious {
		return []Result{warning("this machine's clock is "+port.ClockOff(v.ahead)+"; tenon uses GitHub's time in its "+
			"requests to GitHub, and the machine's for all else", "let the machine's time be set by NTP, as with "+
			"`timedatectl set-ntp true`", "")}
	}
	return ok("the clock agrees with GitHub's; budgets of a day start at 00:00 UTC, which is " +
		v.Now().UTC().Truncate(24*time.Hour).In(v.Now().Location()).Format("15:04 MST") + " here")
}

func (v *visit) app(ctx context.Context) []Result {
	if v.GitHub == nil || !v.reached {
		return skipped(notAsked)
	}
	app, err := v.GitHub.App(ctx)
	if err != nil {
		return []Result{v.refused(err)}
	}
	v.registered = &app
	text := fmt.Sprintf("the App is %s (@%s), of %s", quoted(app.Name), quoted(app.Slug), quoted(app.Owner))
	if v.Slug != "" && !strings.EqualFold(v.Slug, app.Slug) {
		return []Result{warning(fmt.Sprintf("%s, but TENON_APP_SLUG is %s: commands that begin with @%s are not seen", text,
			quoted(v.Slug), quoted(app.Slug)), "leave TENON_APP_SLUG out, or correct TENON_APP_ID", "")}
	}
	return ok(text)
}

// refused says which of the App's id, key and clock GitHub did not accept.
func (v *visit) refused(err error) Result {
	var refused *port.AppRefusedError
	if !errors.As(err, &refused) {
		return failed(because(err), "try again; if it stays, look at https://www.githubstatus.com", "")
	}
	switch refused.Why {
	case port.WrongClock:
		return failed("GitHub refuses the App because this machine's clock is "+refused.Off(), "set the clock", "")
	case port.UnknownApp:
		return failed(fmt.Sprintf("there is no App with the id %d on %s", v.AppID, v.web.Host), "set TENON_APP_ID to the "+
			"number called App ID on the page of the App, which is neither its Client ID nor the id of an installation",
			v.appPage())
	case port.WrongKey:
		return failed(fmt.Sprintf("there is an App with the id %d, and the private key is not one of its keys: the id or "+
			"the key is another App's. The key's fingerprint is %s", v.AppID, refused.Fingerprint),
			"look on the App's page whether its App ID is TENON_APP_ID, and whether \"Private keys\" lists this fingerprint; "+
				"if it does not, generate a new key there", v.appPage())
	}
	return failed("what answers at "+v.API+" does not know about Apps", "correct TENON_GITHUB_API_URL: it is "+
		"https://HOST/api/v3/ for a GitHub Enterprise Server, and left out for github.com", "")
}

// use says what a permission or an event is for: what is left out without it, or "" if nothing works.
type use struct{ name, without string }

// permissionUses and eventUses have a row for each permission and event of app.yml.
var (
	permissionUses = []use{
		{"actions", "the model is not shown the logs of failed jobs"},
		{"checks", "commands have no check run, and CI is read from commit statuses alone"},
		{"contents", ""},
		{"issues", ""},
		{"metadata", ""},
		{"pull_requests", ""},
		{"statuses", "services that report by commit statuses are not seen"},
	}
	eventUses = []use{
		{"issue_comment", ""},
		{"issues", "commands in the text of an issue, and labels on issues, are not seen"},
		{"pull_request_review", "commands in the text of a review are not seen"},
		{"pull_request_review_comment", "commands in comments on lines are not seen"},
		{"pull_request", "labels on pull requests are not seen, nor that one was closed"},
		{"check_run", "the buttons of check runs do nothing"},
		{"check_suite", "the answers learn late what CI says"},
		{"workflow_run", "the answers learn late what CI says"},
		{"status", "the answers learn late what CI says"},
	}
)

// without returns the worse status, and what is left out without some permissions or events.
func without(uses []use, names []string) (Status, string) {
	var parts []string
	for _, u := range uses {
		if !slices.Contains(names, u.name) || slices.Contains(parts, u.without) {
			continue
		}
		if u.without == "" {
			return Failed, "tenon cannot work without"
		}
		parts = append(parts, u.without)
	}
	return Warning, strings.Join(parts, "; ")
}

func (v *visit) permissions(context.Context) []Result {
	if v.registered == nil {
		return skipped(notAsked)
	}
	missing := v.Manifest.MissingPermissions(v.registered.Permissions)
	if len(missing) == 0 {
		return ok("the App has all permissions of app.yml")
	}
	var names, all []string
	for _, p := range missing {
		names, all = append(names, p.Name), append(all, p.String())
	}
	status, lost := without(permissionUses, names)
	return []Result{{Status: status, Text: "the App lacks the permission " + strings.Join(all, ", ") + ": " + lost,
		Remedy: "add it under \"Repository permissions\"; the owners of installations are asked to accept it",
		Link:   v.appPage("permissions")}}
}

func (v *visit) events(context.Context) []Result {
	if v.registered == nil {
		return skipped(notAsked)
	}
	missing := v.Manifest.MissingEvents(v.registered.Events)
	if len(missing) == 0 {
		return ok("the App is subscribed to all events of app.yml")
	}
	status, lost := without(eventUses, missing)
	return []Result{{Status: status, Text: "the App is not subscribed to the event " + strings.Join(missing, ", ") + ": " +
		lost, Remedy: "tick it under \"Subscribe to events\"; GitHub lists an event when the App has its permission",
		Link: v.appPage("permissions")}}
}
