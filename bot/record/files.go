package record

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// FileChoice is the choice of a model among the files that the task may be about, before it was shown any code.
type FileChoice struct {
	// Request is what the model was asked, Answer what it said.
	Request port.Request `json:"request"`
	Answer  port.Answer  `json:"answer"`
	// Asked reports whether the model was asked, so that this is the first call of the run.
	Asked bool `json:"asked"`
	// Base is the commit whose files were offered, Offered counts them.
	Base    string `json:"base"`
	Offered int    `json:"offered"`
	// Chosen is what the model chose, each as a line of a reply that asks for it; nil if the answer cannot be read.
	Chosen []string `json:"chosen,omitempty"`
	// Fault is why there is no answer.
	Fault string `json:"fault,omitempty"`
	// Warning is a remark that a budget is nearly used up.
	Warning string `json:"warning,omitempty"`
}

// Asks returns what was chosen; nil if nothing was.
func (c FileChoice) Asks() []retrieve.Ask { return retrieve.ParseAsks(strings.Join(c.Chosen, "\n")) }

// Call returns the choice as a turn. It is none of the conversation: the model does not see it again.
func (c FileChoice) Call() Turn { return Turn{Kind: TurnChoose, Answer: c.Answer, Fault: c.Fault} }

// Calls returns how often the model was asked.
func (r Record) Calls() int { return len(r.AllCalls()) }

// AllCalls returns the calls of the model: the choice of files, if the model was asked for it, and the turns.
func (r Record) AllCalls() []Turn {
	if r.FileChoice == nil || !r.FileChoice.Asked {
		return r.Turns
	}
	return append([]Turn{r.FileChoice.Call()}, r.Turns...)
}
