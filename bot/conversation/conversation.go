package conversation

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// job is a conversation with a model that came to edits of a target.
type Job struct {
	Target       record.Target
	Prompt       record.Prompt
	Conversation Conversation
}

// pastedTalk is a conversation of one reply, all of whose blocks are to be applied.
func Pasted(text string) Conversation {
	reply := engine.Parse(text, engine.ParseOptions{})
	t := Conversation{Turns: []record.Turn{{}}, Replies: []engine.Reply{reply}}
	for i := range reply.Blocks {
		t.Turns[0].Plan = append(t.Turns[0].Plan, record.BlockRef{Turn: 0, Block: i})
	}
	return t
}

// only is the conversation with these of its blocks alone, by their numbers from 1, ascending.
func (t Conversation) Only(numbers []int) Conversation {
	plan := t.Plan()
	var kept []record.BlockRef
	for _, n := range numbers {
		kept = append(kept, plan[n-1])
	}
	t.Turns = append([]record.Turn(nil), t.Turns...)
	t.Turns[len(t.Turns)-1].Plan = kept
	return t
}

// talk is the conversation of a run, and the edits that it came to.
type Conversation struct {
	Turns []record.Turn
	// replies are the answers as the engine reads them.
	Replies []engine.Reply
}

// Recorded returns the conversation of a recorded run. It returns an error if the record plans a block that its replies do not
// have, as this program reads them.
func Recorded(rec record.Record) (c Conversation, err error) {
	for _, turn := range rec.Turns {
		c.Turns, c.Replies = append(c.Turns, turn), append(c.Replies, engine.Parse(turn.Answer.Text, engine.ParseOptions{}))
	}
	for _, turn := range c.Turns {
		for _, b := range turn.Plan {
			if b.Turn < 0 || b.Turn >= len(c.Replies) || b.Block < 0 || b.Block >= len(c.Replies[b.Turn].Blocks) {
				return Conversation{}, fmt.Errorf("the record of run %s plans a block that its replies do not have", rec.ID)
			}
		}
	}
	return c, nil
}

// asked says that an answer in words was asked for, not edits.
func (t Conversation) IsQuestion() bool { return len(t.Turns) > 0 && t.Turns[0].Kind == record.TurnAsk }

// plan are the edits to make, by where they stand in the conversation.
func (t Conversation) Plan() []record.BlockRef {
	if len(t.Turns) == 0 {
		return nil
	}
	return t.Turns[len(t.Turns)-1].Plan
}

// blocks are the edits to make.
func (t Conversation) Blocks() []engine.Block {
	var out []engine.Block
	for _, r := range t.Plan() {
		out = append(out, t.Replies[r.Turn].Blocks[r.Block])
	}
	return out
}

// prose is what the model said beside its blocks, turn by turn.
func (t Conversation) Prose() string {
	var out []string
	for _, r := range t.Replies {
		if text := strings.TrimSpace(r.Prose); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// problems are those of all replies, but for what a follow-up has settled: that blocks were missing or cut off.
func (t Conversation) Problems() []engine.Problem {
	var out []engine.Problem
	for i, r := range t.Replies {
		if i+1 < len(t.Turns) && t.Turns[i+1].Kind != record.TurnRepair && t.Turns[i+1].Fault == "" {
			continue
		}
		out = append(out, r.Problems...)
	}
	return out
}

// suggestions are the shell commands of all replies, each once. One that an answer cannot show to its end is never carried out.
func (t Conversation) Suggestions() []engine.Suggestion {
	var out []engine.Suggestion
	for _, r := range t.Replies {
		for _, s := range r.Suggestions {
			if !slices.ContainsFunc(out, func(o engine.Suggestion) bool { return o.Command == s.Command }) {
				if utf8.RuneCountInString(s.Command) > markdown.MaxCell {
					s.Op = nil
				}
				out = append(out, s)
			}
		}
	}
	return out
}

// last is the newest answer that there is.
func (t Conversation) Last() port.Answer {
	for _, turn := range slices.Backward(t.Turns) {
		if turn.Fault == "" {
			return turn.Answer
		}
	}
	return port.Answer{}
}

// usage is what all calls took.
func (t Conversation) Usage() (u port.Usage) {
	for _, turn := range t.Turns {
		u.In += turn.Answer.Usage.In
		u.Cached += turn.Answer.Usage.Cached
		u.Out += turn.Answer.Usage.Out
	}
	return u
}

// words are what the model answered: what it said before it was shown more files is none of that.
func (t Conversation) Answer() string {
	text := ""
	for _, turn := range t.Turns {
		switch {
		case turn.Fault != "":
		case turn.Kind == record.TurnContinue:
			text += turn.Answer.Text
		default:
			text = turn.Answer.Text
		}
	}
	return text
}
