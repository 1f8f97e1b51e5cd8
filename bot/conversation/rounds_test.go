package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// needs is an answer that asks for a file, in a conversation whose calls so far took so many tokens.
func needs(t *testing.T, used ...int) (c Conversation) {
	t.Helper()
	for i, tokens := range used {
		kind := record.TurnFileRequest
		if i == 0 {
			kind = record.TurnFix
		}
		c = then(t, c, kind, port.Answer{Text: "NEED: a.go", Usage: port.Usage{In: tokens, Out: 100}}, nil)
	}
	return c
}

func TestTheModelIsToldHowManyRoundsAreLeft(t *testing.T) {
	t.Parallel()
	require.Equal(t, 2, needs(t, 10_000).RoundsLeft(policy.Bounds{}, retrieve.Window{}, 0))
	require.Equal(t, 1, needs(t, 10_000, 15_000).RoundsLeft(policy.Bounds{}, retrieve.Window{}, 0))
	require.Equal(t, 0, needs(t, 10_000, 15_000, 20_000).RoundsLeft(policy.Bounds{}, retrieve.Window{}, 0))
}

// A round costs the whole conversation before it. The model is not promised a round after which it could not answer.
func TestNoRoundIsLeftForWhichACommandHasNoTokens(t *testing.T) {
	t.Parallel()
	for first, want := range map[int]int{10_000: 2, 17_000: 2, 20_000: 1, 25_000: 1, 30_000: 1, 40_000: 0, 60_000: 0} {
		require.Equal(t, want, needs(t, first).RoundsLeft(policy.Bounds{}, retrieve.Window{}, 0), first)
	}
	require.Equal(t, 1, needs(t, 10_000).RoundsLeft(policy.Bounds{Tokens: 70_000}, retrieve.Window{}, 0),
		"those of the settings count, too")
	require.Equal(t, 0, needs(t, 10_000).RoundsLeft(policy.Bounds{Tokens: 40_000}, retrieve.Window{}, 0))

	kind, _ := needs(t, policy.MaxTokensIn/2+1).Next(nil, "nonce")
	require.Empty(t, kind, "a round that would take more than a command may is not begun")
	kind, _ = needs(t, policy.MaxTokensIn/2).Next(nil, "nonce")
	require.Equal(t, record.TurnFileRequest, kind)
}

// What a round shows takes the room of the next. The model is not promised a round in which it could be shown nothing.
func TestNoRoundIsLeftForWhichTheWindowHasNoRoom(t *testing.T) {
	t.Parallel()
	small := retrieve.WindowOf(port.ModelInfo{ContextTokens: 8_000})
	least := retrieve.MinRoundBytes / port.BytesPerToken
	full := int64(small.RoundBytes(0)/port.BytesPerToken - askTokens - least) // the least room for a round is left
	for next, want := range map[int64]int{0: 1, full - 10: 1, full + 10: 0, 8_000: 0, 1e12: 0} {
		require.Equal(t, want, needs(t, 1_000).RoundsLeft(policy.Bounds{}, small, next), next)
	}
	large := retrieve.WindowOf(port.ModelInfo{ContextTokens: 128_000})
	require.Equal(t, 2, needs(t, 10_000).RoundsLeft(policy.Bounds{}, large, 20_000))
}

func TestAnAnswerAsksUntilNoRoundIsLeft(t *testing.T) {
	t.Parallel()
	require.Equal(t, []retrieve.Ask{{Path: "a.go"}}, needs(t, 1, 1, 1).Asks())
	require.Empty(t, needs(t, 1, 1, 1, 1).Asks())
}

func TestWhatWasAnsweredIsKnownInTheNextRound(t *testing.T) {
	t.Parallel()
	more := record.Prompt{Selection: retrieve.Selection{Files: []retrieve.ShownFile{{Path: "a.go"}}}}
	c := Conversation{Turns: []record.Turn{{}, {More: &more, Given: []retrieve.Given{
		{Ask: "FIND: x", Hits: 3}, {Ask: "NEED: b.go", Why: "there is no such file"}, {Ask: "NEED: a.go",
			Lines: []retrieve.GivenLines{{Path: "a.go"}}, Why: "not all of it fits"},
	}}}}
	first := record.Prompt{Selection: retrieve.Selection{Files: []retrieve.ShownFile{{Path: "c.go"}}}}
	seen := c.Seen(first)
	require.Equal(t, []string{"FIND: x", "NEED: a.go"}, seen.Asks)
	require.Equal(t, []retrieve.ShownFile{{Path: "c.go"}, {Path: "a.go"}}, seen.Files)
}

func TestTheFilesThatWereShownLaterExtendThePrompt(t *testing.T) {
	t.Parallel()
	a, b := retrieve.ShownFile{Path: "a.go"}, retrieve.ShownFile{Path: "b.go"}
	first := record.Prompt{Selection: retrieve.Selection{Shown: map[string]string{"a.go": "1"},
		Files: []retrieve.ShownFile{a}}}
	more := record.Prompt{Selection: retrieve.Selection{
		Shown: map[string]string{"b.go": "2"}, Files: []retrieve.ShownFile{b},
		ReadOnly: map[string]string{"b.go": "AWS access key"},
		LeftOut:  []retrieve.LeftOut{{Path: "c.go", Why: "it is too large"}},
	}}
	c := Conversation{Turns: []record.Turn{{}, {More: &more}, {}}}
	require.Equal(t, record.Prompt{Selection: retrieve.Selection{
		Shown: map[string]string{"a.go": "1", "b.go": "2"}, Files: []retrieve.ShownFile{a, b},
		ReadOnly: map[string]string{"b.go": "AWS access key"},
		LeftOut:  []retrieve.LeftOut{{Path: "c.go", Why: "it is too large"}},
	}}, c.ExtendPrompt(first), "the record of a prompt without secrets has no map of them")
	require.Equal(t, map[string]string{"a.go": "1"}, first.Shown, "the first prompt is as it was")
	require.Nil(t, first.ReadOnly)
	require.Nil(t, Conversation{}.ExtendPrompt(record.Prompt{}).Shown, "a pasted text showed nothing")
}
