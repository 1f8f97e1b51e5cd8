package engine

import "strings"

// foreignIndent says why new lines do not fit the style of a file: all are indented with tabs and the file with spaces
// only, or vice versa. It does not apply if find has indented lines, since those have matched the file, nor to spaces
// that do not indent a block, such as those of a list in a comment, of a value that goes on or of an alignment.
func foreignIndent(found match) string {
	if tabs, spaces := countIndents(found.matcher.find); tabs+spaces > 0 {
		return ""
	}
	tabs, spaces, indents := 0, 0, false
	for _, e := range found.edits {
		t, b := countIndents(e.repl)
		tabs, spaces = tabs+t, spaces+b
		indents = indents || found.matcher.file.indentsBlock(e)
	}
	if tabs+spaces == 0 || tabs > 0 && spaces > 0 {
		return ""
	}
	fileTabs, fileSpaces := 0, 0
	found.matcher.file.work.spend(len(found.matcher.file.lines))
	for _, l := range found.matcher.file.lines {
		t, b := countIndents([]string{l.text})
		fileTabs, fileSpaces = fileTabs+t, fileSpaces+b
	}
	switch {
	case tabs > 0 && fileTabs == 0 && fileSpaces >= minIndentedLines:
		return "the new lines are indented with tabs, the file with spaces"
	case indents && spaces > 0 && fileSpaces == 0 && fileTabs >= minIndentedLines:
		return "the new lines are indented with spaces, the file with tabs"
	}
	return ""
}

// indentsBlock reports whether one of the new lines is indented as the line of a block: it follows one that is indented
// with a tab, or one that opens a block.
func (t *text) indentsBlock(e edit) bool {
	before := ""
	for i := e.from - 1; i >= 0 && before == "" && !t.work.isUsedUp(); i-- {
		t.work.spend(1)
		before = trimTrailing(t.lines[i].text)
	}
	for _, s := range e.repl {
		if isBlank(s) {
			continue
		}
		deeper := len(indentOf(s)) > len(indentOf(before))
		if deeper && (strings.HasPrefix(before, "\t") || opensBlock(trimIndent(before), trimIndent(s))) {
			return true
		}
		before = trimTrailing(s)
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

// minIndentedLines is how many indented lines show the style of a file.
const minIndentedLines = 3

// countIndents counts the lines that begin with a tab, and those that begin with at least two spaces. A single space
// is common in block comments.
func countIndents(lines []string) (tabs, spaces int) {
	for _, s := range lines {
		switch {
		case isBlank(s):
		case s[0] == '\t':
			tabs++
		case strings.HasPrefix(s, "  "):
			spaces++
		}
	}
	return tabs, spaces
}
