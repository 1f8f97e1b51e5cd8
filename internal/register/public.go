package register

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/config"
)

// lookupTime bounds the question for the addresses of a host.
const lookupTime = 3 * time.Second

// Warning is something that works for some people only.
type Warning struct{ Text, Remedy string }

const remedyTunnel = "Put the server behind a reverse proxy that is reachable from the Internet. For a trial, " +
	"a tunnel will do (for example cloudflared tunnel --url http://localhost:8080): enter the https:// address that " +
	"it prints."

// hookURL returns the URL of the webhook of a server that is reachable under a public URL.
func hookURL(public string, site config.Site) (string, error) {
	public = strings.TrimSpace(public)
	if public == "" {
		return "", errors.New("Enter the address under which GitHub reaches this server.") //nolint:staticcheck // a sentence
	}
	if !strings.Contains(public, "://") {
		public = "https://" + public
	}
	u, err := url.Parse(public)
	switch {
	case len(public) > maxField || err != nil || u.Scheme != "https" && u.Scheme != "http" || !isHost(u.Hostname()):
		return "", errors.New("This is not a URL. Write it like https://tenon.example.com") //nolint:staticcheck // as above
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		//nolint:staticcheck // as above
		return "", errors.New("Leave out user names, passwords, and what follows “?” or “#”.")
	case strings.EqualFold(u.Host, site.Host()):
		//nolint:staticcheck // as above
		return "", errors.New("This is the address of GitHub. Enter the address of the server that runs tenon.")
	}
	u.Host = strings.ToLower(u.Host)
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/webhook") + "/webhook"
	u.RawPath = ""
	return u.String(), nil
}

// isHost reports whether a name can be a host of a URL.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return len(host) <= 253 && nameRule.MatchString(host)
}

// nameRule is for the names of hosts, where underscores happen.
var nameRule = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// suspicions returns what may keep GitHub's deliveries from arriving at a webhook's URL.
func suspicions(ctx context.Context, hook string, site config.Site, lookup Lookup) (list []Warning) {
	u, err := url.Parse(hook)
	if err != nil {
		return nil
	}
	if u.Scheme == "http" {
		list = append(list, Warning{"Deliveries to an http:// address are not encrypted: everybody on the way can read the " +
			"comments and code of private repositories.", "Let a reverse proxy answer HTTPS, and enter the https:// address."})
	}
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return append(list, ofAddress(host, addr.Unmap(), site)...)
	}
	if w := ofName(host, site); w != nil {
		return append(list, *w)
	}
	return append(list, ofLookup(ctx, host, site, lookup)...)
}

// localNames end the names that no other network knows.
var localNames = []string{".local", ".internal", ".intranet", ".lan", ".home", ".corp", ".private", ".home.arpa",
	".test", ".example", ".invalid", ".svc", ".cluster.local"}

// ofName returns what is wrong with a name by itself.
func ofName(host string, site config.Site) *Warning {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return loopback(host, site)
	}
	isLocal := !strings.Contains(name, ".")
	for _, end := range localNames {
		isLocal = isLocal || strings.HasSuffix(name, end)
	}
	if isLocal && site.IsCloud() {
		return &Warning{host + " is a name that is known in your network alone. " + site.Host() + " cannot reach it.",
			remedyTunnel}
	}
	return nil
}

func ofAddress(host string, addr netip.Addr, site config.Site) []Warning {
	switch {
	case addr.IsLoopback() || addr.IsUnspecified():
		return []Warning{*loopback(host, site)}
	case isPrivate(addr) && site.IsCloud():
		return []Warning{{host + " is a private address. " + site.Host() + " cannot reach it.", remedyTunnel}}
	}
	return nil
}

// ofLookup asks for the addresses of a host. Here may be another place than GitHub, so it proves nothing.
func ofLookup(ctx context.Context, host string, site config.Site, lookup Lookup) []Warning {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	addrs, err := lookup(ctx, host)
	var notFound *net.DNSError
	if errors.As(err, &notFound) && notFound.IsNotFound {
		return []Warning{{"There is no host " + host + ", as far as this server can see.",
			"Check the spelling. If the name is new, add it to the DNS before you install the App."}}
	}
	if err != nil || len(addrs) == 0 {
		return nil
	}
	for _, addr := range addrs {
		if !isPrivate(addr.Unmap()) && !addr.IsLoopback() {
			return nil
		}
	}
	if addrs[0].IsLoopback() {
		return []Warning{*loopback(host, site)}
	}
	if !site.IsCloud() {
		return nil
	}
	return []Warning{{host + " has a private address here (" + addrs[0].String() + "). " + site.Host() +
		" cannot reach that.", "If the name has another address on the Internet, go on. Otherwise: " + remedyTunnel}}
}

func loopback(host string, site config.Site) *Warning {
	if site.IsCloud() {
		return &Warning{host + " is this machine alone. " + site.Host() + " cannot reach it.", remedyTunnel}
	}
	return &Warning{"For " + site.Host() + ", " + host + " is the machine that GitHub runs on.",
		"Enter the name or address that " + site.Host() + " can reach this server by."}
}

var sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")

// isPrivate reports whether an address cannot be reached from the Internet.
func isPrivate(addr netip.Addr) bool {
	return addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsLinkLocalMulticast() || addr.IsMulticast() ||
		addr.IsUnspecified() || sharedAddresses.Contains(addr)
}
