package bot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/report"
)

func TestEveryCommandIsCarriedOutAndExplained(t *testing.T) {
	t.Parallel()
	help := report.HelpBody("tenon", "tenon")
	for _, c := range command.All() {
		require.NotNil(t, handler(c), c.Verb)
		require.Contains(t, help, "\n- `"+c.ShortUsage()+"` ")
	}
	require.Nil(t, handler(command.Command{Verb: "dance"}))
}
