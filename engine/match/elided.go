package match

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/engine/text"
)

// commentStarts are what lines of comments begin with, in code and in markup.
var commentStarts, markupStarts = []string{"//", "#", "/*", "<!--", "--", ";", "%", "{/*", "*", `"""`, "'''"},
	[]string{"<!--", "[", "("}

// minElided is how many lines of code a comment without dots stands for at least.
const minElided = 3

// Elides reports whether the whole content of a file, given by its edits of the lines that the file has, leaves out
// lines for a placeholder: a known one, dots, or a comment alone in the place of code, in whatever language. markup is
// set for a file of text, in which a # begins a heading.
func Elides(have []string, edits []text.Edit, markup bool) bool {
	starts := commentStarts
	if markup {
		starts = markupStarts
	}
	isComment := func(s string) bool {
		return slices.ContainsFunc(starts, func(mark string) bool { return strings.HasPrefix(s, mark) })
	}
	return slices.ContainsFunc(edits, func(e text.Edit) bool {
		return HasPlaceholder(have, e.Lines) || elides(have[e.From:e.To], e.Lines, isComment)
	})
}

// elides reports whether one of the added lines stands for those that are removed.
func elides(removed, added []string, isComment func(string) bool) bool {
	old := make(map[string]bool, len(removed))
	gone, put, comments := 0, 0, 0 // lines of code that go and that come, and new comments
	for _, s := range removed {
		s = strings.TrimSpace(s)
		old[s] = true
		if s != "" && !isComment(s) {
			gone++
		}
	}
	dotted, alone := 0, 0 // lines that are elided by dots in a comment or alone, and others with dots at an end
	for _, s := range added {
		switch s = strings.TrimSpace(s); {
		case s == "" || old[s]:
		case isComment(s) && saysUnchanged(s):
			return true
		case saysSame(s) && (isComment(s) || isBracketed(s)):
			dotted++
		case isDotted(s) && (isComment(s) || strings.Trim(withoutMarks(s), ".… ") == ""):
			dotted++
		case isDotted(s):
			alone++
			put++
		case isComment(s) && isSaying(s, removed):
			comments++
		default:
			put++
		}
	}
	return dotted > 0 && gone >= 1 && put <= gone ||
		alone == 1 && gone >= 2 && gone > 2*(put-1) ||
		put == 0 && comments == 1 && gone >= minElided
}

// isSaying reports whether a comment has words, and no code, and does not begin as one of the removed lines does.
func isSaying(comment string, removed []string) bool {
	words := strings.Fields(withoutMarks(comment))
	isDirective := len(comment) > 1 && comment[0] == '#' && comment[1] != ' ' && comment[1] != '.'
	if len(words) < 2 || isDirective || strings.ContainsAny(comment, "=;{") {
		return false
	}
	return !slices.ContainsFunc(removed, func(s string) bool {
		old := strings.Fields(withoutMarks(s))
		return len(old) > 1 && slices.Equal(old[:2], words[:2])
	})
}

// sameWords are words of which a short comment has one if it stands for the code of the file as it is.
var sameWords = []string{"unchanged", "existing", "snip", "omitted", "rest", "remaining", "original", "same", "etc."}

// saysUnchanged reports whether a comment says in a few words, and nothing else, that code stays as it is.
func saysUnchanged(s string) bool {
	words := lowerWords(s)
	text := strings.Join(words, " ")
	return len(words) <= maxSameWords && (slices.Contains(words, "unchanged") || slices.Contains(words, "snip") ||
		text == "existing code" || strings.HasPrefix(text, "no changes"))
}

// lowerWords returns the words of a line in lower case.
func lowerWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '.' })
}

// maxSameWords is how many words such a comment has at most.
const maxSameWords = 8

// saysSame reports whether a line says in a few words that code stays as it is.
func saysSame(s string) bool {
	words := lowerWords(s)
	isKnown := func(word string) bool { return slices.Contains(sameWords, word) }
	return len(words) <= maxSameWords &&
		(slices.ContainsFunc(words, isKnown) || strings.Contains(strings.Join(words, " "), "as before"))
}

// isBracketed reports whether a line is in brackets as a whole, as no line of code is that has only words.
func isBracketed(s string) bool {
	last := len(s) - 1
	return last > 0 && slices.Contains([]string{"[]", "()", "<>"}, s[:1]+s[last:]) &&
		!strings.ContainsAny(s[1:last], "[](){}<>=\"',;:")
}

// isDotted reports whether the words of a line begin or end with an ellipsis.
func isDotted(s string) bool {
	s = withoutMarks(s)
	return slices.ContainsFunc([]string{"...", "…"}, func(dots string) bool {
		return strings.HasPrefix(s, dots) || strings.HasSuffix(s, dots)
	})
}

// withoutMarks returns a line without the marks of a comment, brackets and quotes around it.
func withoutMarks(s string) string { return strings.Trim(s, "/#*<!->{};%\"'()[] \t") }
