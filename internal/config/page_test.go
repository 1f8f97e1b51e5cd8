package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/settings.md")

// The page of settings has the rows of the table, in its order, and no others. With -update, they are written to it.
func TestThePageOfSettingsHasEverySetting(t *testing.T) {
	t.Parallel()
	const page = "../../docs/settings.md"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	want := replaced(t, string(text), "settings", settingsTables())
	want = replaced(t, want, "models", modelsTable())
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "go test ./internal/config -run ThePage -update writes the page")
}

func settingsTables() string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "### %s\n\n", g.title)
		if g.about != "" {
			fmt.Fprintf(&b, "%s\n\n", g.about)
		}
		b.WriteString("| setting | default | meaning |\n|---|---|---|\n")
		for _, row := range g.rows {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", variable(row.key), row.shownDefault(), row.about)
			if row.kind.secret {
				fmt.Fprintf(&b, "| `%s` | | the path of a file that contains it, instead |\n", variable(row.key+inFile))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func modelsTable() string {
	var b strings.Builder
	b.WriteString("| key | default | meaning |\n|---|---|---|\n")
	for _, row := range modelSettings {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", row.key, row.unset, row.about)
	}
	b.WriteString("\n")
	return b.String()
}

// replaced returns a page with other text between two comments.
func replaced(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- begin generated "+name+" -->\n\n", "<!-- end generated "+name+" -->\n"
	before, rest, found := strings.Cut(page, begin)
	require.True(t, found, begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, end)
	return before + begin + text + end + after
}

// Every row says all that the page needs, and its default is a value that it accepts.
func TestTheTableOfSettingsIsComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, row := range settings() {
		require.NotEmpty(t, row.about, row.key)
		require.NotEmpty(t, row.shownDefault(), row.key)
		require.NotContains(t, row.about, "\n", row.key)
		require.NotContains(t, row.about, "|", row.key)
		for _, key := range row.keys() {
			require.False(t, seen[key], key)
			seen[key] = true
		}
		if row.initial != "" {
			require.NoError(t, row.kind.set(new(Server), row.initial), row.key)
		}
	}
}
