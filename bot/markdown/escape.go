package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What a model, a file or a person wrote goes into an answer as code, or by Plain or Safe: inside code, GitHub makes no
// mention, reference, link, image or HTML of it.

// Code shows s as inline code, on one line.
func Code(s string) string {
	s = OneLine(s)
	if s == "" {
		return "` `"
	}
	fence := strings.Repeat("`", LongestRun(s, '`')+1)
	if fence == "`" {
		return fence + s + fence
	}
	return fence + " " + s + " " + fence
}

// CellCode is Code for a table, where a bar ends the cell even in code.
func CellCode(s string) string { return strings.ReplaceAll(Code(s), "|", `\|`) }

// CodeText shows s between backticks that the caller writes.
func CodeText(s string) string { return strings.ReplaceAll(OneLine(s), "`", "'") }

// CodeBlock shows text as a fenced block that nothing in it can end.
func CodeBlock(text string) string { return Fenced("text", text) }

// Fenced is CodeBlock for a language that GitHub knows.
func Fenced(language, text string) string {
	fence := strings.Repeat("`", max(3, LongestRun(text, '`')+1))
	return fence + language + "\n" + strings.TrimSuffix(Printable(text, true), "\n") + "\n" + fence
}

// PlainLogin shows a login without notifying its user.
func PlainLogin(login string) string { return Code(login) }

// maxLogin is the longest login on GitHub, in bytes.
const maxLogin = 39

// loginShape is what logins of people look like: with the short name of an enterprise behind an underscore, if it
// manages them.
var loginShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*(_[A-Za-z0-9]+)?$`)

// Mention shows a login so that GitHub notifies its user. It is PlainLogin for what cannot be the login of a person,
// and for GitHub's name of those who deleted their account.
func Mention(login string) string {
	if len(login) > maxLogin || !loginShape.MatchString(login) || strings.EqualFold(login, "ghost") {
		return PlainLogin(login)
	}
	return "@" + login
}

// OneLine joins the lines of s and makes it Printable.
func OneLine(s string) string { return strings.TrimSpace(Printable(s, false)) }

// squeeze is OneLine with single blanks.
func squeeze(s string) string { return strings.Join(strings.Fields(OneLine(s)), " ") }

// Printable replaces what a reader would not see or what changes how the rest is shown: control and format characters,
// and broken UTF-8. It also breaks the markers by which tenon recognizes its own comments. Line feeds and tabs remain
// if lines is set, and become blanks otherwise.
func Printable(s string, lines bool) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case (r == '\n' || r == '\t') && lines:
			return r
		case r == '\n' || r == '\t':
			return ' '
		case disruptive(r):
			return '\uFFFD'
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return strings.ReplaceAll(s, "<!-- tenon:", "<!-\uFFFD tenon:")
}

// Clip cuts s to at most n characters, the last of them an ellipsis if something was cut off.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end, characters := 0, 0
	for i := range s {
		if characters == n-1 {
			end = i
		}
		if characters == n {
			return s[:end] + "…"
		}
		characters++
	}
	return s
}

// ClipBytes cuts s to at most n bytes, at the end of a character, and puts an ellipsis behind it if something was cut
// off.
func ClipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return CutBytes(s, n) + "…"
}

// CutBytes cuts s to at most n bytes, at the end of a character.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// LongestRun returns the length of the longest run of c in s.
func LongestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// JoinSections joins the sections that are not empty, with a blank line between them.
func JoinSections(sections []string) string {
	kept := slices.DeleteFunc(slices.Clone(sections), func(text string) bool { return text == "" })
	return strings.Join(kept, "\n\n")
}

// Fold hides text behind a title, which is HTML.
func Fold(title, text string) string {
	return fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n\n</details>", title, text)
}

// Quoted makes a quotation of Markdown.
func Quoted(md string) string {
	lines := strings.Split(md, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// Indented moves all lines but the first to the right by a number of columns.
func Indented(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", columns) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
