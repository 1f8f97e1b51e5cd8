package retrieve

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
)

// Bounds on the patterns of a comment, and on what they name.
const (
	maxGlobs       = 5
	maxGlobFiles   = 50
	maxFolderFiles = 8
	maxListing     = 60
)

// glob are the files that a pattern fits; one without a slash fits base names. why says what is wrong with it.
func (x *fileIndex) glob(pattern string) (files []string, why string) {
	pattern = strings.TrimPrefix(strings.ReplaceAll(pattern, `\`, "/"), "./")
	if policy.GlobTooCostly(pattern) {
		return nil, "the pattern is too complicated; name the files or a folder"
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, "it is no valid pattern"
	}
	literal, _ := doublestar.SplitPattern(pattern)
	candidates := x.files
	if literal != "." && literal != "" {
		candidates = x.below(literal)
	}
	for _, f := range candidates {
		if doublestar.MatchUnvalidated(pattern, f) {
			files = append(files, f)
		}
	}
	switch n := len(files); {
	case n == 0:
		return nil, "no file fits the pattern"
	case n > maxGlobFiles:
		return nil, fmt.Sprintf("%d files fit the pattern, more than %d; take a narrower one", n, maxGlobFiles)
	}
	return files, ""
}

// listing is what stands in a folder, names only: its files, and its folders with a slash behind.
func (x *fileIndex) listing(folder string) (names []string) {
	last := ""
	for _, f := range x.below(folder) {
		rest := strings.TrimPrefix(f, strings.TrimPrefix(folder+"/", "./"))
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[:i+1]
		}
		if rest == last || markdown.Unprintable(rest) {
			continue
		}
		if last = rest; len(names) == maxListing {
			return append(names, "…")
		}
		names = append(names, rest)
	}
	return names
}
