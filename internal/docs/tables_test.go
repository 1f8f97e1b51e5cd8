package docs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/internal/attacks"
)

var update = flag.Bool("update", false, "write the tables to the pages")

// A table of a page is between two comments, the first of which begins with the table's name.
func TestTheTablesOfCommandsAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	short := "| comment | what tenon does |\n|---|---|\n"
	long := "| command | what it does | needs | example |\n|---|---|---|---|\n"
	for _, c := range command.All() {
		short += fmt.Sprintf("| `%s` | %s |\n", c.ShortUsage(), c.Description)
		example := "`" + c.Example + "`"
		if strings.Contains(c.Example, "`") {
			example = "`` " + c.Example + " ``"
		}
		long += fmt.Sprintf("| [`%s`](%s) | %s | %s | %s |\n",
			c.ShortUsage(), sectionOf(t, c), c.Description, c.Needs, example)
	}
	requireTable(t, "../../README.md", "commands", short)
	requireTable(t, "../../docs/commands.md", "commands", long)
}

func TestTheTableOfAttacksIsThatOfTheTests(t *testing.T) {
	t.Parallel()
	table := "| attack | where the text is | what it does | what prevents it, and the test |\n|---|---|---|---|\n"
	for _, a := range attacks.Table {
		name := "`" + a.Name + "`"
		if a.Source != "" {
			name += " ([published](" + a.Source + "))"
		}
		table += fmt.Sprintf("| %s | %s | %s | %s<br>`TestAttacks/%s` |\n", name, a.Surface, a.Mechanism, a.Defence, a.Name)
	}
	requireTable(t, "../../docs/security.md", "attacks", table)
}

// sectionOf returns the link to the section of docs/commands.md about a command.
func sectionOf(t *testing.T, c command.Command) string {
	t.Helper()
	for anchor := range parsePage(t, os.DirFS("../.."), "docs/commands.md").anchors {
		if anchor == "tenon-"+c.Verb || strings.HasPrefix(anchor, "tenon-"+c.Verb+"-") {
			return "#" + anchor
		}
	}
	require.Fail(t, "docs/commands.md has no section on "+c.Verb)
	return ""
}

func requireTable(t *testing.T, page, name, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- "+name)
	require.True(t, found, "%s has no table %s", page, name)
	head, rest, _ := strings.Cut(rest, "-->\n")
	_, after, found := strings.Cut(rest, "<!-- /"+name)
	require.True(t, found, "the table %s of %s has no end", name, page)
	want := before + "<!-- " + name + head + "-->\n" + table + "<!-- /" + name + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "go test ./internal/docs -update writes the table")
}
