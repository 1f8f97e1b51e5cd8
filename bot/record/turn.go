package record

import (
	"github.com/tenon-bot/tenon/bot/port"
)

// turnKind is what a call of the model was made for.
type TurnKind string

const (
	TurnFix      TurnKind = "fix"
	TurnAsk      TurnKind = "ask"
	TurnAddress  TurnKind = "address"
	TurnBlocks   TurnKind = "blocks"
	TurnFiles    TurnKind = "need"
	TurnContinue TurnKind = "continue"
	TurnRepair   TurnKind = "repair"
)

// turn is one call of the model, as it is recorded.
type Turn struct {
	Kind TurnKind `json:"kind"`
	// Ask is what the model was told; empty in the first turn, whose question the step "context" holds.
	Ask    string      `json:"ask,omitempty"`
	Answer port.Answer `json:"answer"`
	// Fault is why there is no answer to a follow-up. What is there already is worth more than another attempt.
	Fault string `json:"fault,omitempty"`
	// More is what was shown with Ask; nil when nothing was.
	More *Prompt `json:"more,omitempty"`
	// Plan are the edits to make after this turn, in order.
	Plan []BlockRef `json:"plan"`
	// Warning says that a budget is nearly used up.
	Warning string `json:"warning,omitempty"`
}

// ref names a block of the conversation: the turn and the block in its reply, from 0.
type BlockRef struct {
	Turn  int `json:"t"`
	Block int `json:"b"`
}
