package ci

import (
	"regexp"
	"strings"
)

// prefix matches what BuildKit and Docker Compose write before each line of a program, and times of theirs.
var prefix = oneOf(`^#\d+ \d+\.\d+(?: |$)`, `^[a-z][\w.-]*-\d+ +\|(?: |$)`)

// unprefixed returns a line without the prefix that another program put before it.
func unprefixed(text string) string {
	if !strings.HasPrefix(text, "#") && !strings.Contains(text, " |") {
		return text
	}
	return text[len(prefix.FindString(text)):]
}

// isExit reports whether the runner ends a step with a line, whose program failed.
func isExit(text string) bool {
	message, ok := strings.CutPrefix(text, "Error: ")
	return ok && (strings.HasPrefix(message, "Process completed with exit code") ||
		strings.HasPrefix(message, "The operation was canceled") ||
		strings.HasPrefix(message, "The process '") && strings.Contains(message, "' failed with exit"))
}

// oneOf returns a pattern that matches what any of several does.
func oneOf(patterns ...string) *regexp.Regexp { return regexp.MustCompile(strings.Join(patterns, "|")) }

var (
	// noise matches lines that are not shown around what failed, and end what belongs to it.
	noise = oneOf(
		`^\s*(?:--- PASS|--- SKIP|=== (?:RUN|PAUSE|CONT|NAME)|ok\s+\S|✓|✔|√)`,
		`^test .* \.\.\. (?:ok|ignored)$`,
		`^go: downloading `,
		`^\s*(?:Downloading|Downloaded|Compiling|Collecting|Fetching|Progress) `,
		`^\?\s+\S+\s+\[no test files\]`,
		`PASSED(?: +\[ *\d+%\])?$`,
		`^npm (?:warn|WARN) `,
		`^\[\s+(?:OK|RUN)\s+\]|^\[-{10}\]|^\[INFO\]`,
		`^(?:=>| {2})0x[0-9a-f]+:|^Shadow byte`, // memory in the report of a sanitizer
	)
	// foreign matches frames of a stack trace that lead out of the repository.
	foreign = oneOf(
		`^\s+at (?:\S+ \()?(?:node:|file:///\S*/node_modules/|\S*/node_modules/|/rustc/)`,
		`^\s+/usr/local/go/src/`,
		`/opt/hostedtoolcache/\S+/(?:src|lib)/|\bsite-packages/`,
		`/gems/\S+:\d+:in |/vendor/(?:phpunit|bundle|composer)/`,
		`^\s+at (?:org\.junit|org\.opentest4j|java\.base/|jdk\.internal|sun\.|System\.|Microsoft\.|Xunit\.)`,
		`^\s+#\d+ 0x[0-9a-f]+ in \S+ (?:\.\./|/build/|\(/)`,
		`^\s+\d+: (?:std|core|__rustc|rust_begin)\b`,
	)
)
