package message

import (
	"regexp"
	"slices"
	"strings"
)

// A rule finds what some program acts on in one line.
type rule struct {
	pattern *regexp.Regexp
	// unless matches what the pattern finds and nobody acts on.
	unless *regexp.Regexp
	// inCode reports whether it counts in code and diffs too.
	inCode bool
}

// remove returns a line with an ellipsis for each match.
func (r rule) remove(line string) string {
	return r.pattern.ReplaceAllStringFunc(line, func(found string) string {
		if r.unless != nil && r.unless.MatchString(found) || strings.Trim(found, left+" ") == "" {
			return found
		}
		return left
	})
}

const (
	// closing are the words by which GitHub, GitLab, Linear, Jira and others close or link an issue.
	closing = `\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|` +
		`complet(?:e[sd]?|ing)|ref(?:s|erences?)?|addresses|relate[sd] to|part of|contributes to|towards?)\b`
	// domains are ends of hosts that are not also the ends of files in most projects.
	domains = `(?:com|org|net|io|dev|app|co|ai|gov|edu|info|biz|me|xyz|ru|cn|de|uk|eu|fr|jp|in|us|tk|top|site|online|` +
		`link|click|page|cloud|tech|gg|ly|to|cc|ws|icu|example|test|zip|mov|nl|ch|at|se|no|it|es|br|ca|au|kr|tv|pw|live|` +
		`shop|gl|blog)`
	// standards are names of standards, which have the form of an issue's name.
	standards = `(?:utf|ucs|sha|sha1|sha2|sha3|md|aes|rsa|ed|iso|iec|rfc|http|es|ecma|cp|ieee|x|base|gpt|cve-\d+|cve|` +
		`cwe|pep|jsr|ascii|latin|koi8|big|gb|crc|ipv|tls|ssl|h|mp|python|java|node|go|covid)-\d+`
)

// what compiles a pattern that ignores case.
func what(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + pattern) }

// rules are in no order: each is tried.
var rules = []rule{
	// What keeps CI from running, in all spellings of GitHub, GitLab, Travis, CircleCI, Netlify, Vercel, Azure and others.
	{pattern: what(`\[[^\[\]]*(?:skip|\bno[\s_-]*(?:ci|cd|builds?|deploys?|tests?)\b)[^\[\]]*\]`), inCode: true},
	{pattern: what(`\*+\s*no[\s_-]*ci\s*\*+|\bno_ci\b`), inCode: true},
	{pattern: what(`\b(?:skip|ci|no|request)[\s._-]*(?:checks?|skip|ci|cd|actions?|deploy\w*|builds?)\s*[:=]\s*\w*`),
		inCode: true},

	// What makes a release, or a larger one.
	{pattern: what(`^\s*[\w-]+\s*(?:\([^)]*\))?\s*!+\s*:`)},
	{pattern: what(`\bbreaking[\s_-]*change\b\s*:?|\bbreaking[\s_-]*changes?\s*:|💥|:boom:`)},
	{pattern: what(`^\s*[\w-]+\s*\([^)]*release[^)]*\)|^\s*release\s*(?:\([^)]*\))?\s*:`)},
	{pattern: what(`^\s*(?:chore|build|ci)\s*(?:\([^)]*\))?\s*:\s*(?:release|publish)\b`)},
	{pattern: what(`\brelease-as\b|\+?\bsemver\s*:\s*\w*|` +
		`\[\s*(?:full[\s_-]+ci|(?:(?:ci|cd)[\s:_-]+)?(?:deploy|release|publish|major|minor|patch|prod(?:uction)?|staging)` +
		`(?:[\s:_-]+(?:deploy|major|minor|patch|prod(?:uction)?|staging))*)\s*\]`)},

	// What git, bots and careless scripts of CI do with commits.
	{pattern: what(`^\s*(?:fixup|squash|amend)\s*!`)},
	{pattern: what(`\bthis reverts commit\b`)},
	{pattern: what(`^\s*[/!][a-z][\w-]*`)},
	{pattern: what(`\b(?:bors|homu)\b[\s:]*(?:r|d|p|try|retry|merge|delegate|ping|single|cancel)?[+=-]?`)},
	{pattern: what(`\br\s?\+(?:\s|$)`)},
	{pattern: what(`^\s*(?:lgtm|retest|recheck|:\+1:|:shipit:)(?:\b|\s|$)|\b(?:test this please|ok to test)\b`)},
	{pattern: what(`^\s*::[a-z]|##(?:\[|vso)`)},
	{pattern: what("\\$[({]|\\{\\{|`[^`]*[|;&$<>][^`]*`")},

	// Trailers.
	{pattern: what(`\b[a-z]+(?:-[a-z]+)*-by\s*:`)},
	{pattern: what(`\b(?:tenon-[a-z]+|change-id|git-svn-id|differential revision|cherry[ -]picked from)\s*:`)},
	{pattern: what(`^\s*(?:cc|fixes|closes|refs)\s*:`)},

	// References: to issues, to people, to other trackers.
	{pattern: what(closing + `[\s:,]*(?:[\w.-]+/[\w.-]+)?#\d+`), inCode: true},
	{pattern: what(closing + `[\s:,]*\S*/(?:issues|pull|merge_requests|browse|work_items)/\S*`), inCode: true},
	{pattern: what(closing + `[\s:]+gh-\d+`), inCode: true},
	{pattern: what(closing + `\s+\[?[a-z][a-z0-9_]{0,9}-\d+`), unless: what(`\s` + standards + `$`), inCode: true},
	{pattern: what(closing + `\s+(?:(?:bugs?|issues?|tickets?|tasks?|stor(?:y|ies))\s*:?\s*#?\d+|(?:t|ch|sc)\d+)\b`),
		inCode: true},
	// The type of a conventional commit, at the start of a line, is not such a word.
	{pattern: what(`(?:^|.)` + closing + `\s*[:,][\s:,]*(?:\[?[a-z][a-z0-9_]{0,9}-\d+|(?:t|ch|sc)\d+\b)`),
		unless: what(`^fix:\s|[\s:,]` + standards + `$`), inCode: true},
	{pattern: what(`\b[a-z][a-z0-9_]{1,9}-\d+\s+#\w+`), inCode: true},
	{pattern: regexp.MustCompile(`\b[A-Z][A-Z0-9_]{1,9}-\d+\b`), unless: what(`^` + standards + `$`)},
	{pattern: what(`\bgh-\d+|\b(?:sc|ch|cu)-[a-z0-9]*\d\w*|\bab#\d+`)},
	{pattern: what(`(?:[\w.-]+/[\w.-]+)?#[\pL\d_]\S*`)},
	{pattern: what(`\S*@\S*`)},

	// Addresses and links.
	{pattern: what(`\S*://\S*`)},
	{pattern: what(`\b(?:www\.|(?:mailto|javascript|data|tel|xmpp|ssh|ftp):)\S+`)},
	{pattern: what(`\b(?:[a-z0-9-]+\.)+` + domains + `(?:[/?:]\S|#)\S*`), unless: what(`^(?:google\.)?golang\.org/`)},
	{pattern: what(`!?\[[^\]]*\]\s*[(\[:]\S*`)},
}

// rulesForCode are those that count in code too.
var rulesForCode = slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return !r.inCode })
