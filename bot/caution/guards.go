package caution

import (
	"path"
	"slices"
)

// guards are the names of files each line of which lets more through: what scanners of secrets and of dependencies
// ignore, and for whom secrets are encrypted, or whose signatures and logins count.
var guards = []string{
	".gitleaks.toml", ".gitleaksignore", ".trivyignore", ".trivyignore.yaml", ".snyk", ".semgrepignore",
	"osv-scanner.toml", ".nsprc", "audit-ci.json*", ".grype.yaml", "socket.yml",
	".sops.yaml", "secrets.nix", ".gpg-id", "authorized_keys", "allowed_signers", "KEYS", "*.pub",
}

// exceptions reports new lines of such files, except in tests.
func (s *search) exceptions() {
	for _, f := range s.files {
		named := func(pattern string) bool { ok, _ := path.Match(pattern, path.Base(f.Path)); return ok }
		if f.test || !slices.ContainsFunc(guards, named) {
			continue
		}
		if line, ok := s.changed(f); ok {
			s.add(LoweredCheck, f, line, f.after[line-1])
		}
	}
}
