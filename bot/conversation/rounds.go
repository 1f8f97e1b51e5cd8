package conversation

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

const (
	// askTokens is about how many tokens a reply that asks takes.
	askTokens = 500
	// roundTokens is about how many tokens a round adds to the conversation: what is shown, and the reply that asks.
	roundTokens = retrieve.RoundBytes/port.BytesPerToken + askTokens
)

// Asks returns what the last answer asks to be shown, none if no round is left. An answer with edits asks for nothing,
// and neither does a long answer to a question.
func (c Conversation) Asks() []retrieve.Ask {
	if len(c.Plan()) > 0 || c.count(record.TurnFileRequest) >= retrieve.MaxRounds {
		return nil
	}
	if c.IsQuestion() {
		return retrieve.ParseAsksOfAnswer(c.LastAnswer().Text)
	}
	return retrieve.ParseAsks(c.LastAnswer().Text)
}

// RoundsLeft returns how often the model may ask again after a round: at most so often that a command within the bounds
// has tokens left for the answer to the last of them, and that each can show something within the window of the model.
// next are the tokens of the request that tells the model what it asked for.
func (c Conversation) RoundsLeft(bounds policy.Bounds, window retrieve.Window, next int64) (n int) {
	call := c.LastAnswer().Usage.In + roundTokens
	used := c.Usage()
	used.In += call // of the round that is about to be answered
	for n < retrieve.MaxRounds-1-c.count(record.TurnFileRequest) {
		call += roundTokens
		if used.In+call > policy.MaxTokensIn || bounds.Affords(used, int64(call)+callTokensOut) != nil {
			break
		}
		next += askTokens
		room := window.RoundBytes(next)
		if room < retrieve.MinRoundBytes {
			break
		}
		next += int64(room / port.BytesPerToken)
		used.In += call
		n++
	}
	return n
}

// Seen returns what the model was shown so far: with the first prompt, and in all rounds.
func (c Conversation) Seen(p record.Prompt) retrieve.Seen {
	seen := retrieve.Seen{Selection: p.Selection}
	for _, turn := range c.Turns {
		if turn.More != nil {
			seen = seen.After(turn.More.Selection, turn.Given)
		}
	}
	return seen
}

// ExtendPrompt returns the first prompt with what the model was shown later.
func (c Conversation) ExtendPrompt(p record.Prompt) record.Prompt {
	p.Selection = c.Seen(p).Selection
	return p
}
