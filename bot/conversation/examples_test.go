package conversation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// A prompt can never teach a reply that is not understood: the kind of turn that follows each example is the one that
// the example is for.
func TestTheExamplesOfThePromptsAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, format := range prompts.Formats() {
		system, _ := prompts.Fix(prompts.Input{Format: format})
		for _, example := range strings.Split(system, "\n## Example: ")[1:] {
			title, _, _ := strings.Cut(example, "\n")
			_, reply, found := strings.Cut(example, "\nReply:\n")
			require.True(t, found, title)
			c := answered(t, record.TurnFix, port.Answer{Text: reply})
			kind, _ := c.Next(nil, "nonce")
			switch title {
			case "asking for more":
				require.Equal(t, record.TurnFileRequest, kind)
			case "nothing to change":
				require.Empty(t, kind)
				require.True(t, c.Reply().NoChange)
				require.Contains(t, c.Prose(), "which is true for a cart without items")
			default:
				require.Empty(t, kind, "%s: %s", format, title)
				require.NotEmpty(t, c.Blocks())
				require.False(t, c.Reply().NoChange)
			}
		}
	}
}

func TestThePromptsSayHowOftenAModelMayAsk(t *testing.T) {
	t.Parallel()
	numbers := []string{"zero", "one", "two", "three", "four", "five", "six"}
	bounds := fmt.Sprintf("up to %s at a time, up to %s times", numbers[retrieve.MaxAsks], numbers[retrieve.MaxRounds])
	edit, _ := prompts.Fix(prompts.Input{})
	ask, _ := prompts.Ask(prompts.Input{})
	require.Contains(t, edit, bounds)
	require.Contains(t, ask, bounds)
}
