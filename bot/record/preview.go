package record

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// tried is the record of the edits of a preview.
type Preview struct {
	Application
	Costs Costs `json:"costs"`
}

// choice is the record of which blocks an apply takes: those of a preview's run, or of a comment.
type Choice struct {
	// Run is the preview's; empty for a comment.
	Run string `json:"run,omitempty"`
	// Numbers are the blocks', from 1, ascending. Passed are those that were named and are committed already.
	Numbers []int `json:"numbers"`
	Passed  []int `json:"passed,omitempty"`
}

// costs are the figures at the end.
type Costs struct {
	Model   string
	Calls   int
	Usage   port.Usage
	Dollars float64
	// Priced says that Dollars are known.
	Priced  bool
	Warning string
	Took    time.Duration
	Run     string
}
