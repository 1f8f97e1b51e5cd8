package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a model, a file or a person wrote goes into an answer as code, or by plain: inside code, GitHub makes no mention, no
// reference, no link, no image and no HTML of it.

// codeSpan shows s as inline code, on one line.
func codeSpan(s string) string {
	s = oneLine(s)
	if s == "" {
		return "` `"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if fence == "`" {
		return fence + s + fence
	}
	return fence + " " + s + " " + fence
}

// cellCode is codeSpan inside a table, where a bar ends the cell even in code.
func cellCode(s string) string { return strings.ReplaceAll(codeSpan(s), "|", `\|`) }

// codeText is for text that is already between backticks of ours.
func codeText(s string) string { return strings.ReplaceAll(oneLine(s), "`", "'") }

// codeBlock shows text as a fenced block that nothing in it can end.
func codeBlock(text string) string { return fenced("text", text) }

// fenced is codeBlock for a language that GitHub knows.
func fenced(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + strings.TrimSuffix(visible(text, true), "\n") + "\n" + fence
}

// plainLogin writes a login so that nobody is notified by it.
func plainLogin(login string) string { return codeSpan(login) }

// oneLine makes control and invisible characters visible and joins lines.
func oneLine(s string) string { return strings.TrimSpace(visible(s, false)) }

// visible replaces what a reader would not see or what changes how the rest is seen: control characters, bidirectional
// marks, zero-width characters, broken UTF-8. And what would read like a mark by which tenon knows its own comments.
func visible(s string, lines bool) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			if lines {
				return r
			}
			return ' '
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return '\uFFFD'
		default:
			return r
		}
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return strings.ReplaceAll(s, "<!-- tenon:", "<!-\uFFFD tenon:")
}

// clip cuts s to at most n characters, with an ellipsis for what is gone.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func longestRun(s string, c byte) int {
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

// maxBody is how many characters GitHub takes in a comment (422 beyond: "body is too long (maximum is 65536 characters)").
const maxBody = 65536

// maxCell is the longest piece of a reply or file that an answer shows in one place, in characters.
const maxCell = 300

// maxListed is how many problems, suggestions or names one list of an answer shows.
const maxListed = 20
