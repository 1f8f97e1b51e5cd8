package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestBranchesAreReadWithAndWithoutQuotes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"release/1.2":                       {"release/1.2"},
		"a  b\tc":                           {"a", "b", "c"},
		"`a`, \"b\", 'c'":                   {"a", "b", "c"},
		"a a `a`":                           {"a"},
		"it's":                              {"it's"},
		"`a,b` c,d":                         {"a,b", "c,d"},
		strings.Repeat("a ", 30):            {"a"},
		"b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b1": {"b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10"},
	} {
		inv, ok := parseText("/tenon backport "+line+"\n\nThank you.", "tenon")
		require.True(t, ok)
		require.Empty(t, inv.Problem, line)
		require.Equal(t, want, inv.Branches, line)
	}
	for line, want := range map[string]string{
		"":                                   "The branches are missing. Write it like this: `/tenon backport release/1.2",
		"a..b":                               "`a..b` cannot be the name of a branch.",
		"--force":                            "There is no option `--force`.",
		"a `b c`":                            "cannot be the name of a branch.",
		"refs/heads/a":                       "`refs/heads/a` cannot be the name of a branch.",
		"b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11": "One command takes at most 10 branches, and there are more.",
	} {
		inv, _ := parseText("/tenon backport "+line, "tenon")
		require.Contains(t, inv.Problem, want, line)
		require.True(t, inv.IsImmediate())
	}
}

func TestAMentionWithProseIsNoBackport(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"@tenon backport release":           Backport,
		"@tenon backport v1.2 release-1.1":  Backport,
		"@tenon backport this to v1.2":      Fix,
		"@tenon backport it, please":        Fix,
		"@tenon: backport `a/b`, `c`":       Backport,
		"@tenon backport":                   Backport,
		"@tenon backport a..b":              Fix,
		"@tenon backport v1 C1 theirs":      Backport,
		"@tenon backport it to v1 C1 ours":  Fix,
		"/tenon backport this to something": Backport,
	} {
		inv, ok := parseText(text, "tenon")
		require.True(t, ok)
		require.Equal(t, want, inv.Command.Verb, text)
	}
}

func TestLabelsAskForABackport(t *testing.T) {
	t.Parallel()
	labeled := func(label string, pull bool) port.Event {
		return port.Event{Kind: port.Labeled, Label: label, Thread: port.Thread{Pull: pull, Title: "Be fast"}}
	}
	for label, want := range map[string]string{
		"backport release/1.2": "release/1.2", "BACKPORT  V1 ": "V1", "backport": "", "backport-to v1": "",
		"backport a b": "", "backport a..b": "", "backports v1": "", "": "",
	} {
		inv, ok := FromEvent(labeled(label, true), "tenon", label)
		require.Equal(t, want != "", ok && inv.Command.Verb == Backport, label)
		require.Equal(t, want != "", AsksForBackport(labeled(label, true)))
		if want != "" {
			require.Equal(t, []string{want}, inv.Branches)
		}
		require.False(t, AsksForBackport(labeled(label, false)), "an issue")
	}
	merged := port.Event{Kind: port.Closed, Thread: port.Thread{Pull: true}, Labels: []string{"backport a", "bug",
		"Backport a", "backport b"}}
	inv, ok := FromEvent(merged, "tenon", "")
	require.True(t, ok)
	require.Equal(t, []string{"a", "b"}, inv.Branches)
	may, immediate := Scan(merged, "tenon")
	require.True(t, may && !immediate)
	for i := range 20 {
		merged.Labels = append(merged.Labels, fmt.Sprint("backport b", i))
	}
	inv, _ = FromEvent(merged, "tenon", "")
	require.Len(t, inv.Branches, MaxBranches)
	require.Len(t, inv.LeftOut, 12)
	require.Equal(t, "b8", inv.LeftOut[0])
	merged.Labels = append(merged.Labels, "backport  b19", "backport a")
	again, _ := FromEvent(merged, "tenon", "")
	require.Equal(t, inv.LeftOut, again.LeftOut)
	for _, none := range []port.Event{
		{Kind: port.Closed, Thread: port.Thread{Pull: true}}, {Kind: port.Closed, Labels: []string{"backport a"}},
	} {
		_, ok = FromEvent(none, "tenon", "")
		require.False(t, ok)
	}
}

func TestChoicesForABackportFollowItsBranch(t *testing.T) {
	t.Parallel()
	inv, _ := parseText("/tenon backport --model fast release C1 theirs c2: ours, theirs", "tenon")
	require.Empty(t, inv.Problem)
	require.Equal(t, []string{"release"}, inv.Branches)
	require.Equal(t, []ConflictChoice{{1, "theirs"}, {2, "ours, theirs"}}, inv.Choices)
	require.Equal(t, "fast", inv.Options.Model)
	inv, _ = parseText("/tenon backport C1", "tenon")
	require.Equal(t, []string{"C1"}, inv.Branches, "the first word is a branch")
	for _, text := range []string{"/tenon backport C1 C2 theirs", "@tenon backport C1 C2 theirs"} {
		inv, _ = parseText(text, "tenon")
		require.Equal(t, []string{"C1"}, inv.Branches, text)
		require.Equal(t, []ConflictChoice{{2, "theirs"}}, inv.Choices, text)
	}
	for line, want := range map[string]string{
		"a b C1 ours": "Choices are for the conflicts of one branch, and there are several.",
		"a C1":        "There is no choice for C1. Nothing was done.",
		"a C1 both b": "`b` is no choice.",
	} {
		inv, _ := parseText("/tenon backport "+line, "tenon")
		require.Contains(t, inv.Problem, want, line)
	}
}
