package command

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// ValidBranch reports whether git accepts a short branch name (git-check-ref-format(1), with --branch).
func ValidBranch(name string) bool {
	switch {
	case name == "" || name == "@" || len(name) > 244 || markdown.Unprintable(name):
		return false
	case strings.HasPrefix(name, "-"), strings.HasPrefix(name, "refs/"), strings.HasSuffix(name, "."):
		return false
	case strings.Contains(name, ".."), strings.Contains(name, "@{"), strings.ContainsAny(name, ` ~^:?*[\`):
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}
