package report

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxPullTitle is GitHub's bound on the title of a pull request, in characters.
const maxPullTitle = 256

// PullTitle returns the title of the pull request for an issue: the subject of its first commit if the model gave one,
// else the issue's title.
func PullTitle(issue int, subject string, t record.Target) string {
	if message.IsSubject(subject) {
		return subject
	}
	return message.Title(t.Title, maxPullTitle, fmt.Sprintf("Changes for issue %d", issue))
}

// UnopenedNotice says that there is no pull request, and how people can open it.
func UnopenedNotice(t record.Target, repo port.Links) string {
	text := "**No pull request**: GitHub did not open one. "
	if repo != nil {
		text += "[Open it here](" + repo.NewPull(t.Base, t.Branch) + "). "
	}
	return text + "GitHub said:\n\n" + markdown.CodeBlock(markdown.Clip(t.Unopened, maxReason))
}
