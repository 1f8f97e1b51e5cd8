package caution

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// address matches the host of an address, behind its scheme and what signs somebody in, and that of a connection of a
// shell.
var address = anyOf("(?i)", "",
	form{"//", `\b[a-z][a-z0-9+.-]{1,15}://(?:[^\s/@"'<>` + "`" + `]*@)?` +
		`(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)`},
	form{"/dev/", `/dev/(?:tcp|udp)/([a-z0-9._-]+)`}, form{"//", `\b(?:src|href)=["']//([a-z0-9._-]+)`})

// hosts reports the hosts of addresses in new lines that no changed file named before. Text for people and comments may
// name any.
func (s *search) hosts() {
	type place struct {
		file *file
		line int
		host string
	}
	var named []place
	for _, f := range s.files {
		if f.prose || f.isLock() || f.test {
			continue
		}
		for i, line := range s.fresh(f) {
			if len(s.hostsIn(line)) == 0 || identifies.MatchString(line) {
				continue
			}
			v := s.views(f)[i]
			if v.whole && isCommentLine(line) {
				continue
			}
			for _, host := range s.hostsIn(v.said()) {
				if !isReserved(host) {
					named = append(named, place{f, i + 1, host})
				}
			}
		}
	}
	if len(named) == 0 {
		return
	}
	known := map[string]bool{}
	for _, f := range s.files {
		for _, line := range s.pass(f, f.before) {
			for _, host := range s.hostsIn(line) {
				known[host] = true
			}
		}
	}
	for _, p := range named {
		if !known[p.host] {
			known[p.host] = true
			s.add(Host, p.file, p.line, p.host)
		}
	}
}

// identifies matches lines whose addresses are names, which nobody connects to.
var identifies = regexp.MustCompile(`(?i)\bxmlns\b|schemaLocation|<!DOCTYPE|"\$schema"|"\$id"|\bhomepage\b|` +
	`\blicen[cs]e`)

func (s *search) hostsIn(line string) (out []string) {
	if !s.mayMatch(address, line) {
		return nil
	}
	for _, m := range address.expression.FindAllStringSubmatch(clipLine(line), -1) {
		out = append(out, strings.ToLower(joined(m[1:])))
	}
	return out
}

// reserved are the ends of names that lead to nobody, or to the machine itself.
var reserved = []string{"example.com", "example.org", "example.net", "example", "test", "invalid", "localhost", "local",
	"w3.org", "xmlsoap.org"}

// isReserved reports whether a host is the machine itself, in a private network, or nobody's.
func isReserved(host string) bool {
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	if !strings.Contains(host, ".") {
		return true
	}
	return slices.ContainsFunc(reserved, func(r string) bool { return host == r || strings.HasSuffix(host, "."+r) })
}
