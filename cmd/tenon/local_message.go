package main

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
)

// maxSubject is how long the subject of a commit is that repeats the task, in bytes.
const maxSubject = 72

// commit writes the edits, with a message of a person's own commit.
func (l local) commit(ctx context.Context, u port.Upload) (string, error) {
	u.Message = ownMessage(u.Message, l.task)
	return l.tree.Commit(ctx, u)
}

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
