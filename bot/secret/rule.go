package secret

import (
	"regexp"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

// rule describes one kind of secret.
type rule struct {
	kind string
	// keywords, in lower case, are what the pattern is tried around, if check reports true or is nil.
	keywords []string
	check    func(text string, from, to int) bool
	// pattern is a regular expression. The secret is its group of that number; without a number, its first group that
	// is not empty, or all of it.
	pattern string
	group   int
	// entropy is what a secret has to exceed, in bits per byte.
	entropy float64
	// except is a regular expression for what the pattern matches and is no secret.
	except string
	// allow are lists of gitleaks of what is no secret.
	allow []allowlist
	// innocent reports, if it is not nil, whether what the pattern matches is no secret; name is what is before it.
	innocent func(name, value string) bool
}

// allowlist is a list of gitleaks of what is no secret.
type allowlist struct {
	// Condition is "AND" if all tests must pass, one of them on the path of a file. RegexTarget is what Regexes are
	// tried on: the secret, or the "match" of the pattern, or its "line".
	Condition, RegexTarget string
	Paths                  []string
	Regexes, StopWords     []string
}

// matcher is a rule whose regular expressions are compiled.
type matcher struct {
	rule
	pattern *regexp.Regexp
	except  *regexp.Regexp // nil when there are no exceptions
	allow   []*config.Allowlist
	reach   int
}

// compile prepares a rule for use.
func (r rule) compile() *matcher {
	m := &matcher{rule: r, pattern: regexp.MustCompile(r.pattern), reach: reach(r.pattern)}
	if r.except != "" {
		m.except = regexp.MustCompile(r.except)
	}
	for _, a := range r.allow {
		if a.Condition == "AND" && len(a.Paths) > 0 {
			continue
		}
		list := &config.Allowlist{RegexTarget: a.RegexTarget, StopWords: a.StopWords}
		for _, pattern := range a.Regexes {
			list.Regexes = append(list.Regexes, regexp.MustCompile(pattern))
		}
		if list.Validate() == nil { // it is not empty
			m.allow = append(m.allow, list)
		}
	}
	return m
}

// find returns the secrets in part, which is text[from:] up to some byte.
func (m *matcher) find(text, part string, from int, found [][]int) (out []match) {
	for _, at := range found {
		begin, end := m.secret(at)
		whole := [2]int{from + at[0], from + at[1]}
		if m.innocent != nil && m.innocent(part[at[0]:begin], part[begin:end]) {
			continue
		}
		if !m.allows(text, whole, part[begin:end]) {
			out = append(out, match{from: from + begin, to: from + end, kind: m.kind})
		}
	}
	return out
}

// secret returns where the secret is in a match of the pattern.
func (m *matcher) secret(groups []int) (from, to int) {
	for i := 2 * max(1, m.group); i < len(groups) && (m.group == 0 || i == 2*m.group); i += 2 {
		if groups[i] < groups[i+1] {
			return groups[i], groups[i+1]
		}
	}
	return groups[0], groups[1]
}

// allows reports whether a secret that was found, in text[whole[0]:whole[1]], is none.
func (m *matcher) allows(text string, whole [2]int, secret string) bool {
	if m.entropy > 0 && entropy(secret) <= m.entropy || m.except != nil && m.except.MatchString(secret) {
		return true
	}
	for _, list := range m.allow {
		target := secret
		switch list.RegexTarget {
		case "match":
			target = text[whole[0]:whole[1]]
		case "line":
			target = lines(text, whole)
		}
		if stop, _ := list.ContainsStopWord(secret); stop || list.RegexAllowed(target) {
			return true
		}
	}
	return false
}

// maxLine bounds how much of a line is looked at on either side of a secret.
const maxLine = 500

// lines returns the lines of text[at[0]:at[1]].
func lines(text string, at [2]int) string {
	before, after := text[max(0, at[0]-maxLine):at[0]], text[at[1]:min(len(text), at[1]+maxLine)]
	after, _, _ = strings.Cut(after, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:] + text[at[0]:at[1]] + after
}
