package policy

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Bounds on a pattern. The matcher tries again from each star, so long patterns with many of them cost most.
const (
	maxGlobBytes  = 200
	maxGlobStars  = 8
	maxGlobBraces = 2
)

// GlobTooCostly reports whether a pattern would take the matcher too long.
func GlobTooCostly(pattern string) bool {
	return len(pattern) > maxGlobBytes || strings.Count(pattern, "*") > maxGlobStars || strings.Count(pattern, "{") > maxGlobBraces
}

// GlobProblem says what is wrong with a pattern of paths in the settings; empty when nothing is. A pattern is read like one of
// .gitignore: without a slash it fits names in every folder, and what it fits it fits with everything below.
func GlobProblem(pattern string) string {
	switch {
	case strings.Trim(pattern, "/ ") == "" || markdown.Unprintable(pattern):
		return "is empty, or holds characters that cannot be seen"
	case strings.HasPrefix(pattern, "!"):
		return "begins with an exclamation mark; nothing can be taken out again"
	case strings.Contains(pattern, `\`):
		return "holds a backslash; folders are parted by a slash"
	case GlobTooCostly(pattern):
		return "is too complicated; name the folder, or make several of it"
	case !doublestar.ValidatePattern(anchoredGlob(pattern)):
		return "is no valid pattern"
	}
	return ""
}

// anchoredGlob is a pattern as the matcher wants it: from the root, and with what is below a folder.
func anchoredGlob(pattern string) string {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	if rest, ok := strings.CutPrefix(pattern, "/"); ok {
		return rest + "/**"
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	return pattern + "/**"
}

// fitsGlob says that a path, or a folder that it is in, fits one of the patterns, in every spelling that some file system takes
// for the same.
func FitsGlob(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return false
	}
	plain := plainPath(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		p = anchoredGlob(p)
		return doublestar.MatchUnvalidated(strings.ToLower(p), plain) || plain != name && doublestar.MatchUnvalidated(p, name)
	})
}
