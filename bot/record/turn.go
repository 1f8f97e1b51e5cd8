package record

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// TurnKind is what a call of the model was made for.
type TurnKind string

// The kinds of turns. The first turn is one of the first three.
const (
	TurnFix         TurnKind = "fix"
	TurnAsk         TurnKind = "ask"
	TurnAddress     TurnKind = "address"
	TurnBlocks      TurnKind = "blocks"
	TurnFileRequest TurnKind = "need"
	TurnContinue    TurnKind = "continue"
	TurnRepair      TurnKind = "repair"
	// TurnMoved asks again for the edits of files in which the branch moved over the same lines.
	TurnMoved TurnKind = "moved"
	// TurnVerify asks for further edits after a workflow failed on those so far.
	TurnVerify TurnKind = "verify"
	// TurnResolve asks what conflicts of a merge become.
	TurnResolve TurnKind = "resolve"
	// TurnChoose asks which files are to be shown. It comes before the first turn, and is a FileChoice in a record.
	TurnChoose TurnKind = "choose"
)

// Turn is one call of the model.
type Turn struct {
	Kind TurnKind `json:"kind"`
	// Ask is what the model was told; empty in the first turn, which the run's Prompt asks.
	Ask    string      `json:"ask,omitempty"`
	Answer port.Answer `json:"answer"`
	// Numbering stands for the conflicts that a turn of kind TurnResolve is about, and for their numbers, by which Ask and
	// Answer name them; empty in other turns and in those of older versions.
	Numbering string `json:"numbering,omitempty"`
	// Fault is why there is no answer to a follow-up. What the model said before is worth more than another attempt.
	Fault string `json:"fault,omitempty"`
	// More is what was shown with Ask; nil if nothing was.
	More *Prompt `json:"more,omitempty"`
	// Given says what the model was given for each thing that it asked for; nil in turns of older versions.
	Given []retrieve.Given `json:"given,omitempty"`
	// Plan are the edits to make after this turn, in order.
	Plan []BlockRef `json:"plan"`
	// Warning is a remark that a budget is nearly used up.
	Warning string `json:"warning,omitempty"`
}

// BlockRef names a block of the conversation: the turn, and the block in its reply, both from 0.
type BlockRef struct {
	Turn  int `json:"t"`
	Block int `json:"b"`
}
