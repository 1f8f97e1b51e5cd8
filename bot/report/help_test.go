package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
)

func TestHelpHasEveryCommandAndOption(t *testing.T) {
	t.Parallel()
	body := HelpBody("tenon", "please|fix")
	require.Contains(t, body, "`@tenon <what>` is `/tenon fix <what>`, and the label `please|fix` asks for")
	require.NotEmpty(t, command.All())
	for _, c := range command.All() {
		require.Contains(t, body, "\n| "+markdown.CellCode(c.Usage)+" | "+c.Description+" | "+string(c.Needs)+" | ")
		for _, name := range c.Options {
			require.Regexp(t, "(?m)^- `"+name+"\\b", body)
		}
	}
	html := page(t, body)
	require.Equal(t, 4*len(command.All()), strings.Count(html, "<td>"), "no bar in a usage makes a cell")
}
