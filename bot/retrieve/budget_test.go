package retrieve

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestThePromptShowsAsMuchCodeAsSettingsAndModelAllow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		model    port.ModelInfo
		settings int
		want     int // in tokens
	}{
		"nothing says otherwise":        {port.ModelInfo{}, 0, 24_000},
		"the settings allow less":       {port.ModelInfo{}, 12_000, 12_000},
		"the model is to be shown less": {port.ModelInfo{CodeTokens: 6_000}, 12_000, 6_000},
		"the settings are the lower":    {port.ModelInfo{CodeTokens: 12_000}, 6_000, 6_000},
		"half of a small context":       {port.ModelInfo{ContextTokens: 8_000, CodeTokens: 6_000}, 12_000, 4_000},
		"a large context is no reason":  {port.ModelInfo{ContextTokens: 1_000_000}, 24_000, 24_000},
	} {
		require.Equal(t, c.want*port.BytesPerToken, CodeBytes(c.model, policy.Bounds{CodeTokens: c.settings}), name)
	}
}

func TestWhoWantsLittleLeavesTheRestToTheOthers(t *testing.T) {
	t.Parallel()
	require.Equal(t, math.MaxInt, FairShare(nil, 0))
	require.Equal(t, math.MaxInt, FairShare([]int{10, 20, 30}, 60))
	require.Equal(t, 29, FairShare([]int{10, 20, 30}, 59))
	wants := []int{100, 10, 20, 90}
	require.Equal(t, 35, FairShare(wants, 100))
	require.Equal(t, []int{100, 10, 20, 90}, wants, "they are left in their order")
	require.LessOrEqual(t, FairShare([]int{1}, -5), 0)
}
