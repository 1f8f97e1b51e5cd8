package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
)

// commandsPage is the page of the docs on commands.
func commandsPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/commands.md")
	require.NoError(t, err)
	return string(text)
}

func TestThePageOnCommandsHasEveryVerbAndOption(t *testing.T) {
	t.Parallel()
	for _, c := range command.All() {
		_, section, found := strings.Cut(commandsPage(t), "\n### `/tenon "+c.Verb)
		require.True(t, found, c.Verb)
		section, _, _ = strings.Cut(section, "\n### ")
		for _, option := range c.Options {
			require.Contains(t, section, "`"+option+"`", c.Verb)
			require.Contains(t, commandsPage(t), "\n| `"+option+" ", c.Verb)
		}
	}
}

var aLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// What the page shows of answers is what they say, but for their links.
func TestThePageOnCommandsQuotesRealAnswers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(answersDir + "/*.md")
	require.NoError(t, err)
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all.Write(text)
	}
	said := aLink.ReplaceAllString(all.String(), "$1")
	quotes := regexp.MustCompile(`(?m)(^>.*\n)+`).FindAllString(commandsPage(t), -1)
	require.NotEmpty(t, quotes)
	for _, q := range quotes {
		require.Contains(t, said, strings.TrimSuffix(regexp.MustCompile(`(?m)^> ?`).ReplaceAllString(q, ""), "\n"))
	}
}
