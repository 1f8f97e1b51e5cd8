package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
)

func TestHelpHasEveryCommandOnceAndEveryOption(t *testing.T) {
	t.Parallel()
	body := HelpBody("tenon", "please|fix")
	require.Contains(t, body, "`@tenon <what>` is `/tenon fix <what>`. The label `please|fix` asks for")
	require.NotEmpty(t, command.All())
	for _, c := range command.All() {
		require.Equal(t, 1, strings.Count(body, "\n- `"+c.ShortUsage()+"` "+c.Description+"\n"), c.Verb)
		for _, name := range c.Options {
			require.Regexp(t, "(?m)^- `"+name+"\\b", body)
		}
	}
	require.NotContains(t, body, "|-", "a table is wider than a phone")
	require.Contains(t, body, "`status` and `help` need read permission")
	page(t, body)
}

func TestTheUsageInTheHelpHasNoOptions(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]string{
		command.Fix: "/tenon fix [what]", command.Ask: "/tenon ask <question>", command.Undo: "/tenon undo [run]",
		command.Address: "/tenon address",
	} {
		c, _ := command.Lookup(verb)
		require.Equal(t, want, c.ShortUsage())
	}
}
