package main

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
)

// you is who gives commands, as the bot knows them.
var you = port.User{ID: 1, Login: "you"}

// maxSubject is how long the subject of a commit is that repeats the task, in bytes.
const maxSubject = 72

// ownMessage returns the message of a commit as that of whoever gave the task: the bot names somebody on GitHub who
// asked, and the thread where.
func ownMessage(text, task string) string {
	lines := strings.Split(text, "\n")
	if strings.HasPrefix(lines[0], "chore: apply edits from #") {
		const kind = "chore: "
		lines[0] = kind + message.Title(firstLine(task), maxSubject-len(kind), "apply edits")
	}
	kept := lines[:0]
	for _, line := range lines {
		if !strings.HasPrefix(line, message.CoAuthorPrefix(you.Login)) && line != "Requested by "+you.Login {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}
