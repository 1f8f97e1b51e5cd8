package match

import (
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// minIndentedLines is how many indented lines show the style of a file.
const minIndentedLines = 3

// Style returns a match whose new lines are indented as the file is: with the unit of its indentation, if all of them
// are indented with tabs and the file with spaces only, or vice versa. Where that is not certain, the edits are
// ambiguous, or stay as they are in a file with few indented lines. Nothing changes if the lines to find are indented,
// since those have matched the file, nor where spaces do not indent a block, such as those of a list in a comment, of a
// value that goes on or of an alignment.
func Style(f File, found Match) Match {
	if tabs, spaces := text.CountIndents(found.Pattern.Find); tabs+spaces > 0 || found.Ambiguity != "" {
		return found
	}
	tabs, spaces, indents := 0, 0, false
	var lines []string
	for _, e := range found.Edits {
		t, b := text.CountIndents(e.Lines)
		tabs, spaces, lines = tabs+t, spaces+b, append(lines, e.Lines...)
		indents = indents || indentsBlock(f.Text, e)
	}
	if tabs+spaces == 0 || tabs > 0 && spaces > 0 || tabs > 0 && hasRecipes(f.Path) {
		return found
	}
	f.Work.Spend(len(f.Lines()))
	fileTabs, fileSpaces := text.CountIndents(f.Lines())
	switch {
	case tabs > 0 && fileTabs == 0 && fileSpaces > 0:
		if unit := unitOf(f.Lines()); unit > 0 && isFree(f, found) {
			return found.restyled(func(in string) string { return strings.ReplaceAll(in, "\t", strings.Repeat(" ", unit)) })
		}
		if fileSpaces >= minIndentedLines {
			found.Ambiguity = "the new lines are indented with tabs, the file with spaces"
		}
	case indents && spaces > 0 && fileSpaces == 0 && fileTabs > 0:
		if unit := unitOf(lines); unit > 0 && isFree(f, found) {
			return found.restyled(func(in string) string { return strings.ReplaceAll(in, strings.Repeat(" ", unit), "\t") })
		}
		if fileTabs >= minIndentedLines {
			found.Ambiguity = "the new lines are indented with spaces, the file with tabs"
		}
	}
	return found
}

// hasRecipes reports whether a tab at the start of a line means more than its indentation, as in a makefile.
func hasRecipes(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.Contains(base, "makefile") || base == "kbuild" || path.Ext(base) == ".mk"
}

// freeFiles are the extensions of files whose lines may be indented with tabs or spaces, as their authors like.
var freeFiles = []string{
	".c", ".cc", ".cpp", ".cs", ".css", ".dart", ".h", ".hpp", ".html", ".java", ".js", ".json", ".jsx", ".kt", ".less",
	".lua", ".mjs", ".php", ".py", ".rb", ".rs", ".scala", ".scss", ".svelte", ".swift", ".ts", ".tsx", ".vue", ".xml",
}

// longQuotes are the quotes of strings of several lines, whose blanks are content; longStrings begin others.
var (
	longQuotes  = []string{"`", `"""`, "'''"}
	longStrings = []string{"<<<", "<<-", "<<~", "<pre", `R"`, "[["}
)

// isFree reports whether the indentation of the new lines of a match means nothing but the depth of a block: it is not
// in a string, as far as quotes show.
func isFree(f File, found Match) bool {
	f.Work.SpendEachByte(f.Size())
	has := func(lines, marks []string) bool {
		return slices.ContainsFunc(lines, func(s string) bool {
			return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(s, mark) })
		})
	}
	if !slices.Contains(freeFiles, path.Ext(f.Path)) || has(f.Lines(), longStrings) {
		return false
	}
	for _, e := range found.Edits {
		if has(e.Lines, longStrings) || slices.ContainsFunc(e.Lines, opensString) {
			return false
		}
	}
	return !slices.ContainsFunc(longQuotes, func(quote string) bool {
		return strings.Count(strings.Join(f.Lines()[:found.First()], "\n"), quote)%2 == 1
	})
}

// opensString reports whether a string of several lines begins on a line. That of a documentation begins a line: it is
// indented as the code is.
func opensString(s string) bool {
	return slices.ContainsFunc(longQuotes, func(quote string) bool {
		return strings.Count(s, quote)%2 == 1 && !strings.HasPrefix(text.TrimIndent(s), quote)
	})
}

// restyled returns a match with another indentation of its new lines.
func (m Match) restyled(indent func(string) string) Match {
	edits := make([]text.Edit, len(m.Edits))
	for i, e := range m.Edits {
		lines := make([]string, len(e.Lines))
		for k, s := range e.Lines {
			in := text.IndentOf(s)
			lines[k] = indent(in) + s[len(in):]
		}
		edits[i] = text.Edit{From: e.From, To: e.To, Lines: lines}
	}
	m.Edits, m.isRestyled = edits, true
	return m
}

// maxUnit is the widest indentation of a level that there is.
const maxUnit = 8

// unitOf returns by how many spaces lines are indented for each level, or 0 if they do not show it.
func unitOf(lines []string) int {
	unit := 0
	for _, s := range lines {
		n := len(s) - len(strings.TrimLeft(s, " "))
		if n < 2 || text.IsBlank(s) {
			continue
		}
		for n > 0 {
			unit, n = n, unit%n
		}
	}
	if unit < 2 || unit > maxUnit {
		return 0
	}
	return unit
}

// indentsBlock reports whether one of the new lines is indented as the line of a block: it follows one that is indented
// with a tab, or one that opens a block.
func indentsBlock(t *text.Text, e text.Edit) bool {
	before := ""
	for i := e.From - 1; i >= 0 && before == "" && !t.Work.UsedUp(); i-- {
		t.Work.Spend(1)
		before = text.TrimTrailing(t.Lines()[i])
	}
	for _, s := range e.Lines {
		if text.IsBlank(s) {
			continue
		}
		deeper := len(text.IndentOf(s)) > len(text.IndentOf(before))
		if deeper && (strings.HasPrefix(before, "\t") || opensBlock(text.TrimIndent(before), text.TrimIndent(s))) {
			return true
		}
		before = text.TrimTrailing(s)
	}
	return false
}

// blockWords begin a line that opens a block without a bracket or a colon, unless the line goes on.
var blockWords = map[string]bool{
	"if": true, "unless": true, "for": true, "while": true, "until": true, "else": true, "case": true, "when": true,
	"switch": true, "def": true, "class": true, "module": true, "function": true, "func": true, "try": true,
}

// opensBlock reports whether the next line is indented as the body of a block, which a bracket, a tag, a word or a
// colon opens, such as that of a rule; but not as a list after a colon, nor below a comment. Both lines are trimmed.
func opensBlock(line, next string) bool {
	if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") || line[0] == '*' {
		return false
	}
	last := line[len(line)-1]
	first, _, _ := strings.Cut(strings.TrimRight(line, "{(: "), " ")
	switch {
	case strings.IndexByte("{([", last) >= 0, line[0] == '<' && last == '>':
		return true
	case blockWords[first] && strings.IndexByte(",\\&|+-=", last) < 0:
		return true
	}
	for _, word := range []string{"then", "do", "else", "begin", "=>", "->", "|"} {
		if strings.HasSuffix(line, word) {
			return true
		}
	}
	head, _, colon := strings.Cut(line, ":")
	item := strings.HasPrefix(next, "- ") || strings.HasPrefix(next, "* ")
	return colon && !item && (last == ':' || !strings.ContainsAny(head, " \t=\"'"))
}
