package engine

import (
	"slices"
	"strings"
)

var placeholder = &refusal{Placeholder, "The block stands for code that it does not show (such as \"... existing code ...\"); it must hold the real lines"}

// hasPlaceholder reports a line of put that stands for code left out, which find does not hold.
func hasPlaceholder(find, put []string) bool {
	var held map[string]bool
	for _, s := range put {
		if !isPlaceholder(s) {
			continue
		}
		if held == nil {
			held = make(map[string]bool, len(find))
			for _, f := range find {
				held[strings.TrimSpace(f)] = true
			}
		}
		if !held[strings.TrimSpace(s)] {
			return true
		}
	}
	return false
}

// placeholderWords are what such a line speaks of.
var placeholderWords = []string{
	"existing", "rest of", "the rest", "remaining", "unchanged", "omitted", "same as before", "previous code", "other code",
	"remains the same", "stays the same", "keep the",
}

// isPlaceholder holds for "... existing code ...", "// rest of the function ..." and "# ... (unchanged)": three dots or a
// comment's beginning, and words for what is left out.
func isPlaceholder(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) > 120 {
		return false
	}
	said := slices.ContainsFunc(placeholderWords, func(w string) bool { return strings.Contains(s, w) })
	if !said {
		return false
	}
	inner, comment := uncomment(s)
	dots := strings.HasPrefix(inner, "...") || strings.HasPrefix(inner, "…")
	trails := strings.HasSuffix(inner, "...") || strings.HasSuffix(inner, "…")
	return dots || comment && trails || comment && isRestOf(inner)
}

// isRestOf holds for "rest of the code" and its like, with nothing more said.
func isRestOf(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s, "the "), "rest of ")
	words := strings.Fields(strings.Trim(rest, ". "))
	return ok && len(words) <= 4 && len(words) > 0 && slices.Contains([]string{
		"code", "file", "function", "method", "class", "implementation", "body", "module", "component", "content", "contents",
	}, words[len(words)-1])
}

// comments are the marks that a comment can begin with, and those that may end it.
var comments = []struct{ open, end string }{
	{"{/*", "*/}"}, {"/*", "*/"}, {"<!--", "-->"}, {"//", ""}, {"#", ""}, {"--", ""}, {";", ""}, {"%", ""}, {"*", ""}, {"dnl ", ""}, {"rem ", ""}, {"\"", ""},
}

// uncomment strips a line's comment marks.
func uncomment(s string) (inner string, comment bool) {
	s = strings.TrimSpace(s)
	for _, c := range comments {
		if rest, ok := strings.CutPrefix(s, c.open); ok {
			rest = strings.TrimLeft(rest, c.open[len(c.open)-1:])
			return strings.TrimSpace(strings.TrimSuffix(rest, c.end)), true
		}
	}
	return s, false
}
