package conversation

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// callTokensOut is how many tokens are reserved for the answer of one call. The answers of rounds are short.
const callTokensOut = policy.MaxTokensOut / maxCalls

// TokensToReserve returns how many tokens a call may take: the request, and room for the answer.
func TokensToReserve(r port.Request) int64 { return r.Tokens() + callTokensOut }
