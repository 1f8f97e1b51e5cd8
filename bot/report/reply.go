package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// AskBody returns the answer to a question.
func AskBody(j conversation.Job, c record.Costs, repoURL string) string {
	answer := j.Conversation.AnswerText()
	reply := engine.Parse(answer, engine.ParseOptions{})
	said := j.Conversation.Reply()
	below := markdown.JoinSections([]string{
		ignoredEdits(len(reply.Blocks)),
		Summary{Reply: conversation.Reply{Cut: said.Cut, Fault: said.Fault}}.problemList(),
		contextFold(j.Prompt, said.Given),
		costLine(c),
	})
	var kept strings.Builder
	asks := len(retrieve.ParseAsksOfAnswer(answer)) > 0
	for line := range strings.Lines(reply.Prose) {
		if !asks || !retrieve.IsAsk(line) {
			kept.WriteString(line)
		}
	}
	prose := markdown.Clip(kept.String(), markdown.MaxAnswer)
	text := markdown.Safe(prose, bodyRoom-size(below), citing(j.Prompt, repoURL))
	if text == "" && len(reply.Blocks) == 0 {
		text = "The model gave no answer. Ask in other words."
	}
	return markdown.JoinSections([]string{text, below})
}

// ignoredEdits says that edits in the answer to a question were not made.
func ignoredEdits(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The model wrote %d %s besides, and nothing was made of it. "+
		"`/tenon fix <what>` asks for the change and commits it.", n, english.PluralWord(n, "edit", ""))
}

// citedPlace is a place in the code as the model is told to name it.
var citedPlace = regexp.MustCompile(`^(.+?):([0-9]{1,7})(?:[-–][0-9]{1,7})?$`)

// citing returns a function that shows inline code. Where it names a file that the model saw, it is a link to the file
// at the commit that the model saw.
func citing(q record.Prompt, repoURL string) func(string) string {
	return func(code string) string {
		path, line := code, 0
		if m := citedPlace.FindStringSubmatch(code); m != nil {
			path = m[1]
			line, _ = strconv.Atoi(m[2])
		}
		if q.Shown[path] == "" {
			return markdown.Code(code)
		}
		return fileLink(markdown.Code(code), repoURL, q.Base, path, line)
	}
}

// statement shows what the model said if it made no edit: that is its answer.
func (r Summary) statement() string {
	text := strings.TrimSpace(r.Reply.Prose)
	if r.Reply.NoChange {
		text = strings.TrimLeft(strings.TrimPrefix(text, "NO CHANGE"), ":. \n")
	}
	if len(r.Results) > 0 || text == "" {
		return ""
	}
	return "The model said:\n\n" + markdown.Quoted(markdown.Safe(text, maxProse, markdown.Code))
}

// explanation folds what the model said besides its edits, without the lines that are meant for tenon. It is empty for
// a reply that was cut off, whose prose may be half an edit, and for code alone, which is shown as suggested commands.
func (r Summary) explanation() string {
	if len(r.Results) == 0 || r.Reply.Cut {
		return ""
	}
	var kept strings.Builder
	for line := range strings.Lines(r.Reply.Prose) {
		if !strings.HasPrefix(strings.TrimSpace(line), "COMMIT:") && !retrieve.IsAsk(line) {
			kept.WriteString(line)
		}
	}
	text := markdown.Safe(kept.String(), maxProse, markdown.Code)
	if text == "" || strings.HasPrefix(text, "```") {
		return ""
	}
	return markdown.Fold("What the model said", text)
}

// commandList numbers the shell commands that the model suggests, as the command run does, and marks those that run
// carries out.
func (r Summary) commandList() string {
	list := r.Reply.Suggestions
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	runnable := false
	for i, s := range list[:min(len(list), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n%d. %s", i+1, markdown.Code(markdown.Clip(s.Command, markdown.MaxCell)))
		if s.Op != nil && r.offers("run") {
			fmt.Fprintf(&b, " → `/tenon run %d`", i+1)
			runnable = true
		}
	}
	head := "**Suggested commands** (tenon runs none of them):\n"
	if runnable {
		head = "**Suggested commands** (tenon runs none by itself, and on demand only those with a `/tenon run`):\n"
	}
	return head + b.String() + andMore(len(list), markdown.MaxListed)
}

// problemList says what is wrong with the model's reply.
func (r Summary) problemList() string {
	var b strings.Builder
	list := r.Reply.Problems
	for _, p := range list[:min(len(list), markdown.MaxListed)] {
		b.WriteString("\n- " + markdown.Plain(markdown.Clip(p.Text, markdown.MaxCell), ""))
		if p.Line > 0 && !strings.Contains(p.Text, fmt.Sprintf("line %d", p.Line)) {
			fmt.Fprintf(&b, " (line %d of the reply)", p.Line)
		}
	}
	b.WriteString(andMore(len(list), markdown.MaxListed))
	if r.Reply.Cut {
		b.WriteString("\n- The model's reply was cut off. Ask for less at once, or raise the model's limit.")
	}
	if r.Reply.Fault != "" {
		b.WriteString("\n- The model could not be asked again. " + markdown.Clip(r.Reply.Fault, maxReason))
	}
	if b.Len() == 0 {
		return ""
	}
	return "**Problems of the reply**:\n" + b.String()
}

// andMore ends a list of n items of which at most as many are shown.
func andMore(n, most int) string {
	if n <= most {
		return ""
	}
	return fmt.Sprintf("\n- … and %d more", n-most)
}
