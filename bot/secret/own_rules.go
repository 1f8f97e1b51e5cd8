package secret

import "strings"

// ownRules find kinds of secrets, as their makers document them, that the rules of gitleaks lack, or find only if they
// are as random as real ones. They come after those rules, whose names say more.
var ownRules = []rule{
	{kind: "AWS access key", keywords: []string{"akia", "asia"}, pattern: `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
		except: `EXAMPLE$`},
	{kind: "AWS secret key", keywords: []string{"aws"},
		pattern: `(?i)aws_?secret_?access_?key["'\s:=]{1,8}[A-Za-z0-9/+]{40}\b`},
	{kind: "GitHub token", keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
		pattern: `\bgh[pousr]_[A-Za-z0-9]{36,}\b`},
	{kind: "GitHub token", keywords: []string{"github_pat_"}, pattern: `\bgithub_pat_[A-Za-z0-9_]{50,}\b`},
	{kind: "GitLab token", keywords: []string{"glpat-"}, pattern: `\bglpat-[A-Za-z0-9_-]{20,}`},
	{kind: "API key", keywords: []string{"sk-"}, pattern: `\bsk-[A-Za-z0-9_-]{20,}`,
		except: `^sk-(?:ssh|ecdsa)-`}, // kinds of keys of OpenSSH
	{kind: "Stripe key", keywords: []string{"sk_live_", "rk_live_"}, pattern: `\b[sr]k_live_[A-Za-z0-9]{20,}\b`},
	{kind: "Slack token", keywords: []string{"xox"}, pattern: `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`},
	{kind: "Slack webhook", keywords: []string{"hooks.slack.com/"},
		pattern: `hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_+-]{20,}`},
	{kind: "Google API key", keywords: []string{"aiza"}, pattern: `\bAIza[A-Za-z0-9_-]{35}`},
	{kind: "npm token", keywords: []string{"npm_"}, pattern: `\bnpm_[A-Za-z0-9]{36}\b`},
	{kind: "PyPI token", keywords: []string{"pypi-age"}, pattern: `\bpypi-AgE[A-Za-z0-9_-]{50,}`},
	{kind: "SendGrid key", keywords: []string{"sg."}, pattern: `\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`},
	{kind: "Azure storage key", keywords: []string{"accountkey="}, pattern: `AccountKey=[A-Za-z0-9+/]{60,}={0,2}`},
	{kind: "JSON web token", keywords: []string{"eyj"},
		pattern: `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`},
	{kind: "private key", keywords: []string{`"d"`}, pattern: `"d"\s*:\s*"([A-Za-z0-9_-]{40,})"`, innocent: weakValue},
	{kind: "password hash", keywords: []string{"$2a$", "$2b$", "$2y$", "$5$", "$6$", "$apr1$", "$argon2"},
		pattern: `\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{53}|(?:5|6|apr1)\$[^\s:$]{1,40}\$[./A-Za-z0-9]{20,}|` +
			`argon2id?\$[^\s"']{30,})`},
	{kind: "password of a command", keywords: []string{"curl", "wget", "sshpass", "mysql", "docker login"},
		pattern: `\b(?:curl|wget|sshpass|mysql\w*|docker login)\b[^\n]{0,100}?\s(?:(?:-u|--user)[ =]?["']?[^\s:"']{1,40}:|` +
			`-p[ =]?)["']?([^\s"'$<>]{8,200})`, innocent: weakValue},
	{kind: "password in a URL", keywords: []string{"://"}, check: hasUser,
		pattern: `\b[a-z][a-z0-9+.-]+://[^\s/:@'"<>{}$%]*:[^\s/@'"<>{}$%]{3,}@[^\s/'"]+`,
		except: `(?i):(?:pass(?:word)?|pwd|secret|postgres|root|admin|user|test|token|changeme|[x*.]+)@|` +
			`@(?:localhost|127\.|\[::1|host\b|db\b|[^/]*example)`},
}

// weakValue reports whether a value is no password that somebody or a program chose.
func weakValue(_, value string) bool { return !chosen(value) && !randomAs(value, true, likely) }

// maxUser is how long a name and a password in a URL can be, together: registries take whole tokens there.
const maxUser = 8 << 10

// hasUser reports whether a URL has a name or a password before its host, where the keyword is its "://".
func hasUser(text string, _, at int) bool {
	i := strings.IndexAny(text[at:min(len(text), at+maxUser)], "@/ \t\r\n'\"<>{}$%")
	return i >= 0 && text[at+i] == '@'
}
