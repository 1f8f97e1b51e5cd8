package record

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Preview is what the edits of a preview would do.
type Preview struct {
	Application
	Costs Costs `json:"costs"`
	// Shown is nil for a preview of an older version, which cannot be applied: what it showed is not known.
	Shown *Shown `json:"seen,omitempty"`
	// HeldBack reports that the command would commit the edits, if the settings did not hold those with a caution.
	HeldBack bool `json:"held_back,omitempty"`
}

// Costs are the figures of a run. The JSON has no names of its own.
type Costs struct {
	Model string
	// Calls counts the calls of the model.
	Calls   int
	Usage   port.Usage
	Dollars float64
	// Priced reports whether Dollars are known.
	Priced  bool
	Warning string
	// Took is how long the run took, in nanoseconds.
	Took time.Duration
	Run  string
}
