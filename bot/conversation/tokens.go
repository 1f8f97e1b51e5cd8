package conversation

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// callTokensOut is how many tokens are reserved for the answer of one call. The answers of rounds are short.
const callTokensOut = policy.MaxTokensOut / maxCalls

// TokensToReserve returns how many tokens a call may take: the request, and room for the answer.
func TokensToReserve(r port.Request) int64 { return r.Tokens() + callTokensOut }

// TokensToCharge returns how many tokens a call took, as the provider counted them. Where it did not, they are
// estimated.
func TokensToCharge(r port.Request, a port.Answer) int64 {
	if n := a.Usage.In + a.Usage.Out; n > 0 {
		return int64(n)
	}
	return r.Tokens() + int64(len(a.Text))/port.BytesPerToken
}
