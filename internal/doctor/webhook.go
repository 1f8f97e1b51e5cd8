package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

func (v *visit) webhook(ctx context.Context) (list []Result) {
	if v.registered == nil {
		return skipped(notAsked)
	}
	hook, err := v.GitHub.Hook(ctx)
	switch {
	case errors.Is(err, port.ErrNotFound) || err == nil && hook.URL == "":
		return []Result{failed("the App has no webhook, so GitHub delivers nothing", "tick Active below Webhook, and set "+
			"its URL to https://YOUR-HOST"+v.Path, v.appPage())}
	case err != nil:
		return []Result{failed(because(err), "try again; if it stays, look at https://www.githubstatus.com", "")}
	}
	if r := v.hookURL(hook.URL); r.Status != OK {
		list = append(list, r)
	}
	if hook.ContentType != "json" {
		list = append(list, failed("the webhook's content type is "+quoted(hook.ContentType)+", and tenon reads JSON alone",
			"set the content type to application/json", v.appPage()))
	}
	if !hook.HasSecret {
		list = append(list, failed("the webhook has no secret, so tenon refuses its deliveries",
			"set the webhook secret to the text of TENON_WEBHOOK_SECRET", v.appPage()))
	}
	if hook.InsecureTLS {
		list = append(list, warning("GitHub does not verify the certificate of the webhook's URL: others could read the "+
			"deliveries", "enable SSL verification", v.appPage()))
	}
	if len(list) == 0 {
		return ok("GitHub delivers JSON, signed, to " + quoted(hook.URL))
	}
	return list
}

// forwarders are hosts that pass deliveries on to another address.
var forwarders = []string{"smee.io"}

// hookURL looks at the URL of the webhook.
func (v *visit) hookURL(text string) Result {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return failed("the webhook's URL is "+quoted(text)+", which is not a URL", "set it to https://YOUR-HOST"+v.Path,
			v.appPage())
	}
	right := *u
	right.Path, right.RawPath, right.RawQuery = v.Path, "", ""
	is := "the webhook's URL is " + quoted(text)
	host := strings.ToLower(u.Hostname())
	got := path.Clean("/" + u.Path)
	for _, f := range forwarders {
		if host == f {
			return warning(is+": deliveries pass through "+f+", which anybody can read", "use it for trying tenon only",
				v.appPage())
		}
	}
	switch {
	case v.unreachable(host):
		return failed(is+", an address that GitHub cannot reach", "set it to a name that the Internet knows, such as "+
			"https://tenon.example.com"+v.Path, v.appPage())
	case got != v.Path && strings.HasSuffix(got, v.Path):
		return warning(is+": tenon takes deliveries at "+v.Path+", so this works only if a proxy removes "+
			quoted(strings.TrimSuffix(got, v.Path)), "see whether deliveries arrive, or set it to "+right.String(), v.appPage())
	case got != v.Path:
		return failed(is+", and tenon takes deliveries at "+v.Path, "set it to "+right.String(), v.appPage())
	case u.Scheme != "https" && !isLoopback(host):
		right.Scheme = "https"
		return warning(is+": deliveries are not encrypted", "put tenon behind a proxy with a certificate, and set it to "+
			right.String(), v.appPage())
	}
	return Result{Status: OK}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// unreachable reports whether GitHub can surely not reach a host: an Enterprise Server may be in the same network.
