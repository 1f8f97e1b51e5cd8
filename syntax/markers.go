package syntax

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// newMarkers finds the lines of after that belong to an answer or to a merge and not to a file: markers of merge
// conflicts and of edit blocks, and placeholders for code that was left out. Of lines that are equal, only as many are
// reported as after has more than before.
func newMarkers(name string, before, after []byte) []Problem {
	if holdsMarkers(name) {
		return nil
	}
	var problems []Problem
	old := map[string]int{}
	for _, line := range foreignLines(name, before) {
		old[line.text]++
	}
	for _, line := range foreignLines(name, after) {
		if old[line.text]--; old[line.text] < 0 {
			problems = append(problems, line.problem)
		}
	}
	return problems
}

// outsideStrings returns the problems without the markers of merges that are in strings of the file, as in the tests of
// a program that merges.
func outsideStrings(problems []Problem, file splitFile) []Problem {
	if !slices.ContainsFunc(problems, isOfMerge) {
		return problems
	}
	if file.language == "Go" && grammars["Go"].verdict(file.work, "", file.text, false).outcome == valid {
		return slices.DeleteFunc(problems, isOfMerge)
	}
	inString := map[int]bool{}
	for _, t := range file.tokens().Tokens {
		if t.Kind == lexer.String {
			for n := range strings.Count(t.Text, "\n") {
				inString[t.Line+1+n] = true
			}
		}
	}
	return slices.DeleteFunc(problems, func(p Problem) bool { return isOfMerge(p) && inString[p.Line] })
}

func isOfMerge(p Problem) bool { return p.Kind == ConflictMarker }

// maxForeign bounds how many such lines of a file are reported.
const maxForeign = 20

// foreignLine is a line that is no part of a file.
type foreignLine struct {
	text    string
	problem Problem
}

// foreignLines returns the lines of a text that look as if they did not belong to it. In prose, fenced and indented
// lines are examples.
func foreignLines(name string, text []byte) []foreignLine {
	var found []foreignLine
	prose, fence := isProse(name), ""
	for i, raw := range bytes.Split(text, []byte("\n")) {
		line := strings.TrimRight(string(raw[:min(len(raw), maxMarker+1)]), " \t\r")
		if prose {
			if fence = fenceAfter(fence, line); fence != "" || strings.HasPrefix(line, "    ") {
				continue
			}
		}
		if line == "" || len(line) > maxMarker {
			continue
		}
		if kind, message := foreign(line, prose); kind != 0 && len(found) < maxForeign {
			found = append(found, foreignLine{line, Problem{kind, i + 1, message}})
		}
	}
	return found
}

// maxMarker is the length of the longest line that can be a marker or a placeholder, in bytes.
const maxMarker = 200

// foreign says what a line is, or returns 0 if it can be a line of the file.
func foreign(line string, prose bool) (Kind, string) {
	trimmed := strings.TrimLeft(line, " \t")
	if strings.IndexByte(foreignStarts, trimmed[0]) < 0 && (prose || !hasDots(trimmed)) {
		return 0, ""
	}
	switch {
	case isEditMarker(trimmed):
		return EditMarker, fmt.Sprintf("marker of an edit block: %q", trimmed)
	case isConflictMarker(line):
		return ConflictMarker, fmt.Sprintf("marker of a merge conflict: %q", line)
	case !prose && isPlaceholder(trimmed):
		return Placeholder, fmt.Sprintf("placeholder for code that was left out: %q", trimmed)
	}
	return 0, ""
}

// foreignStarts are the first bytes of markers and of comments without dots that are placeholders. Lines that begin
// with no other are seen to be of the file in less time.
const foreignStarts = "<>|*/#-\u00ab\u00bb\u2550"

// hasDots reports whether a line has the dots of a placeholder.
func hasDots(line string) bool { return strings.Contains(line, "...") || strings.Contains(line, "…") }

// isConflictMarker reports whether a line is one that git leaves in a file at a conflict. The line ======= alone is
// none: it underlines headings, too.
func isConflictMarker(line string) bool {
	for _, run := range []string{"<<<<<<<", ">>>>>>>", "|||||||"} {
		if rest, ok := strings.CutPrefix(line, run); ok && (rest == "" && run != "|||||||" || strings.HasPrefix(rest, " ")) {
			return true
		}
	}
	return false
}

// editMarkers are the lines that begin and end edit blocks and patches, as models write them.
var editMarkers = []string{
	"««« EDIT", "»»» EDIT END", "═══════ REPL", "*** Begin Patch", "*** End Patch", "*** End of File",
}

