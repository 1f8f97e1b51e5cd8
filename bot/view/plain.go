package view

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/unusual"
)

// Bounds on what a page shows of one run.
const (
	// maxText bounds a reply, and the text of a request, in bytes.
	maxText = secret.MaxStream
	// maxListed bounds each list that is not of edits, and maxLine each line, in bytes.
	maxListed = 200
	maxLine   = 2000
)

// cut returns the beginning of a text, whole characters of it.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// plain returns a line in bounds, with U+XXXX in place of each character that a reader would not see.
func plain(line string) string {
	return unusual.Spelled(cut(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\n", " "), maxLine))
}

// plainLines is plain for each of some lines.
func plainLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = plain(line)
	}
	return out
}

// cutLines cuts long lines, which are searched for secrets then, where nothing that is shown of them ends.
func cutLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = cut(line, 2*maxLine)
	}
	return out
}

// plainText is plain for each line of a text. Whole lines that are appended to the text are appended to the result, as
// far as they are in bounds.
func plainText(text string) string {
	var b strings.Builder
	for line := range strings.Lines(cut(text, maxText)) {
		b.WriteString(plain(line))
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// add appends a line without secrets to a list, unless that is full.
func add(list []string, line string) []string {
	if len(list) >= maxListed {
		return list
	}
	return append(list, plain(secret.Redacted(line)))
}
