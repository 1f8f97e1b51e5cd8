package bot

import (
	"regexp"
	"strings"
)

var (
	// proseMark begins a line of a list, or a heading.
	proseMark = regexp.MustCompile(`^(\s*)([-*+]|[0-9]{1,3}[.)]|#{1,6})\s+(\S.*)$`)
	proseBold = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	proseCode = regexp.MustCompile("`[^`]+`")
	// proseFence begins and ends a block of code.
	proseFence = regexp.MustCompile("^ {0,3}(```+|~~~+)")
)

// prose shows what a model wrote, of several lines, as text: its paragraphs, lists and code stay, and nothing else means
// anything to GitHub.
func prose(text string) string {
	var out, code []string
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimSpace(proseFence.FindString(line))
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence):
			out, code, fence = append(out, "", codeBlock(strings.Join(code, "\n")), ""), nil, ""
		case fence != "":
			code = append(code, line)
		default:
			out = append(out, proseLine(line))
		}
	}
	if fence != "" {
		out = append(out, "", codeBlock(strings.Join(code, "\n")))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// proseLine shows a line that is not code. Headings become bold, so that they do not outdo those of the page.
func proseLine(line string) string {
	parts := proseMark.FindStringSubmatch(line)
	if parts == nil {
		return spans(line)
	}
	indent, mark, text := parts[1], parts[2], spans(parts[3])
	switch mark[0] {
	case '#':
		return "\n**" + text + "**\n"
	case '*', '+':
		mark = "-"
	}
	// Four blanks and more would be code.
	return strings.Repeat(" ", min(len(indent), 2)) + mark + " " + text
}

// spans shows a line's text, and its code as code.
func spans(line string) string {
	s := squeeze(proseBold.ReplaceAllString(line, "$1"))
	var out []string
	for at := 0; ; {
		span := proseCode.FindStringIndex(s[at:])
		if span == nil {
			return strings.Join(append(out, words(s)), "")
		}
		from, to := at+span[0], at+span[1]
		if !alone(s[:from], s[to:]) {
			at = from + 1
			continue
		}
		out = append(out, words(s[:from]), codeSpan(s[from+1:to-1]))
		s, at = s[to:], 0
	}
}
