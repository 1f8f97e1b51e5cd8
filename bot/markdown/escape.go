package markdown

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a model, a file or a person wrote goes into an answer as code, or by plain: inside code, GitHub makes no mention, no
// reference, no link, no image and no HTML of it.

// codeSpan shows s as inline code, on one line.
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

// cellCode is codeSpan inside a table, where a bar ends the cell even in code.
func CellCode(s string) string { return strings.ReplaceAll(Code(s), "|", `\|`) }

// codeText is for text that is already between backticks of ours.
func CodeText(s string) string { return strings.ReplaceAll(OneLine(s), "`", "'") }

// codeBlock shows text as a fenced block that nothing in it can end.
func CodeBlock(text string) string { return Fenced("text", text) }

// fenced is codeBlock for a language that GitHub knows.
func Fenced(language, text string) string {
	fence := strings.Repeat("`", max(3, LongestRun(text, '`')+1))
	return fence + language + "\n" + strings.TrimSuffix(Printable(text, true), "\n") + "\n" + fence
}

// plainLogin writes a login so that nobody is notified by it.
func PlainLogin(login string) string { return Code(login) }

// oneLine makes control and invisible characters visible and joins lines.
func OneLine(s string) string { return strings.TrimSpace(Printable(s, false)) }

// visible replaces what a reader would not see or what changes how the rest is seen: control characters, bidirectional
// marks, zero-width characters, broken UTF-8. And what would read like a mark by which tenon knows its own comments.
func Printable(s string, lines bool) string {
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
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

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

// squeeze is a text on one line, with single blanks.
func squeeze(s string) string { return strings.Join(strings.Fields(OneLine(s)), " ") }

// unprintable tells names that could forge what stands around them.
func Unprintable(name string) bool {
	return !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
	})
}

// clipBytes cuts a text to at most n bytes, at a character's end.
func ClipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// grouped writes a number with commas.
func Grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func Distance(a, b int) int { return max(a-b, b-a) }

func JoinSections(sections []string) string {
	var kept []string
	for _, text := range sections {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n\n")
}

func Fold(title, text string) string {
	return fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n\n</details>", title, text)
}

// thousands writes a number of things with commas.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// quoted makes a quotation of Markdown.
func Quoted(md string) string {
	lines := strings.Split(md, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// indented moves all lines but the first to the right.
func Indented(text string, by int) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", by) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
