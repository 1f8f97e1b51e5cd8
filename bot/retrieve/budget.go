package retrieve

import "github.com/tenon-bot/tenon/bot/port"

// contextTokens is how many tokens of files are in a prompt at most.
const contextTokens = 24_000

// ContextBytes returns how much a model may be shown of files: the default, or half of what it takes, if that is less.
func ContextBytes(m port.ModelInfo) int {
	tokens := contextTokens
	if m.ContextTokens > 0 {
		tokens = min(tokens, m.ContextTokens/2)
	}
	return tokens * port.BytesPerToken
}
