package caution

import (
	"path"
	"slices"
	"strings"
)

// directive is a rule about lines that match an expression, more of which are new in a file than gone.
type directive struct {
	kind    Kind
	matches pattern
	// in reports whether the rule is about a file, where returns the part of a line.
	in    func(f *file) bool
	where func(v view) string
	// unless reports whether a line is not meant; nil for none.
	unless func(f *file, i int) bool
}

// key is what two matches have in common if one can be there instead of the other: a test may be skipped in another
// way than before.
func (d directive) key(match string) string {
	if d.kind == DeletedTest {
		return ""
	}
	return strings.TrimSpace(match)
}

// directives reports what a rule is about, in files that are no text for people.
func (s *search) directives(d directive) {
	for _, f := range s.files {
		if f.prose || f.isLock() || !d.in(f) {
			continue
		}
		had := map[string]int{}
		for _, line := range s.gone(f) {
			for _, m := range s.all(d.matches, line) {
				had[d.key(m)]++
			}
		}
		for i, line := range s.fresh(f) {
			if !s.matches(d.matches, line) { // before all of the file is read
				continue
			}
			for _, m := range s.all(d.matches, clipLine(d.where(s.views(f)[i]))) {
				if had[d.key(m)]--; had[d.key(m)] < 0 && (d.unless == nil || !d.unless(f, i)) {
					s.add(d.kind, f, i+1, strings.TrimSpace(m))
				}
			}
		}
	}
}

// suppressing matches comments that turn a check off, with what is behind. What silences a warning of a compiler is in
// ordinary code, and no check.
var suppressing = anyOf("(?i)", `[\w:\[\],/. -]{0,40}`,
	form{"nolint", `\bnolint\b`}, form{"nosec", `#\s*nosec\b`}, form{"noqa", `\bnoqa\b`},
	form{"ignore", `\b(?:type|pyright|mypy):\s*ignore\b`}, form{"disable", `\bpylint:\s*disable`},
	form{"eslint-disable", ""}, form{"@ts-", `@ts-(?:ignore|nocheck|expect-error)`},
	form{"rubocop", `rubocop:\s*(?:disable|todo)`}, form{"@phpstan-ignore", ""})

// suppressions reports comments that turn a check off for a place, except in tests.
func (s *search) suppressions() {
	s.directives(directive{kind: LoweredCheck, matches: suppressing,
		in:    func(f *file) bool { return f.language != "" && !f.test },
		where: func(v view) string { return v.comment }})
}

// trusting matches what turns the check of certificates, hosts or signatures off.
var trusting = anyOf("", "",
	form{"insecureskipverify", `InsecureSkipVerify:?\s*=?\s*true`},
	form{"verify", `\bverify(?:_ssl)?\s*=\s*False\b|\bVERIFY_NONE\b|:verify_none\b|` +
		`CURLOPT_SSL_VERIFY(?:PEER|HOST)["']?\s*(?:,|=>)\s*(?:false|0)`},
	form{"check_hostname", `\bcheck_hostname\s*=\s*False`}, form{"cert_none", `\bCERT_NONE\b`},
	form{"unauthorized", `rejectUnauthorized["']?\s*:\s*false|NODE_TLS_REJECT_UNAUTHORIZED`},
	form{"accept_invalid", `danger_accept_invalid_(?:certs|hostnames)\(\s*true`},
	form{"hostname", `ALLOW_ALL_HOSTNAME_VERIFIER|NoopHostnameVerifier`},
	form{"hostkey", `StrictHostKeyChecking[= ]no|InsecureIgnoreHostKey`},
	form{"curl", `\bcurl\s(?:.*\s)?(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\b`},
	form{"--no-check-certificate", ""})

// verification reports that certificates, hosts or signatures are not checked, except in tests.
func (s *search) verification() {
	s.directives(directive{kind: LoweredCheck, matches: trusting, in: func(f *file) bool { return !f.test },
		where: view.said})
}

// tolerating matches what has a step go on although it failed, or leaves a check out.
var tolerating = anyOf("", "",
	form{"continue-on-error", `continue-on-error["']?\s*:\s*["']?true`},
	form{"||", `\|\|\s*(?:true|:|exit 0)(?:\s|$|["';)])`}, form{"skip", `-DskipTests\b|-Dmaven\.test\.skip`})

// steps reports steps of builds and CI that may fail without being noticed. In a language with an operator || of its
// own, only what is in its strings can be such a step.
func (s *search) steps() {
	s.directives(directive{kind: LoweredCheck, matches: tolerating, in: func(f *file) bool {
		return !f.test && (slices.Contains(shells, string(f.language)) || isRunning(f) || commandsIn(f.name) != nil ||
			strings.HasPrefix(f.Path, ".") || path.Ext(f.name) == ".yml" || path.Ext(f.name) == ".yaml" || f.name == "pom.xml")
	}, where: view.said})
}

var shells = []string{"Shell", "PowerShell", "Batchfile", "Makefile", "Dockerfile", "YAML"}
