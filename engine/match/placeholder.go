package match

import (
	"slices"
	"strings"
)

// isEllipsis reports whether a line stands for lines that were left out.
func isEllipsis(s string) bool {
	inner, _ := stripComment(s)
	return inner == "..." || inner == "…" || isPlaceholder(s)
}

// HasPlaceholder reports whether a line of the replacement is a placeholder for code that was left out, and not a
// line to find.
func HasPlaceholder(find, replace []string) bool {
	var inFind map[string]bool
	for _, s := range replace {
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

// placeholderWords are words that a placeholder contains.
var placeholderWords = []string{
	"existing", "rest of", "the rest", "remaining", "unchanged", "omitted", "same as before", "previous code",
	"other code", "remains the same", "stays the same", "keep the",
}

// startsPlaceholder are the first bytes of dots and of the comment marks, which rule out most lines.
var startsPlaceholder = func() (is [256]bool) {
	for _, c := range commentMarks {
		is[c.open[0]], is[strings.ToUpper(c.open)[0]] = true, true
	}
	is['.'], is["…"[0]] = true, true
	return is
}()

// isPlaceholder reports whether a line is like "... existing code ...", "// rest of the function ..." or "# ...
// (unchanged)": three dots or a comment, with one of placeholderWords.
func isPlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 120 || !startsPlaceholder[s[0]] {
		return false
	}
	s = strings.ToLower(s)
	if !slices.ContainsFunc(placeholderWords, func(w string) bool { return strings.Contains(s, w) }) {
		return false
	}
	inner, comment := stripComment(s)
	starts := strings.HasPrefix(inner, "...") || strings.HasPrefix(inner, "…")
	ends := strings.HasSuffix(inner, "...") || strings.HasSuffix(inner, "…")
	return starts || comment && (ends || isRestOf(inner))
}

// isRestOf reports whether s is "rest of the code" or similar, and nothing more.
func isRestOf(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s, "the "), "rest of ")
	words := strings.Fields(strings.Trim(rest, ". "))
	return ok && len(words) <= 4 && len(words) > 0 && slices.Contains([]string{
		"code", "file", "function", "method", "class", "implementation", "body", "module", "component", "content",
		"contents",
	}, words[len(words)-1])
}

// commentMarks are what a comment can begin with, and what may end it.
var commentMarks = []struct{ open, end string }{
	{"{/*", "*/}"}, {"/*", "*/"}, {"<!--", "-->"}, {"//", ""}, {"#", ""}, {"--", ""},
	{";", ""}, {"%", ""}, {"*", ""}, {"dnl ", ""}, {"rem ", ""}, {"\"", ""},
}

// stripComment strips the comment marks of a line and reports whether it had any.
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
