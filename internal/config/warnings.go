package config

import (
	"net"
	"net/url"
	"strings"
)

func (r *reader) warn(name, text string) {
	r.warnings = append(r.warnings, Problem{Name: name, Text: text})
}

// warnOfReaders warns of a file with a secret that everybody on the machine may read.
func (r *reader) warnOfReaders(name, path string) {
	if mode, err := r.src.Mode(path); err == nil && mode.IsRegular() && mode.Perm()&0o004 != 0 {
		r.warn(name, "the file "+path+" contains a secret, and every user of this machine may read it; run: chmod o= "+path)
	}
}

// check warns of what works and may not be meant.
func (r *reader) check(s Server) {
	if secret := s.WebhookSecret.Reveal(); weak(s.WebhookSecret) {
		r.warnOf("webhook_secret", "is shorter than 16 characters, so it can be guessed")
	} else if strings.TrimSpace(secret) != secret {
		r.warnOf("webhook_secret", "begins or ends with a space; make sure that the one on GitHub does too")
	}
	for _, m := range s.Models {
		if m.SendsKeyInClear() {
			r.warn("the model "+m.Name, "its key and all code that it is shown are sent unencrypted, as its base URL begins "+
				"with http://; use https:// unless the connection is private")
		}
	}
	for _, u := range []struct{ key, url string }{{"github_api_url", s.GitHubAPI}, {"github_git_url", s.GitHubGit}} {
		if unencrypted(u.url) {
			r.warnOf(u.key, "begins with http://, so that tokens are sent unencrypted; use https://")
		}
	}
	if s.SourceRetention > s.Retention {
		r.warnOf("retention_sources", "is longer than TENON_RETENTION, after which everything is deleted")
	}
}

func (r *reader) warnOf(key, text string) {
	v, ok := r.lookup(key)
	if !ok {
		v.name = variable(key)
	}
	r.warn(v.name, text)
}

// unencrypted reports whether a URL is of plain HTTP, to another machine.
func unencrypted(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}
