package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// AskBody returns the answer to a question.
func AskBody(j conversation.Job, c record.Costs, repo port.Links) string {
	answer := j.Conversation.AnswerText()
	reply := engine.Parse(answer, engine.ParseOptions{})
	said := j.Conversation.Reply()
	below := markdown.JoinSections([]string{
		Summary{Links: repo, Moved: j.Target.Moved, At: j.Target.SHA, Context: j.Prompt}.remarks(),
		ignoredEdits(len(reply.Blocks)),
		Summary{Reply: conversation.Reply{Cut: said.Cut, Broken: said.Broken, Fault: said.Fault}}.missing(),
		markdown.Fold("Details", markdown.JoinSections([]string{contextFold(j.Prompt, j.Conversation.Choice, said.Given,
			repo), costLine(c)})),
	})
	var kept strings.Builder
	asks := len(retrieve.ParseAsksOfAnswer(answer)) > 0
	for line := range strings.Lines(reply.Prose) {
		if !asks || !retrieve.IsAsk(line) {
			kept.WriteString(line)
		}
	}
	prose := markdown.Clip(kept.String(), markdown.MaxAnswer)
	text := markdown.Safe(prose, bodyRoom-size(below), citing(j.Prompt, repo))
	if text == "" && len(reply.Blocks) == 0 {
		text = "The model gave no answer. Rephrase the question."
	}
	return markdown.JoinSections([]string{text, below})
}

// ignoredEdits says that edits in the answer to a question were not made.
func ignoredEdits(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The model also wrote %d %s, and nothing was applied. "+
		"`/tenon fix <what>` asks for the change and commits it.", n, english.PluralWord(n, "edit", ""))
}

// citedPlace is a place in the code as the model is told to name it.
var citedPlace = regexp.MustCompile(`^(.+?):([0-9]{1,7})(?:[-–][0-9]{1,7})?$`)

// citing returns a function that shows inline code. Where it names a file that the model saw, it is a link to the file
// at the commit that the model saw.
func citing(q record.Prompt, repo port.Links) func(string) string {
	return func(code string) string {
		path, line := code, 0
		if m := citedPlace.FindStringSubmatch(code); m != nil {
			path = m[1]
			line, _ = strconv.Atoi(m[2])
		}
		if q.Shown[path] == "" {
			return markdown.Code(code)
		}
		return fileLink(markdown.Code(code), repo, q.Base, path, line)
	}
}

// Bounds on suggested commands that are shown in one line: how many, and how long all of them are, in characters.
const (
	maxInline     = 3
	maxInlineRoom = 160
)

// commandList shows the shell commands that the model suggests: a few in one line, more in a list, numbered as the
// command run counts them. It marks those that run carries out; tenon runs none by itself.
func (r Summary) commandList() string {
	list := r.Reply.Suggestions
	items, room := make([]string, min(len(list), markdown.MaxListed)), maxInlineRoom
	for i, s := range list[:len(items)] {
		items[i] = markdown.Code(markdown.Clip(s.Command, markdown.MaxCell))
		if s.Op != nil && r.offers(command.Run) {
			items[i] += fmt.Sprintf(" → `/tenon run %d`", i+1)
		}
		room -= utf8.RuneCountInString(items[i])
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) <= maxInline && room >= 0:
		return "**Suggested commands:** " + strings.Join(items, " · ")
	}
	for i := range items {
		items[i] = fmt.Sprintf("\n%d. %s", i+1, items[i])
	}
	return "**Suggested commands:**\n" + strings.Join(items, "") + andMore(len(list), markdown.MaxListed)
}

// missing says why a part of the model's reply is missing, and what helps.
func (r Summary) missing() string {
	var parts []string
	switch {
	case r.Reply.Broken:
		parts = append(parts, "The connection to the model broke in the middle of its reply, so the end of the "+
			"reply is missing. Give the command again for the rest.")
	case r.Reply.Cut:
		parts = append(parts, "The model's reply was cut off at its length limit. Give the command again for what is "+
			"missing.")
	}
	if r.Reply.Fault != "" {
		parts = append(parts, "The model could not be asked again. "+markdown.Clip(r.Reply.Fault, maxReason))
	}
	return strings.Join(parts, " ")
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
	if b.Len() == 0 {
		return ""
	}
	if slices.ContainsFunc(list, func(p engine.Problem) bool { return p.Kind == engine.ProblemNotRead }) {
		b.WriteString("\n\n[Which edits are read](" + docsURL + "/formats.md)")
	}
	return "**Problems in the reply**:\n" + b.String()
}

// andMore ends a list of n items of which at most as many are shown.
func andMore(n, most int) string {
	if n <= most {
		return ""
	}
	return fmt.Sprintf("\n- … and %d more", n-most)
}
