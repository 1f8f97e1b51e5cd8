package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func commentOn(pull bool, body string) port.Event {
	return port.Event{
		Kind: port.IssueComment, Thread: port.Thread{Number: 7, Pull: pull}, Comment: port.Comment{Body: body},
	}
}

func TestOnAnIssueACommandThatSaysNoMoreMeansTheIssue(t *testing.T) {
	t.Parallel()
	for body, verb := range map[string]string{
		"/tenon fix":                                   Fix,
		"/tenon fix \r\n":                              Fix,
		"I can reproduce it.\n\n/tenon fix":            Fix,
		"/tenon fix it":                                Fix,
		"/tenon fix this issue, please!":               Fix,
		"/tenon FIX: please":                           Fix,
		"@tenon fix":                                   Fix,
		"@tenon please":                                Fix,
		"@tenon, please fix this.":                     Fix,
		"@tenon[bot]: could you please solve the bug?": Fix,
		"/tenon fix --model fast":                      Fix,
		"/tenon fix --model fast please":               Fix,
		"/tenon preview":                               Preview,
		"@tenon preview, please":                       Preview,
	} {
		inv, ok := FromEvent(commentOn(false, body), "tenon", "")
		require.True(t, ok, body)
		require.Empty(t, inv.Problem, body)
		require.Equal(t, verb, inv.Command.Verb, body)
		require.Empty(t, inv.Text, body)
	}
}

func TestACommandThatSaysMoreIsTakenByItsWords(t *testing.T) {
	t.Parallel()
	for body, text := range map[string]string{
		"/tenon fix the parser":                 "the parser",
		"/tenon fix it in a.go":                 "it in a.go",
		"/tenon fix #12":                        "#12",
		"/tenon fix `it`":                       "`it`",
		"/tenon fix 2":                          "2",
		"/tenon fix\n\nIt panics.":              "It panics.",
		"@tenon fixup":                          "fixup",
		"@tenon bitte":                          "bitte",
		"/tenon fix " + many("it", maxFiller+1): many("it", maxFiller+1),
	} {
		inv, ok := FromEvent(commentOn(false, body), "tenon", "")
		require.True(t, ok, body)
		require.Empty(t, inv.Problem, body)
		require.Equal(t, text, inv.Text)
	}
}

func many(word string, n int) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }

func TestAPullRequestIsNoTask(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{Fix, Preview} {
		inv, ok := FromEvent(commentOn(true, "/tenon "+verb), "tenon", "")
		require.True(t, ok)
		require.Regexp(t, "^Say after `/tenon "+verb+"` what to do on this pull request, as in `/tenon "+verb+" [^`]+`\\.$",
			inv.Problem)
	}
	inv, ok := FromEvent(commentOn(true, "/tenon fix this, please"), "tenon", "")
	require.True(t, ok)
	require.Empty(t, inv.Problem)
	require.Equal(t, "this, please", inv.Text, "in a thread on the diff, that says which lines")
}

func TestAQuestionIsNeverEmpty(t *testing.T) {
	t.Parallel()
	for _, pull := range []bool{false, true} {
		inv, ok := FromEvent(commentOn(pull, "/tenon ask"), "tenon", "")
		require.True(t, ok)
		require.Contains(t, inv.Problem, "Say after `/tenon ask` what you want to know, as in `/tenon ask ")
	}
}

func FuzzSaysNothingMore(f *testing.F) {
	for _, s := range []string{"", "please", "fix it!", "fix a.go", "ﬁx", "PLEASE\u200b", "it it it"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if saysNothingMore(text) {
			require.LessOrEqual(t, len(strings.Fields(text)), maxFiller)
			require.False(t, saysNothingMore(text+" parser"))
			require.False(t, saysNothingMore("`"+text+"`"))
		}
	})
}
