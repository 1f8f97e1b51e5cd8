package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestWhatACallMayTakeIsEstimatedByItsBytes(t *testing.T) {
	t.Parallel()
	r := port.Request{
		System: strings.Repeat("s", 300), Messages: []port.Message{{Role: "user", Text: strings.Repeat("u", 600)}},
	}
	require.EqualValues(t, 300+callTokensOut, TokensToReserve(r))
}
