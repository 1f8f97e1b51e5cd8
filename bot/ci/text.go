package ci

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Bounds on texts that are no logs, in bytes: of a name, and of a text before its secrets are replaced.
const (
	maxName = 200
	maxText = 64 << 10
)

// oneLine returns the name of something as one line without secrets.
func oneLine(name string) string {
	text, _ := redactedText(name)
	return clip(strings.Join(strings.Fields(text), " "), maxName)
}

// redactedText returns a text of several lines as people see it, without its secrets, and their kinds.
func redactedText(text string) (redacted string, kinds []string) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = cleaned([]byte(l))
	}
	return secret.RedactFragment(strings.Join(lines, "\n"))
}

// clip cuts a text to so many bytes, between two characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	at := max(0, most-len(gapMark))
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at] + gapMark
}

// placeOf returns where an annotation is.
func placeOf(a port.Annotation) string {
	name := path.Clean(a.Path)
	if a.StartLine > 0 {
		name += ":" + strconv.Itoa(a.StartLine)
	}
	return name
}
