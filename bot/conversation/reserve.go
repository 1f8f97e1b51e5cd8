package conversation

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// callTokensOut is what is reserved for the answer of one call.
const callTokensOut = policy.MaxTokensOut / maxCalls

// reserve is what a call may take: the request, and room for the answer.
func Reserve(r port.Request) int64 { return r.Tokens() + callTokensOut }

// took is what a call took, as the provider says; estimated where it says nothing.
func Charged(r port.Request, a port.Answer) int64 {
	if n := a.Usage.In + a.Usage.Out; n > 0 {
		return int64(n)
	}
	return r.Tokens() + int64(len(a.Text))/port.BytesPerToken
}
