package record

import "github.com/tenon-bot/tenon/engine"

// Retry is what a retry tries again.
type Retry struct {
	// Run is the run whose edits were not made, First the one whose command it all began with.
	Run   string `json:"run"`
	First string `json:"first"`
	// Whole reports whether the model never answered that run.
	Whole bool `json:"whole,omitempty"`
}

// Source is where an apply takes its blocks from: a preview, or the text of a comment. Or it is what people and a model
// chose for the conflicts of a merge.
type Source struct {
	// Preview is the preview's run.
	Preview string `json:"preview,omitempty"`
	// Resolution is the run that settled conflicts as they are to be committed.
	Resolution string `json:"resolution,omitempty"`
	// Text is what the comment says, Author who wrote it.
	Text   string `json:"text,omitempty"`
	Author string `json:"author,omitempty"`
	URL    string `json:"url,omitempty"`
}

// Choice is which blocks an apply takes.
type Choice struct {
	// Run is the preview's; empty for the blocks of a comment.
	Run string `json:"run,omitempty"`
	// Numbers are the blocks', from 1, ascending. Passed are those that were named and are committed already.
	Numbers []int `json:"numbers"`
	Passed  []int `json:"passed,omitempty"`
}

// Operations are suggestions of an answer that a run carries out.
type Operations struct {
	// Run is the run that suggested them.
	Run    string      `json:"run"`
	Chosen []Operation `json:"picks"`
	// Folders are those that the answer's suggestions make: what is moved to one goes into it, whether its mkdir was
	// chosen or not.
	Folders []string `json:"folders,omitempty"`
}

// Operation is a suggestion, by its number in the answer.
type Operation struct {
	Number  int       `json:"number"`
	Command string    `json:"command"`
	Op      engine.Op `json:"op"`
}

// Ops returns the operations in order.
func (o Operations) Ops() []engine.Op {
	out := make([]engine.Op, len(o.Chosen))
	for i, c := range o.Chosen {
		out[i] = c.Op
	}
	return out
}
