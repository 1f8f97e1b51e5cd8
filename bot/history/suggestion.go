package history

import (
	"context"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// Suggestions are the shell commands that an answer suggests.
type Suggestions struct {
	// Run is the run that answered, Answer its answer.
	Run    string
	Answer record.AnswerComment
	List   []engine.Suggestion
}

// Suggestions returns the commands of the newest answer that suggests any; ok is false if there is none. It returns a
// *port.UserError if a newer answer of the model cannot be read, or is not stored any more: it may be the one that
// people see.
func (t Thread) Suggestions(ctx context.Context, target record.Target) (s Suggestions, ok bool, err error) {
	past, err := t.past(ctx, t.numbers(target)...)
	if err != nil {
		return Suggestions{}, false, err
	}
	for _, p := range past {
		run, err := t.load(p)
		if err != nil && record.Asked(1).In(p.Run) && record.Reported.In(p.Run) {
			return Suggestions{}, false, Unreadable(p.ID, err)
		}
		if run.Final == nil {
			continue
		}
		if run.Forgotten && len(run.Turns) > 0 && run.Turns[0].Kind != record.TurnAsk &&
			run.Turns[0].Kind != record.TurnResolve {
			return Suggestions{}, false, sentence.SuggestionsGone(p.ID)
		}
		c := conversation.Replies(run.Record)
		if list := c.Suggestions(); !c.IsQuestion() && len(list) > 0 {
			return Suggestions{run.ID, *run.Final, list}, true, nil
		}
	}
	return Suggestions{}, false, nil
}
