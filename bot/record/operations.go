package record

import (
	"github.com/tenon-bot/tenon/engine"
)

// chosen are suggestions of an answer that are to be carried out.
type Operations struct {
	// Run is the run that suggested them.
	Run    string      `json:"run"`
	Chosen []Operation `json:"picks"`
	// Folders are those that the answer's suggestions make: what is moved to one goes into it, whether its mkdir was chosen or not.
	Folders []string `json:"folders,omitempty"`
}

// picked is a suggestion by its number in the answer.
type Operation struct {
	Number  int       `json:"number"`
	Command string    `json:"command"`
	Op      engine.Op `json:"op"`
}

func (c Operations) Ops() []engine.Op {
	out := make([]engine.Op, len(c.Chosen))
	for i, p := range c.Chosen {
		out[i] = p.Op
	}
	return out
}
