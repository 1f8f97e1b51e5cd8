package engine

import (
	"slices"
	"strings"
)

var placeholderRefusal = &refusal{Placeholder, "The block stands for code that it does not show (such as \"... existing code ...\"); it must hold the real lines"}

// hasPlaceholder reports a line of put that stands for code left out, which find does not hold.
func hasPlaceholder(find, repl []string) bool {
	var inFind map[string]bool
	for _, s := range repl {
		if !isPlaceholder(s) {
			continue
		}
		if inFind == nil {
			inFind = make(map[string]bool, len(find))
			for _, f := range find {
				inFind[strings.TrimSpace(f)] = true
			}
		}
		if !inFind[strings.TrimSpace(s)] {
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
	mentioned := slices.ContainsFunc(placeholderWords, func(w string) bool { return strings.Contains(s, w) })
	if !mentioned {
		return false
	}
	inner, comment := stripComment(s)
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
var commentMarks = []struct{ open, end string }{
	{"{/*", "*/}"}, {"/*", "*/"}, {"<!--", "-->"}, {"//", ""}, {"#", ""}, {"--", ""}, {";", ""}, {"%", ""}, {"*", ""}, {"dnl ", ""}, {"rem ", ""}, {"\"", ""},
}

// uncomment strips a line's comment marks.
func stripComment(s string) (inner string, comment bool) {
	s = strings.TrimSpace(s)
	for _, c := range commentMarks {
		if rest, ok := strings.CutPrefix(s, c.open); ok {
			rest = strings.TrimLeft(rest, c.open[len(c.open)-1:])
			return strings.TrimSpace(strings.TrimSuffix(rest, c.end)), true
		}
	}
	return s, false
}
