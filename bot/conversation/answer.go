package conversation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Reply is what the model said apart from its edits.
type Reply struct {
	// Explanation is what of the text around the blocks of all replies is for people, as Markdown, without secrets.
	Explanation string
	// NoChange means that the model found nothing to change.
	NoChange    bool
	Problems    []engine.Problem
	Suggestions []engine.Suggestion
	// Cut means that the last answer ends before the model was done, Broken that this is because the connection broke.
	// Fault says why the model could not be asked again.
	Cut, Broken bool
	Fault       string
	// Given says what the model was given for what it asked to be shown.
	Given []retrieve.Given
	// Unanswered is what the last answer asks to be shown, and what was not shown any more.
	Unanswered []retrieve.Ask
}

// Reply returns what the model said apart from its edits, in all turns.
func (c Conversation) Reply() Reply {
	last := c.LastAnswer()
	r := Reply{
		Explanation: c.explanation(),
		NoChange:    noChange(last.Text), Problems: c.Problems(), Suggestions: c.Suggestions(),
		Cut: last.Cut, Broken: last.Broken,
	}
	for _, turn := range c.Turns {
		r.Fault = turn.Fault
		r.Given = append(r.Given, turn.Given...)
	}
	if len(c.Plan()) == 0 && !r.NoChange {
		r.Unanswered = retrieve.ParseAsks(last.Text)
	}
	return r
}

// Prose returns the text around the blocks of all replies, without secrets.
func (c Conversation) Prose() string {
	var out []string
	for _, r := range c.Replies {
		if text := strings.TrimSpace(r.Prose); text != "" {
			out = append(out, text)
		}
	}
	return secret.Redacted(strings.Join(out, "\n\n"))
}

// Problems returns the problems of all replies, except those that the next answer resolved: that blocks were missing or
// cut off.
func (c Conversation) Problems() []engine.Problem {
	var out []engine.Problem
	for i, r := range c.Replies {
		if i+1 < len(c.Turns) && !rewords(c.Turns[i+1].Kind) && c.Turns[i+1].Fault == "" {
			continue
		}
		for _, p := range r.Problems {
			p.Text = secret.Fragment(p.Text)
			out = append(out, p)
		}
	}
	return out
}

// Suggestions returns the shell commands in all replies, each once. One that is too long to be shown whole has no
// operation, so that it is never carried out.
func (c Conversation) Suggestions() []engine.Suggestion {
	var out []engine.Suggestion
	for _, r := range c.Replies {
		for _, s := range r.Suggestions {
			if slices.ContainsFunc(out, func(o engine.Suggestion) bool { return o.Command == s.Command }) {
				continue
			}
			if masked := secret.Redacted(s.Command); masked != s.Command {
				s.Command, s.Op = masked, nil
			}
			if utf8.RuneCountInString(s.Command) > markdown.MaxCell {
				s.Op = nil
			}
			out = append(out, s)
		}
	}
	return out
}

// AnswerText returns the answer to a question in words. What the model said before it was shown more files is not part
// of it.
func (c Conversation) AnswerText() string {
	text := ""
	for _, turn := range c.Turns {
		switch {
		case turn.Fault != "":
		case turn.Kind == record.TurnContinue:
			text += turn.Answer.Text
		default:
			text = turn.Answer.Text
		}
	}
	return secret.Redacted(text)
}
