package report

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePageOnReasonsHasEveryReason(t *testing.T) {
	t.Parallel()
	const page = "../../docs/reasons.md"
	table := "| code | why | what helps | what helps if you pasted the edit |\n|---|---|---|---|\n"
	for _, reason := range slices.Sorted(maps.Keys(faults)) {
		f := faults[reason]
		helps := cmp.Or(f.action, askAgain)
		table += fmt.Sprintf("| `%s` | %s | %s | %s |\n", reason, f.what, helps, cmp.Or(f.pasted, "the same"))
	}
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- reasons")
	require.True(t, found)
	head, rest, _ := strings.Cut(rest, "-->\n")
	_, after, found := strings.Cut(rest, "<!-- /reasons")
	require.True(t, found)
	want := before + "<!-- reasons" + head + "-->\n" + table + "<!-- /reasons" + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "go test ./bot/report -run Reasons -update writes the table")
}
