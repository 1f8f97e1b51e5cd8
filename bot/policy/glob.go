package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Bounds on a pattern. The matcher backtracks to each star, so long patterns with many of them take longest.
const (
	maxGlobBytes  = 200
	maxGlobStars  = 8
	maxGlobBraces = 2
)

// GlobTooCostly reports whether a pattern would take the matcher too long.
func GlobTooCostly(pattern string) bool {
	return len(pattern) > maxGlobBytes || strings.Count(pattern, "*") > maxGlobStars ||
		strings.Count(pattern, "{") > maxGlobBraces
}

// checkGlob returns what is wrong with a pattern of paths in the settings. A pattern is read like one of .gitignore:
// one without a slash matches names in every folder, and what it matches it matches with everything below.
func checkGlob(pattern string) error {
	switch {
	case strings.Trim(pattern, "/ ") == "" || markdown.Unprintable(pattern):
		return errors.New("is empty, or has invisible characters")
	case strings.HasPrefix(pattern, "!"):
		return errors.New("begins with an exclamation mark; exceptions are not supported")
	case strings.Contains(pattern, `\`):
		return errors.New("has a backslash; write folders with slashes")
	case GlobTooCostly(pattern):
		return errors.New("is too complicated; name the folder, or split the pattern")
	case !doublestar.ValidatePattern(anchoredGlob(pattern)):
		return errors.New("is not a valid pattern")
	}
	return nil
}

// anchoredGlob returns a pattern as the matcher reads it: from the root, and with what is below a folder.
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

// FitsGlob reports whether one of the patterns matches a path or a folder that it is in, in any spelling that some file
// system takes for the same.
func FitsGlob(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return false
	}
	plain := plainPath(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		p = anchoredGlob(p)
		return doublestar.MatchUnvalidated(foldCase(p), plain) ||
			plain != name && doublestar.MatchUnvalidated(p, name)
	})
}
