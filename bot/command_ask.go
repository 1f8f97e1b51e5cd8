package bot

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// runAsk answers a question: open, context, ask, report. It changes nothing, and shows as much by its reactions.
func runAsk(ctx context.Context, s *session) error {
	what := s.task()
	what.kind, what.write = turnAsk, prompts.Ask
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	s.unwatch()
	_, err = s.answer(ctx, what.at, s.said(j))
	return err
}

// said is the answer to a question.
func (s *session) said(j job) string {
	text := j.talk.words()
	reply := engine.Parse(text, engine.ParseOptions{})
	below := joinSections([]string{unasked(len(reply.Blocks)), s.unanswered(j.talk), contextFold(j.question), "<sub>" + strings.Join(costParts(s.costs(j.talk)), " · ") + "</sub>"})
	room := bodyRoom - len(below) - len("\n\n")
	shown := safeMarkdown(clip(reply.Prose, maxAnswer), room, s.citing(j.question))
	if shown == "" && len(reply.Blocks) == 0 {
		shown = "The model gave no answer. Ask in other words."
	}
	return joinSections([]string{shown, below})
}

// words are what the model answered: what it said before it was shown more files is none of that.
func (t talk) words() string {
	text := ""
	for _, turn := range t.turns {
		switch {
		case turn.Fault != "":
		case turn.Kind == turnContinue:
			text += turn.Answer.Text
		default:
			text = turn.Answer.Text
		}
	}
	return text
}

// unasked says that edits in an answer were not made.
func unasked(edits int) string {
	if edits == 0 {
		return ""
	}
	return fmt.Sprintf("The model wrote %d %s besides, and nothing was made of it. `/tenon fix <what>` asks for the change and commits it.", edits, plural(edits, "edit"))
}

// unanswered says what an answer lacks.
func (s *session) unanswered(t talk) string {
	r := t.reply()
	return summary{Reply: reply{Cut: r.Cut, Fault: r.Fault}}.problemList()
}

// cited is a place in the code as the model is told to name it.
var cited = regexp.MustCompile(`^(.+?):([0-9]{1,7})(?:[-–][0-9]{1,7})?$`)

// citing shows inline code; where it names a file that the model saw, with a link to it, at the commit that it saw.
func (s *session) citing(q question) func(string) string {
	return func(code string) string {
		path, line := code, 0
		if m := cited.FindStringSubmatch(code); m != nil {
			path = m[1]
			line, _ = strconv.Atoi(m[2])
		}
		if q.Shown[path] == "" {
			return codeSpan(code)
		}
		return blobLink(codeSpan(code), s.repoURL(), q.Base, path, line)
	}
}
