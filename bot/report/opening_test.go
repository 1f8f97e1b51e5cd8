package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestCommandsThatAreSuggestedAreNotInTheExplanationToo(t *testing.T) {
	t.Parallel()
	r := Summary{SHA: someSHA, Results: []record.Result{{Path: "a.go", Status: record.StatusApplied}},
		Reply: conversation.Reply{
			Explanation: "It was lost.\n\nNobody calls `old` any more:\n\n```sh\ngit rm old.go\n$ go test ./...\n```\n\n" +
				"The rest stays.",
			Suggestions: []engine.Suggestion{{Command: "git rm old.go"}, {Command: "go test ./..."}},
		}}
	first, rest := r.said()
	require.Equal(t, "It was lost. Nobody calls `old` any more. The rest stays.", first)
	require.Empty(t, rest)
	r.Reply.Suggestions = r.Reply.Suggestions[:1]
	_, rest = r.said()
	require.Contains(t, rest, "go test ./...", "what is not shown below stays")
	r.Reply.Suggestions, r.Reply.Explanation = nil, strings.Repeat("```\n", 30_000)
	r.said() // takes no time
}

// A list, a quote or code cannot share a paragraph with another line.
func TestOnlyParagraphsShareAParagraph(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\\\nb\\\nc", joinLines("a", "", "b", "c"))
	require.Equal(t, "a\n\n- b\n- c\n\nd", joinLines("a", "- b\n- c", "d"))
	require.Equal(t, "a\n\n1. b\n\nc\\\nd", joinLines("a", "1. b", "c", "d"))
	require.Equal(t, "a\n\n> b\n\nc", joinLines("a", "> b", "c"))
	require.Equal(t, "a\n\nb\\\nc", joinLines("a\n\nb", "c"))
	require.Empty(t, joinLines("", ""))
}
