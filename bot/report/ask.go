package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// askBody is the answer to a question.
func AskBody(j conversation.Job, c record.Costs, repoURL string) string {
	text := j.Conversation.Answer()
	reply := engine.Parse(text, engine.ParseOptions{})
	below := markdown.JoinSections([]string{unasked(len(reply.Blocks)), unanswered(j.Conversation), contextFold(j.Prompt), "<sub>" + strings.Join(costParts(c), " · ") + "</sub>"})
	room := bodyRoom - len(below) - len("\n\n")
	shown := markdown.Safe(markdown.Clip(reply.Prose, markdown.MaxAnswer), room, citing(j.Prompt, repoURL))
	if shown == "" && len(reply.Blocks) == 0 {
		shown = "The model gave no answer. Ask in other words."
	}
	return markdown.JoinSections([]string{shown, below})
}

// unasked says that edits in an answer were not made.
func unasked(edits int) string {
	if edits == 0 {
		return ""
	}
	return fmt.Sprintf("The model wrote %d %s besides, and nothing was made of it. `/tenon fix <what>` asks for the change and commits it.", edits, markdown.Plural(edits, "edit"))
}

// unanswered says what an answer lacks.
func unanswered(t conversation.Conversation) string {
	r := t.Reply()
	return Summary{Reply: conversation.Reply{Cut: r.Cut, Fault: r.Fault}}.problemList()
}

// cited is a place in the code as the model is told to name it.
var cited = regexp.MustCompile(`^(.+?):([0-9]{1,7})(?:[-–][0-9]{1,7})?$`)

// citing shows inline code; where it names a file that the model saw, with a link to it, at the commit that it saw.
func citing(q record.Prompt, repoURL string) func(string) string {
	return func(code string) string {
		path, line := code, 0
		if m := cited.FindStringSubmatch(code); m != nil {
			path = m[1]
			line, _ = strconv.Atoi(m[2])
		}
		if q.Shown[path] == "" {
			return markdown.Code(code)
		}
		return blobLink(markdown.Code(code), repoURL, q.Base, path, line)
	}
}