func (v *visit) unreachable(host string) bool {
	api, err := url.Parse(v.API)
	if err != nil || isLoopback(api.Hostname()) {
		return false
	}
	if isLoopback(host) || host == "0.0.0.0" || host == "::" {
		return true
	}
	if name := api.Hostname(); name != "api.github.com" && !strings.HasSuffix(name, ".ghe.com") {
		return false
	}
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// kept is for how long GitHub lists attempts.
const kept = 3 * 24 * time.Hour

func (v *visit) deliveries(ctx context.Context) []Result {
	if v.registered == nil {
		return skipped(notAsked)
	}
	page, _, err := v.GitHub.Attempts(ctx, "")
	switch {
	case err != nil:
		return []Result{failed(because(err), "try again; if it stays, look at https://www.githubstatus.com", "")}
	case len(page) == 0:
		return []Result{v.noDeliveries()}
	}
	failures := 0
	for _, a := range page {
		if !a.Succeeded() {
			failures++
		}
	}
	newest := page[0]
	since := ago(v.Now().Sub(newest.At.Add(v.ahead)))
	switch {
	case newest.Succeeded() && failures == 0:
		return ok(fmt.Sprintf("the newest delivery arrived %s, and so did the %d before it", since, len(page)-1))
	case newest.Succeeded():
		return ok(fmt.Sprintf("the newest delivery arrived %s; %d of the last %d did not, and are asked for again", since,
			failures, len(page)))
	case v.Starting && isOutage(newest):
		return ok(fmt.Sprintf("the newest delivery did not arrive, %s, before this start; what never arrived is asked "+
			"for again", since))
	}
	answer, err := v.GitHub.Answer(ctx, newest.ID)
	if err != nil {
		answer = "" // it is a help only
	}
	text := fmt.Sprintf("the newest delivery, %s, failed (%d of the last %d did)", since, failures, len(page))
	return []Result{v.undelivered(newest, answer, text)}
}

// noDeliveries is the result when GitHub has delivered nothing. That an installation was made, it delivers to every
// App whose webhook is active.
func (v *visit) noDeliveries() Result {
	const remedy = "tick Active below Webhook in the App's settings, save, and comment /tenon help on a pull request"
	for _, in := range v.installed {
		if age := v.Now().Add(-v.ahead).Sub(in.Created); !in.Created.IsZero() && age < kept-time.Hour && age > time.Minute {
			return failed("GitHub has delivered nothing in the last three days, not even that "+quoted(in.Account)+
				" installed the App: its webhook is not active, or had no URL", remedy, v.appPage())
		}
	}
	return warning("GitHub has delivered nothing in the last three days: nobody gave a command, or the webhook is not "+
		"active", "if somebody commented in that time: "+remedy, v.appPage())
}

// isOutage reports whether an attempt failed because nobody was there, or somebody who could not.
func isOutage(a port.Attempt) bool {
	return a.Status == 0 || a.Status >= http.StatusInternalServerError || notReached(a)
}

// notReached reports whether GitHub got no answer. Its own words tell that from an answer with the same status.
func notReached(a port.Attempt) bool {
	said := strings.ToLower(a.Outcome)
	for _, part := range []string{"connect", "timed out", "timeout", "certificate", "ssl", "resolve"} {
		if strings.Contains(said, part) {
			return true
		}
	}
	return a.Status == 0
}

// undelivered says why an attempt failed, and what to do.
func (v *visit) undelivered(a port.Attempt, answer, text string) Result {
	again := "; then press Redeliver for it below Advanced, and run this again"
	r := Result{Status: Failed, Link: v.appPage("advanced")}
	switch {
	case notReached(a):
		r.Text = "GitHub could not reach the webhook's URL: " + quoted(a.Outcome)
		r.Remedy = "look at its DNS name, certificate, firewall and proxy, and whether tenon runs"
	case a.Status == http.StatusUnauthorized:
		r.Text = "the webhook secret in the App's settings is not the one in TENON_WEBHOOK_SECRET (status 401)"
		r.Remedy = "set the same secret in both places"
	case a.Status == http.StatusNotFound, a.Status == http.StatusMethodNotAllowed:
		r.Text = fmt.Sprintf("the webhook's URL leads to something that takes no deliveries (status %d)", a.Status)
		r.Remedy = "set the URL to https://YOUR-HOST" + v.Path + ", and let the proxy pass it to tenon"
	case a.Status == http.StatusUnsupportedMediaType:
		r.Text = "the webhook's content type is not JSON (status 415)"
		r.Remedy = "set the content type to application/json"
	case a.Status == http.StatusRequestEntityTooLarge:
		r.Text = "a proxy before tenon takes no body of this size (status 413)"
		r.Remedy = "let it pass 25 MiB, as by client_max_body_size 25m in nginx"
	case a.Status >= 300 && a.Status < 400:
		r.Text = fmt.Sprintf("the webhook's URL redirects (status %d), and GitHub does not follow redirects", a.Status)
		r.Remedy = "set the URL to where it leads, with https:// and without a slash at its end"
	case a.Status == http.StatusForbidden:
		r.Text = "something before tenon refuses GitHub's requests (status 403)"
		r.Remedy = "let a firewall, a login page or a filter pass POST " + v.Path
	case a.Status >= http.StatusInternalServerError:
		r.Text = fmt.Sprintf("tenon, or a proxy before it, could not take it (status %d)", a.Status)
		r.Remedy = "look whether tenon runs and its log, which has the delivery " + quoted(a.Delivery) + " if it arrived"
	default:
		r.Text = fmt.Sprintf("it was answered with status %d", a.Status)
		r.Remedy = "look at the answer, and in tenon's log for the delivery " + quoted(a.Delivery)
	}
	r.Text, r.Remedy = text+": "+r.Text, r.Remedy+again
	if answer != "" {
		r.Text += ". The answer was: " + answer
	}
	return r
}
