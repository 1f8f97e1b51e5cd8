package report

import (
	"fmt"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Bounds on a pull request, in characters: maxPullTitle is GitHub's on the title, maxTask ours on what is quoted of the command.
const (
	maxPullTitle = 256
	maxTask      = 2000
)

// pullTitle is the title of an issue's pull request.
func PullTitle(t record.Target) string { return markdown.Clip(markdown.OneLine(t.Title), maxPullTitle) }

// pullBody is the text of an issue's pull request.
func PullBody(s Subject, r Summary) string {
	head := fmt.Sprintf("Fixes #%d\n\nAsked for by %s", s.Event.Thread.Number, markdown.PlainLogin(s.Event.Sender.Login))
	if s.Event.Comment.URL != "" {
		head += " [here](" + s.Event.Comment.URL + ")"
	}
	if text := markdown.Safe(secret.Redacted(s.Text), maxTask, markdown.Code); text != "" && s.Command.Verb != "apply" { // what stands below that are edits
		head += ":\n\n" + markdown.Quoted(text)
	}
	head += "\n\nFurther commands, in the issue and here, are committed to the same branch."
	below := []string{r.suggestionList(), r.problemList(), r.footer()}
	room := bodyRoom - utf8.RuneCountInString(head)
	for _, text := range below {
		room -= utf8.RuneCountInString(text) + len("\n\n")
	}
	table, room := r.table(room)
	return markdown.JoinSections(append([]string{head, table, r.folds(room)}, below...))
}

// unopenedText says that there is no pull request, and how a person can open it.
func UnopenedText(t record.Target, repoURL string) string {
	return fmt.Sprintf("**No pull request**: GitHub did not open one. [Open it here](%s/compare/%s...%s?expand=1). GitHub said:\n\n%s",
		repoURL, escapePath(t.Base), escapePath(t.Branch), markdown.CodeBlock(markdown.Clip(t.Unopened, maxReason)))
}
