package policy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

func TestMoreEditsThanTheSettingsAllowAreRefused(t *testing.T) {
	t.Parallel()
	blocks := []engine.Block{{Path: "a"}, {Path: "a"}, {Path: "b"}}
	require.NoError(t, Bounds{Files: 2, Blocks: 3}.Within(blocks))
	require.NoError(t, Bounds{}.Within(blocks))
	require.EqualError(t, Bounds{Files: 2, Blocks: 2}.Within(blocks),
		"The reply has 3 edits, and the limit for one command is 2 here, "+
			"so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit is set.")
	require.EqualError(t, Bounds{Files: 1, Blocks: 3}.Within(blocks),
		"The reply changes 2 files, and the limit for one command is 1 here, "+
			"so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit is set.")
	require.NoError(t, DefaultPolicy().Bounds.Within(make([]engine.Block, 300)), "the engine has its own bound")
}

func TestACallThatTheSettingsDoNotAffordIsNotMade(t *testing.T) {
	t.Parallel()
	const call = 12_000
	b := Bounds{Tokens: 20_000}
	require.NoError(t, b.Affords(port.Usage{}, call))
	require.NoError(t, b.Affords(port.Usage{In: 7000, Out: 1000}, call), "the last token may be taken")
	var refusal *port.UserError
	require.ErrorAs(t, b.Affords(port.Usage{In: 9000, Out: 1}, call), &refusal)
	require.Equal(t, "This would take about 21,001 tokens, and one command may take 20,000 here, so the model was not "+
		"asked. Ask for less at a time; `/tenon config` shows where the limit is set.", refusal.Text)
	require.NoError(t, Bounds{}.Affords(port.Usage{In: 1e9}, call))
}
