package conversation

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Bounds on the conversation of one run.
const (
	maxCalls   = 4 // besides those in which the model asks to be shown more
	maxRepairs = 2
	// maxContinues bounds how often the rest of a broken answer is asked for, whatever came of it before, and
	// maxWithEdits how often if each part of it had another edit.
	maxContinues = 2
	maxWithEdits = 8
)

// Calls returns the calls of the model: the choice of files, if there was one, and the turns.
func (c Conversation) Calls() []record.Turn {
	return record.Record{FileChoice: c.Choice, Turns: c.Turns}.AllCalls()
}

// countedCalls returns how many calls count against the bound on them: neither those in which the model asked to be
// shown more, nor those that an outage broke off.
func (c Conversation) countedCalls() (n int) {
	for _, turn := range c.Turns {
		if turn.Kind != record.TurnFileRequest && !turn.Answer.Outage() {
			n++
		}
	}
	return n
}

func (c Conversation) count(kind record.TurnKind) (n int) {
	for _, turn := range c.Turns {
		if turn.Kind == kind {
			n++
		}
	}
	return n
}

// exhausted reports whether another call would take more tokens than one command may.
func (c Conversation) exhausted() bool {
	u := c.Usage()
	return u.In+c.Turns[len(c.Turns)-1].Answer.Usage.In > policy.MaxTokensIn || u.Out >= policy.MaxTokensOut
}

// LastAnswer returns the newest answer, or the zero value if there is none.
func (c Conversation) LastAnswer() port.Answer {
	for _, turn := range slices.Backward(c.Turns) {
		if turn.Fault == "" {
			return turn.Answer
		}
	}
	return port.Answer{}
}

// Usage returns the tokens of all calls.
func (c Conversation) Usage() (u port.Usage) {
	for _, turn := range c.Calls() {
		u.In += turn.Answer.Usage.In
		u.Cached += turn.Answer.Usage.Cached
		u.Out += turn.Answer.Usage.Out
	}
	return u
}

// callTokensOut is how many tokens are reserved for the answer of one call. The answers of rounds are short.
const callTokensOut = policy.MaxTokensOut / maxCalls

// TokensToReserve returns how many tokens a call may take: the request, and room for the answer.
func TokensToReserve(r port.Request) int64 { return r.Tokens() + callTokensOut }
