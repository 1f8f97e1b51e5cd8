package prompts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/prompts"
)

func whole(path, text string) prompts.File {
	n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return prompts.File{Path: path, Lines: n, Parts: []prompts.Part{{From: 1, To: n, Text: text}}}
}

func TestAFixShowsFilesBetweenLinesThatCarryTheNonce(t *testing.T) {
	t.Parallel()
	_, user := prompts.Fix(prompts.Input{
		Title: "Faster start", Task: "fix it", Place: "a.go, line 3", Nonce: "n0nce",
		Files: []prompts.File{whole("a.go", "package a\n{{.Nonce}}\n"), whole("b.go", "package b")},
	})
	require.Contains(t, user,
		"<<n0nce file a.go>>\npackage a\n{{.Nonce}}\n<<n0nce end>>\n\n<<n0nce file b.go>>\npackage b\n<<n0nce end>>")
	require.Contains(t, user, "<<n0nce task>>\nfix it\n<<n0nce end>>")
	require.Contains(t, user, "The task was written in a comment on a.go, line 3.")
	require.NotContains(t, user, "<<n0nce file >>")
}

func TestTheSystemPromptIsTheSameForAll(t *testing.T) {
	t.Parallel()
	one, _ := prompts.Fix(prompts.Input{Task: "a", Nonce: "x"})
	two, user := prompts.Fix(prompts.Input{Task: "b", Nonce: "y"})
	require.Equal(t, one, two)
	require.NotContains(t, user, "was written in a comment on")
	require.False(t, strings.Contains(one, "<no value>") || strings.Contains(user, "<no value>"))
}
