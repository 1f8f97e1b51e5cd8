package caution

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// hostName matches the name or the number of a host as programs read it: letters of other scripts and invisible ones
// too, since they look like others, and escapes of letters.
const hostName = `(?:\[[0-9a-f:.]+\]|` + hostLetter + `(?:(?:[._-]|` + hostLetter + `)*` + hostLetter + `)?)`

const hostLetter = `(?:[a-z0-9\p{Latin}\p{Cyrillic}\p{Greek}\p{Armenian}\x{ad}\x{200b}-\x{200d}\x{2060}\x{feff}]|` +
	`\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{2,6}\}?)`

// address matches the host of an address, behind its scheme and what signs somebody in, or where a program takes what
// has no scheme for one; that of a connection of a shell, and that of git over SSH.
var address = anyOf("(?i)", "",
	form{"//", `\b[a-z][a-z0-9+.-]{1,15}://(?:[^\s/"'<>` + "`" + `]*@)?(` + hostName + `)`},
	form{"/dev/", `/dev/(?:tcp|udp)/([a-z0-9._-]+)`},
	form{"//", `\b(?:src|href)=["']?//(` + hostName + `)`},
	form{"//", `\b(?:import|fetch)[\s(]+["'` + "`" + `]//(` + hostName + `)`},
	form{"git@", `\bgit@(` + hostName + `):`})

// hosts reports the hosts of addresses in new lines that no changed file named before. Text for people and comments may
// name any; in tests, an address counts if the line sends something to it, and in files that a tool writes from
// others, if packages come from it.
func (s *search) hosts() {
	var named []namedHost
	unknown := map[string]bool{}
	for _, f := range s.files {
		for _, n := range s.newHosts(f) {
			if !isReserved(n.host) {
				named, unknown[n.host] = append(named, n), true
			}
		}
	}
	s.forget(unknown)
	for _, n := range named {
		if unknown[n.host] {
			delete(unknown, n.host)
			s.add(n.kind, n.file, n.line, n.host)
		}
	}
}

// namedHost is a host in a new line of a file.
type namedHost struct {
	kind Kind
	file *file
	line int // from 1
	host string
}

// forget removes the hosts that a changed file named before, other than in text for people and in comments: nothing
// has connected to those.
func (s *search) forget(unknown map[string]bool) {
	for _, f := range s.files {
		if f.prose {
			continue
		}
		for _, line := range s.pass(f, f.before) {
			if len(unknown) == 0 {
				return
			}
			if isCommentLine(line) {
				continue
			}
			for _, host := range s.hostsIn(line) {
				delete(unknown, host)
			}
		}
	}
}

// newHosts returns the hosts that the new lines of a file name.
func (s *search) newHosts(f *file) (out []namedHost) {
	if f.prose {
		return nil
	}
	if f.isLock() {
		return s.lockHosts(f)
	}
	for i, line := range s.fresh(f) {
		line = plain(line)
		if len(s.hostsIn(line)) == 0 || f.test && !s.sent(f, i) {
			continue
		}
		v := s.views(f)[i]
		if v.whole && f.isComment(line) {
			continue
		}
		said := strings.ToLower(plain(v.said()))
		for _, host := range s.hostsIn(names.ReplaceAllString(line, "")) {
			if strings.Contains(said, host) {
				out = append(out, namedHost{Host, f, i + 1, host})
			}
		}
	}
	return out
}

// nearLines is how far the call that sends something to an address is from it in tests, in lines.
const nearLines = 3

// sent reports whether a line, or one near it, sends something or reads the environment, where secrets are.
func (s *search) sent(f *file, i int) bool {
	return slices.ContainsFunc(f.after[max(i-nearLines, 0):min(i+nearLines+1, len(f.after))],
		func(line string) bool { return s.matches(sends, clipLine(line)) })
}

// sends matches what sends something, or reads the environment.
var sends = anyOf("", "",
	form{"environ", `\bos\.environ\b`}, form{"getenv", `(?i:\bgetenv\b)`}, form{".env", `\b(?:process|Deno)\.env\b`},
	form{"env::var", ""}, form{"env[", `\bENV\[`}, form{"$", `\$\{?[A-Z_]*(?:TOKEN|SECRET|PASSWORD|KEY)\b`},
	form{"requests.", `\brequests\.(?:get|post|put|patch|request)\b`}, form{"url", `\burl(?:open|retrieve)\b`},
	form{"http.", `\bhttp\.(?:Get|Post|PostForm|NewRequest)`}, form{"fetch(", `\bfetch\(`}, form{"axios", `\baxios\b`},
	form{"curl", `\bcurl\b`}, form{"wget", `\bwget\b`}, form{"net::http", "Net::HTTP"}, form{"reqwest::", ""},
	form{"sendbeacon", `\bsendBeacon\b`}, form{"uri.open", `\bURI\.open\b`}, form{"httprequest", `\bHttpRequest\b`},
	form{"httpclient", `\bHttpClient\b`}, form{"file_get_contents", ""})

// names matches the places of addresses that are names, which nobody connects to.
var names = regexp.MustCompile(`(?i)\bxmlns(?::[\w.-]+)?\s*=\s*["'][^"']*["']|\bschemaLocation\s*=\s*["'][^"']*["']|` +
	`<!DOCTYPE[^>]*>|"\$(?:schema|id)"\s*:\s*"[^"]*"|` +
	`\b(?:homepage|licen[cs]e)(?:[-_ ]?ur[il])?["']?\]?\s*(?:[:=]>?)?\s*["']?\w+://[^\s"',;<>]*`)

// escapedSign matches a sign of an address with a backslash before it, as JSON, .properties and expressions write it,
// otherStop a full stop of another script within a host.
var (
	escapedSign = regexp.MustCompile(`\\+([/:.])`)
	otherStop   = regexp.MustCompile(`([a-zA-Z0-9])[。．｡]([a-zA-Z0-9])`)
)

// plain returns a line with its addresses as they are read.
func plain(line string) string {
	if strings.Contains(line, `\`) {
		line = escapedSign.ReplaceAllString(line, "$1")
	}
	if strings.ContainsAny(line, "。．｡") {
		line = otherStop.ReplaceAllString(line, "$1.$2")
	}
	return line
}

func (s *search) hostsIn(line string) (out []string) {
	line = plain(clipLine(line))
	if !s.mayMatch(address, line) {
		return nil
	}
	for _, m := range address.expression.FindAllStringSubmatch(line, -1) {
		out = append(out, strings.ToLower(joined(m[1:])))
	}
	return out
}

// reserved are the ends of names that lead to nobody, to the machine itself, or to where only the texts of licenses and
// the names of formats are.
var reserved = []string{"example.com", "example.org", "example.net", "example", "test", "invalid", "localhost", "local",
	"w3.org", "xmlsoap.org", "opensource.org", "spdx.org", "creativecommons.org", "www.apache.org", "www.gnu.org"}

// isReserved reports whether a host is the machine itself, in a private network, or nobody's.
func isReserved(host string) bool {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if n, odd := strconv.ParseUint(host, 0, 32); odd == nil && n >= 1<<24 { // a lower one leads to nobody
		ip, err = netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), nil
	}
	if err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	if !strings.ContainsAny(host, `.\`) {
		return true
	}
	return slices.ContainsFunc(reserved, func(r string) bool { return host == r || strings.HasSuffix(host, "."+r) })
}
