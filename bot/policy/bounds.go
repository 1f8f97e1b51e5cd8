package policy

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// Bounds on the tokens of one command.
const (
	MaxTokensIn  = 120_000
	MaxTokensOut = 48_000
)

// Bounds on the tokens of code that one prompt may show: below MinCodeTokens there would be too little to edit.
const (
	MinCodeTokens = 2_000
	MaxCodeTokens = 24_000
)

// The highest bounds on one command. That on blocks is the engine's.
const (
	maxFiles  = 200
	maxBlocks = 200
)

// Bounds are on one command. They can be lowered, not raised; 0 is no bound.
type Bounds struct {
	// Files is how many files one command may change, Blocks how many edits it may make.
	Files, Blocks int
	// Tokens is what one command may take, in and out.
	Tokens int64
	// CodeTokens is how many tokens of code one prompt may show.
	CodeTokens int
}

// Within returns a *port.UserError if edits are more than one command may make. Where no settings lower the bounds, it
// returns nil: the engine refuses the blocks above its own bound one by one.
func (b Bounds) Within(blocks []engine.Block) error {
	files := map[string]bool{}
	for _, block := range blocks {
		files[block.Path] = true
	}
	switch {
	case b.Blocks > 0 && b.Blocks < maxBlocks && len(blocks) > b.Blocks:
		return sentence.TooManyEdits(len(blocks), b.Blocks)
	case b.Files > 0 && b.Files < maxFiles && len(files) > b.Files:
		return sentence.TooManyFiles(len(files), b.Files)
	}
	return nil
}

// Affords returns a *port.UserError if a call of so many tokens would take more than is left of one command's.
func (b Bounds) Affords(used port.Usage, call int64) error {
	needs := int64(used.In+used.Out) + call
	if b.Tokens == 0 || needs <= b.Tokens {
		return nil
	}
	return b.Unaffordable(needs)
}

// Unaffordable returns the refusal of a call with which a command would take so many tokens.
func (b Bounds) Unaffordable(needs int64) *port.UserError {
	return sentence.OverCommand(needs, b.Tokens)
}
