package engine

import (
	"slices"
	"strings"
)

// maxPieces bounds how often a block may leave something out.
const maxSegments = 20

// elisionPlaces forgives lines left out in the middle: "..." or a comment with it, alone on a line, as often in find as in
// put. Every piece between them must fit at one place only, and in order; what lies between the pieces stays as it is.
func ellipsisMatches(m matcher) []match {
	find, repl := segments(m.find), segments(m.put)
	if !m.substantial() || len(find) < 2 || len(find) > maxSegments || len(find) != len(repl) {
		return nil
	}
	combined := match{matcher: m}
	for i := range find {
		p, ok := matcher{file: m.file, find: find[i], put: repl[i]}.matchSegment()
		if !ok || len(p.at) > 0 && len(combined.at) > 0 && p.firstLine() <= combined.lastLine() {
			return nil
		}
		if p.ambiguity != "" {
			combined.ambiguity = p.ambiguity
		}
		combined.at = append(combined.at, p.at...)
		combined.edits = append(combined.edits, p.edits...)
	}
	if len(combined.at) == 0 {
		return nil
	}
	return []match{combined}
}

// piece fits one piece; ok is false unless exactly one place does. A piece of nothing but blank lines must stay as it is.
func (m matcher) matchSegment() (p match, ok bool) {
	if allBlank(m.find) {
		return match{}, allBlank(m.put)
	}
	for _, matches := range []func(matcher) []match{exactMatches, trailingSpaceMatches, blankLineMatches} {
		if found := matches(m); len(found) > 0 {
			return found[0], len(found) == 1
		}
	}
	return match{}, false
}

// pieces cuts lines at those that stand for something left out.
func segments(lines []string) [][]string {
	var all [][]string
	start := 0
	for i, s := range lines {
		if isEllipsis(s) {
			all = append(all, lines[start:i])
			start = i + 1
		}
	}
	return append(all, lines[start:])
}

func isEllipsis(s string) bool {
	inner, _ := stripComment(s)
	return inner == "..." || inner == "…" || isPlaceholder(s)
}

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
