package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
)

// Whatever a model writes has a view, while it arrives in any piece and when it is recorded.
func FuzzBuild(f *testing.F) {
	f.Add(twoEdits, 40)
	f.Add("```bash\ngit rm a\n```\na.go\n<<<<<<< SEARCH\n\u202e\x00\xff\n=======\n\n>>>>>>> REPLACE\n", 30)
	f.Fuzz(func(t *testing.T, text string, at int) {
		s := asked()
		s.Live = Live{Call: 1, Text: text[:min(max(0, at), len(text))]}
		requireInBounds(t, Build(s))
		turn := record.Turn{Kind: record.TurnFix}
		turn.Answer.Text = text
		turn.Plan = conversation.Conversation{}.PlanAfter(turn, nil)
		s.Record.Turns, s.Live = []record.Turn{turn}, Live{Call: 2, Text: text}
		requireInBounds(t, Build(s))
		require.Empty(t, Build(s).Without().Replies[0].Text)
	})
}

func requireInBounds(t *testing.T, r Run) {
	t.Helper()
	for i, b := range r.Blocks {
		require.Equal(t, i+1, b.Number)
		for _, l := range linesOf(b.Diff) {
			require.NotContains(t, l.Text, "\n")
			require.NotContains(t, l.Text, "\u202e")
		}
	}
	for _, reply := range r.Replies {
		for line := range strings.Lines(reply.Text) {
			require.LessOrEqual(t, len(line), 20*maxLine)
		}
	}
}
