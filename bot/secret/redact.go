package secret

import (
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// secretShapes are secrets that can be told by their looks, as their makers document them. hint is in every one, so that
// most files cost no regular expression.
var secretShapes = []struct {
	what, hint string
	shape      *regexp.Regexp
	// but are examples of the shape that are no secrets; nil when there are none.
	but *regexp.Regexp
}{
	{what: "private key", hint: "PRIVATE KEY", shape: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\s\\rn"'+,]|[A-Z][A-Za-z-]+: [^\n]*\n)*[A-Za-z0-9+/=]{20}(?s:.*?)(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\z)`)},
	{what: "AWS access key", hint: "A", shape: regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), but: regexp.MustCompile(`EXAMPLE$`)},
	{what: "AWS secret key", hint: "ccess", shape: regexp.MustCompile(`(?i)aws_?secret_?access_?key["'\s:=]{1,8}[A-Za-z0-9/+]{40}\b`)},
	{what: "AWS secret key", hint: "CCESS", shape: regexp.MustCompile(`(?i)aws_?secret_?access_?key["'\s:=]{1,8}[A-Za-z0-9/+]{40}\b`)},
	{what: "GitHub token", hint: "gh", shape: regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,}\b`)},
	{what: "GitHub token", hint: "github_pat_", shape: regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{50,}\b`)},
	{what: "GitLab token", hint: "glpat-", shape: regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{what: "API key", hint: "sk-", shape: regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`)},
	{what: "Stripe key", hint: "k_live_", shape: regexp.MustCompile(`\b[sr]k_live_[A-Za-z0-9]{20,}\b`)},
	{what: "Slack token", hint: "xox", shape: regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{what: "Slack webhook", hint: "hooks.slack.com/", shape: regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_+-]{20,}`)},
	{what: "Google API key", hint: "AIza", shape: regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`)},
	{what: "npm token", hint: "npm_", shape: regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{what: "PyPI token", hint: "pypi-", shape: regexp.MustCompile(`\bpypi-AgE[A-Za-z0-9_-]{50,}`)},
	{what: "SendGrid key", hint: "SG.", shape: regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`)},
	{what: "Azure storage key", hint: "AccountKey=", shape: regexp.MustCompile(`AccountKey=[A-Za-z0-9+/]{60,}={0,2}`)},
	{what: "JSON web token", hint: "eyJ", shape: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`)},
	{what: "password in a URL", hint: "://", shape: regexp.MustCompile(`\b[a-z][a-z0-9+.-]+://[^\s/:@'"<>{}$%]+:[^\s/@'"<>{}$%]{3,}@[^\s/'"]+`),
		but: regexp.MustCompile(`(?i):(?:pass(?:word)?|pwd|secret|postgres|root|admin|user|test|token|changeme|[x*.]+)@|@(?:localhost|127\.|\[::1|host\b|db\b|[^/]*example)`)},
}

// redact replaces the secrets in a text, line for line, and says of what kinds they were; empty when there was none.
func Redact(text string) (string, []string) {
	var kinds []string
	for _, s := range secretShapes {
		if !strings.Contains(text, s.hint) {
			continue
		}
		found := false
		text = s.shape.ReplaceAllStringFunc(text, func(secret string) string {
			if s.but != nil && s.but.MatchString(secret) {
				return secret
			}
			found = true
			// The lines behind it keep their numbers.
			return "[redacted: " + s.what + "]" + strings.Repeat("\n[redacted]", strings.Count(secret, "\n"))
		})
		if found {
			kinds = append(kinds, s.what)
		}
	}
	return text, kinds
}

// redacted is redact where the kinds do not matter.
func Redacted(text string) string {
	text, _ = Redact(text)
	return text
}

// redactResults takes secrets out of what the results quote of files: it goes into the answer, and back to the model.
func RedactResults(results []engine.Result) {
	for i, r := range results {
		results[i].Detail = Redacted(r.Detail)
		if r.ClosestMatch != nil {
			lines := strings.Split(Redacted(strings.Join(r.ClosestMatch.Lines, "\n")), "\n")
			results[i].ClosestMatch = &engine.Excerpt{Line: r.ClosestMatch.Line, Lines: lines}
		}
		if r.Difference != nil {
			d := *r.Difference
			d.Want, d.Have = Redacted(d.Want), Redacted(d.Have)
			results[i].Difference = &d
		}
	}
}
