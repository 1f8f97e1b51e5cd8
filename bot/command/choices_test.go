package command_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

func resolving(t *testing.T, body string) command.Invocation {
	t.Helper()
	inv, ok := command.FromEvent(port.Event{Kind: port.IssueComment, Comment: port.Comment{Body: body},
		Thread: port.Thread{Number: 1, Pull: true}}, "tenon", "")
	require.True(t, ok, body)
	return inv
}

func TestConflictsAreSettledByNameInACommand(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]command.ConflictChoice{
		"/tenon resolve":                              nil,
		"/tenon resolve C3 theirs":                    {{ID: 3, Text: "theirs"}},
		"/tenon resolve c3: Theirs":                   {{ID: 3, Text: "theirs"}},
		"/tenon resolve C3 theirs C4 ours, theirs":    {{ID: 3, Text: "theirs"}, {ID: 4, Text: "ours, theirs"}},
		"/tenon resolve C3 theirs, C4 ours theirs":    {{ID: 3, Text: "theirs"}, {ID: 4, Text: "ours, theirs"}},
		"/tenon resolve --model x C10 lines o1-4, t2": {{ID: 10, Text: "lines o1-4 t2"}},
		"@tenon resolve C1 none":                      {{ID: 1, Text: "none"}},
		"/tenon resolve C1 both, C2 ours":             {{ID: 1, Text: "ours, theirs"}, {ID: 2, Text: "ours"}},
	} {
		inv := resolving(t, body)
		require.Empty(t, inv.Problem, body)
		require.Equal(t, command.Resolve, inv.Command.Verb, body)
		require.Equal(t, want, inv.Choices, body)
	}
}

func TestAWrongChoiceIsSaid(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"/tenon resolve the rest":          "`the` is not the number of a conflict.",
		"/tenon resolve C3":                "There is no choice for C3.",
		"/tenon resolve C3 C4 ours":        "There is no choice for C3.",
		"/tenon resolve C3 ours C3 ours":   "There are two choices for C3.",
		"/tenon resolve C3 all":            "`all` is no choice.",
		"/tenon resolve C3 o1, t1 C4 ours": "Single lines need the word `lines`: `C3 lines o1 t1`.",
		"/tenon resolve C3 B1-2":           "Single lines need the word `lines`: `C3 lines b1-2`.",
		"/tenon resolve C3 new":            "New lines cannot be written in a command",
		"/tenon resolve C99999 ours":       "`C99999` is not the number of a conflict.",
	} {
		require.Contains(t, resolving(t, body).Problem, want, body)
	}
	require.Equal(t, command.Fix, resolving(t, "@tenon resolve the nil check").Command.Verb)
}