// patchHeaders begin the lines of a patch that name a file.
var patchHeaders = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "}

// isEditMarker reports whether a line, without its indentation, is a marker of an edit block.
func isEditMarker(line string) bool {
	if slices.Contains(editMarkers, line) {
		return true
	}
	if slices.ContainsFunc(patchHeaders, func(h string) bool { return strings.HasPrefix(line, h) }) {
		return true
	}
	return slices.ContainsFunc([]struct{ run, words string }{
		{"<", "SEARCH ORIGINAL NEW_FILE"}, {">", "REPLACE UPDATED NEW_FILE"},
	}, func(m struct{ run, words string }) bool {
		rest := strings.TrimLeft(line, m.run)
		n := len(line) - len(rest)
		word, spaced := strings.CutPrefix(strings.TrimSuffix(rest, ">"), " ")
		return n >= 5 && spaced && slices.Contains(strings.Fields(m.words), word)
	})
}

// placeholders are the phrases that, in a comment behind or before three dots, or alone, stand for code that was left
// out.
var placeholders = []string{
	"existing code", "existing imports", "existing methods", "existing functions", "existing tests", "existing fields",
	"rest of the code", "rest of code", "rest of the file", "rest of file", "rest of the function", "rest of function",
	"rest of the method", "rest of method", "rest of the class", "rest of class", "rest of the component",
	"rest of component", "rest of the implementation", "rest of implementation", "rest of your code",
	"rest of existing code", "rest of the existing code", "remaining code", "remaining methods", "unchanged code",
	"code unchanged", "previous code", "other code", "other methods", "other existing code", "same as before",
	"remains unchanged", "remains the same", "unchanged", "code omitted", "omitted for brevity",
}

// isPlaceholder reports whether a line, without its indentation, is like "// ... existing code ...": dots, and one of
// the phrases, and at most two words more. The dots are what a sentence does not have.
func isPlaceholder(line string) bool {
	if unchanged.MatchString(line) {
		return true
	}
	inner := strings.ToLower(strings.Trim(line, " \t/#*-;%<>!{}()"))
	starts := strings.HasPrefix(inner, "...") || strings.HasPrefix(inner, "…")
	ends := strings.HasSuffix(inner, "...") || strings.HasSuffix(inner, "…")
	if exampleComment.MatchString(line) || !starts && !ends || strings.ContainsAny(inner, "\"'`=;|[]") {
		return false
	}
	inner = strings.Trim(inner, " .…()[]:,")
	for _, phrase := range placeholders {
		before, after, found := strings.Cut(inner, phrase)
		if found && len(strings.Fields(before))+len(strings.Fields(after)) <= 2 {
			return starts && ends || starts && line[0] != '.' || before == "" && after == "" && line[0] != '.'
		}
	}
	return false
}

// unchanged matches a comment that needs no dots to be a placeholder.
var unchanged = regexp.MustCompile(`(?i)^(//|#|--|/\*|<!--) ?(\(unchanged\)|\(?(the )?rest of (the |this )?` +
	`(file|code|function|method|class|component|implementation) (is |remains |stays )?(unchanged|the same)\)?)` +
	`\.? ?(\*/|-->)?$`)

// exampleComment matches a comment in an example that is a comment itself.
var exampleComment = regexp.MustCompile(`^(#|//+|\*)[ \t]{2,}(#|//|--)`)

// isProse reports whether a file is text for people, in which markers can be examples.
func isProse(name string) bool {
	base := path.Base(name)
	return !strings.Contains(base, ".") ||
		slices.Contains([]string{".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".html"},
			strings.ToLower(path.Ext(base)))
}

// holdsMarkers reports whether a file is of a kind, or lies where files are, in which markers belong to the content.
func holdsMarkers(name string) bool {
	return brokenOnPurpose(name) || slices.Contains([]string{".diff", ".patch", ".rej", ".orig", ".txtar", ".snap"},
		strings.ToLower(path.Ext(name)))
}

// fenceAfter returns the fence of Markdown that is open behind a line, or "".
func fenceAfter(fence, line string) string {
	line = strings.TrimLeft(line, " \t>")
	for _, c := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, c))]
		switch {
		case len(run) < 3:
		case fence == "":
			return run
		case strings.HasPrefix(run, fence) && len(line) == len(run):
			return ""
		}
	}
	return fence
}
