package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ValidBranch says whether git takes a short branch name (git-check-ref-format(1), with --branch).
func ValidBranch(name string) bool {
	switch {
	case name == "" || name == "@" || len(name) > 244 || !utf8.ValidString(name):
		return false
	case strings.HasPrefix(name, "-"), strings.HasPrefix(name, "refs/"), strings.HasSuffix(name, "."):
		return false
	case strings.Contains(name, ".."), strings.Contains(name, "@{"), strings.ContainsAny(name, ` ~^:?*[\`):
		return false
	case strings.IndexFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) >= 0:
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}
