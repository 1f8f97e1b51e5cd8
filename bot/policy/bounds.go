package policy

// Bounds on the tokens of one command.
const (
	MaxTokensIn  = 120_000
	MaxTokensOut = 48_000
)
