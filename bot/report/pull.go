package report

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Bounds on a pull request, in characters: maxPullTitle is GitHub's, maxTask is what is quoted of the command.
const (
	maxPullTitle = 256
	maxTask      = 2000
)

// PullTitle returns the title of the pull request for an issue.
func PullTitle(t record.Target) string { return markdown.Clip(markdown.OneLine(t.Title), maxPullTitle) }

// PullBody returns the description of the pull request for an issue.
func PullBody(s Subject, r Summary) string {
	head := fmt.Sprintf("Fixes #%d\n\nAsked for by %s", s.Event.Thread.Number, markdown.PlainLogin(s.Event.Sender.Login))
	if s.Event.Comment.URL != "" {
		head += " [here](" + s.Event.Comment.URL + ")"
	}
	task := markdown.Safe(secret.Redacted(s.Text), maxTask, markdown.Code)
	if task != "" && s.Command.Text != command.TextEdits { // the text of an apply is edits
		head += ":\n\n" + markdown.Quoted(task)
	}
	head += "\n\nFurther commands, in the issue and here, are committed to the same branch."
	offered := r // the numbers of its edits count in the issue
	r.Offers = func(verb string) bool { return verb != command.Apply && offered.offers(verb) }
	above := []string{head, r.broken()}
	below := []string{r.commandList(), r.problemList(), r.footer()}
	table, room := r.table(bodyRoom - size(above...) - size(below...))
	return markdown.JoinSections(append(append(above, table, r.folds(room)), below...))
}

// UnopenedNotice says that there is no pull request, and how people can open it.
func UnopenedNotice(t record.Target, repoURL string) string {
	return fmt.Sprintf("**No pull request**: GitHub did not open one. [Open it here](%s/compare/%s...%s?expand=1). "+
		"GitHub said:\n\n%s",
		repoURL, escapePath(t.Base), escapePath(t.Branch), markdown.CodeBlock(markdown.Clip(t.Unopened, maxReason)))
}
