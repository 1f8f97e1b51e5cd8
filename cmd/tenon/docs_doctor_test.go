package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/doctor"
)

// The page on troubleshooting has the checks that there are. With -update, they are written to it.
func TestThePageOnTroubleshootingHasEveryCheck(t *testing.T) {
	t.Parallel()
	const page = "../../docs/troubleshooting.md"
	const begin, end = "<!-- begin generated checks -->\n", "<!-- end generated checks -->"
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	var table strings.Builder
	table.WriteString("| check | passes if | at start |\n|---|---|---|\n")
	for _, c := range doctor.Checks() {
		at := "no"
		if c.AtStart {
			at = "yes"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", c.Name, c.About, at)
	}
	want := before + begin + table.String() + end + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(data), "go test ./cmd/tenon -run ThePageOnTroubleshooting -update writes the table")
}
