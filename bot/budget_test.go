package bot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestABudgetThatIsNearlyUsedUpIsMentioned(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int]string{0: "", 74: "", 75: "over 75 % of x used", 89: "over 75 % of x used", 90: "over 90 % of x used", 100: "over 90 % of x used"} {
		require.Equal(t, want, budgetWarning(Fill{Of: "x", Percent: percent}), percent)
	}
}

func TestABudgetThatIsUsedUpSaysWhenItBeginsAnew(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	over := &OverBudget{Of: "your commands of today", Limit: 20, Resets: time.Date(2026, 12, 1, 2, 0, 0, 0, zone)}
	require.Equal(t, "The budget for your commands of today is used up (20), so the model was not asked. "+
		"It begins anew on 1 December 2026 at 00:00 UTC. Whoever runs this app can raise it.", overBudget(over).Text)
}

// A command that has taken its tokens is not answered further, though there is something to repair.
func TestACommandThatHasTakenItsTokensAsksNoMore(t *testing.T) {
	t.Parallel()
	text := "a.txt\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	for story, c := range map[string]struct {
		usage Usage
		more  bool
	}{
		"little":                         {Usage{In: 10_000, Out: 1000}, true},
		"another call would be too much": {Usage{In: maxTokensIn/2 + 1, Out: 1000}, false},
		"too many tokens out":            {Usage{In: 10_000, Out: maxTokensOut}, false},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			talk := talkOf(Answer{Text: text, Usage: c.usage})
			talk.turns[0].Plan = []ref{{0, 0}}
			results := []engine.Result{{Block: talk.blocks()[0], Status: engine.Failed, Reason: engine.NotFound, Path: "a.txt"}}
			kind, _ := talk.next(results, "nonce")
			require.Equal(t, c.more, kind == turnRepair)
		})
	}
}

func TestACallIsEstimatedByItsBytesAndSettledByWhatItTook(t *testing.T) {
	t.Parallel()
	r := Request{System: strings.Repeat("s", 300), Messages: []Message{{"user", strings.Repeat("u", 600)}}}
	require.EqualValues(t, 300+callTokensOut, reserve(r))
	require.EqualValues(t, 77, took(r, Answer{Text: "x", Usage: Usage{In: 70, Out: 7}}))
	require.EqualValues(t, 300+10, took(r, Answer{Text: strings.Repeat("a", 30)}), "a provider that counts nothing")
}
