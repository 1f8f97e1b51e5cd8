package conversation

import (
	"github.com/tenon-bot/tenon/engine"
)

// reply is what the model said, beside its blocks.
type Reply struct {
	Prose       string
	NoChange    bool
	Problems    []engine.Problem
	Suggestions []engine.Suggestion
	// Cut says that its last answer was cut off, Fault why it could not be asked again.
	Cut   bool
	Fault string
}

func (t Conversation) Reply() Reply {
	r := Reply{Prose: t.Prose(), NoChange: noChange(t.Last().Text), Problems: t.Problems(), Suggestions: t.Suggestions(), Cut: t.Last().Cut}
	if n := len(t.Turns); n > 0 {
		r.Fault = t.Turns[n-1].Fault
	}
	return r
}
