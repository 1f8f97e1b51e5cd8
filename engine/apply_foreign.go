package engine

import "strings"

// foreignIndent says why new lines do not belong into a file: they are all indented with tabs and the file with blanks alone,
// or the other way round, and no line of find showed which is right. A block that has indented lines to find was carried to
// the file's indentation, or matched it; it is not asked again.
func foreignIndent(p match) string {
	if tabs, blanks := countIndents(p.matcher.find); tabs+blanks > 0 {
		return ""
	}
	tabs, blanks := 0, 0
	for _, e := range p.edits {
		t, b := countIndents(e.repl)
		tabs, blanks = tabs+t, blanks+b
	}
	if tabs+blanks == 0 || tabs > 0 && blanks > 0 {
		return ""
	}
	fileTabs, fileBlanks := 0, 0
	for _, l := range p.matcher.file.lines {
		t, b := countIndents([]string{l.text})
		fileTabs, fileBlanks = fileTabs+t, fileBlanks+b
	}
	switch {
	case tabs > 0 && fileTabs == 0 && fileBlanks >= minIndentedLines:
		return "the new lines are indented with tabs, the file with blanks"
	case blanks > 0 && fileBlanks == 0 && fileTabs >= minIndentedLines:
		return "the new lines are indented with blanks, the file with tabs"
	}
	return ""
}

// foreignEnough is how many lines show how a file is indented.
const minIndentedLines = 3

// indentKinds counts the lines that begin with a tab, and with at least two blanks; one blank is how comments go on.
func countIndents(lines []string) (tabs, blanks int) {
	for _, s := range lines {
		switch {
		case isBlank(s):
		case s[0] == '\t':
			tabs++
		case strings.HasPrefix(s, "  "):
			blanks++
		}
	}
	return tabs, blanks
}
