package retrieve

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// contextTokens is how many tokens of files are in a prompt at most.
const contextTokens = policy.MaxCodeTokens

// CodeBytes returns how many bytes of code a prompt for a model may show: as many as the settings allow, or fewer if
// the model is to be shown less, and never more than half of what it reads at once.
func CodeBytes(m port.ModelInfo, b policy.Bounds) int {
	tokens := contextTokens
	for _, bound := range []int{b.CodeTokens, m.CodeTokens, m.ContextTokens / 2} {
		if bound > 0 {
			tokens = min(tokens, bound)
		}
	}
	return tokens * port.BytesPerToken
}
