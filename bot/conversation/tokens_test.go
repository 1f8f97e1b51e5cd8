package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestACallIsEstimatedByItsBytesAndChargedWhatItTook(t *testing.T) {
	t.Parallel()
	r := port.Request{
		System: strings.Repeat("s", 300), Messages: []port.Message{{Role: "user", Text: strings.Repeat("u", 600)}},
	}
	require.EqualValues(t, 300+callTokensOut, TokensToReserve(r))
	require.EqualValues(t, 77, TokensToCharge(r, port.Answer{Text: "x", Usage: port.Usage{In: 70, Out: 7}}))
	require.EqualValues(t, 300+10, TokensToCharge(r, port.Answer{Text: strings.Repeat("a", 30)}),
		"a provider that counts nothing")
}
