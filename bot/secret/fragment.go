package secret

import (
	"regexp"
	"strings"
)

var (
	// keyLine matches a line that can be one of a key: nothing but Base64, in whatever a program, a diff or a comment has
	// around it.
	keyLine = regexp.MustCompile("^[\\s+>|#*/;,\"'`-]*([A-Za-z0-9+/_-]+={0,2})(?:\\\\n|\\\\r)*[\\s\"'`+,;*/)\\\\-]*$")
	// keyToken matches what can be a key in one line, or several lines of one.
	keyToken = regexp.MustCompile(`(?:SHA256:)?[A-Za-z0-9+/]{40,}={0,2}`)
	// fingerprint matches that of a public key, such as of the App's, which is no secret.
	fingerprint = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}=?$`)
)

// The least bytes of Base64 that alone in a line are taken for a line of a key, and those beside such a line.
const (
	minKeyLine = 24
	minKeyRest = 1
)

// Fragment returns a text that was cut from another, which is not known, without the secrets in it. What may be the
// middle of a key counts as one. Every line keeps its number.
func Fragment(text string) string {
	text, _ = RedactFragment(text)
	return text
}

// RedactFragment is Fragment, and returns what kinds of secrets there were too.
func RedactFragment(text string) (redacted string, kinds []string) {
	text, kinds = Redact(text)
	lines := strings.Split(text, "\n")
	hidden := make([]bool, len(lines))
	any := false
	for i, line := range lines {
		if m := keyLine.FindStringSubmatch(line); m != nil && len(m[1]) >= minKeyLine && likeKey(m[1]) {
			hidden[i], any = true, true
		}
	}
	if any {
		spread(lines, hidden)
	}
	const kind = "possible key"
	for i, line := range lines {
		if hidden[i] {
			lines[i] = keyLine.ReplaceAllString(line, "[redacted: "+kind+"]")
			kinds = appendNew(kinds, kind)
			continue
		}
		lines[i] = keyToken.ReplaceAllStringFunc(line, func(token string) string {
			if likeKey(token) && !fingerprint.MatchString(token) {
				kinds = appendNew(kinds, kind)
				return "[redacted: " + kind + "]"
			}
			return token
		})
	}
	return strings.Join(lines, "\n"), kinds
}

// spread hides the lines of Base64 beside lines of keys: the last one of a key is short.
func spread(lines []string, hidden []bool) {
	for i := 1; i < len(lines); i++ {
		if m := keyLine.FindStringSubmatch(lines[i]); hidden[i-1] && !hidden[i] && m != nil && len(m[1]) >= minKeyRest {
			hidden[i] = true
		}
	}
	for i := len(lines) - 2; i >= 0; i-- {
		if m := keyLine.FindStringSubmatch(lines[i]); hidden[i+1] && !hidden[i] && m != nil && len(m[1]) >= minKeyRest {
			hidden[i] = true
		}
	}
}

// likeKey reports whether Base64 is as random as that of a key, and no word, path or hash.
func likeKey(text string) bool {
	c := charsOf(text)
	return !c.hex && c.upper > 0 && c.lower > 0 && (c.digits > 0 || len(text) >= 40) && c.chance > 0 && c.bits > 3.3
}
