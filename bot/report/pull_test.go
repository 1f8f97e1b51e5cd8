package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAPullRequestHasTheTitleOfItsIssue(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Greet by name\uFFFD", PullTitle(record.Target{Title: " Greet\nby name\u202e"}))
	require.Equal(t, maxPullTitle, utf8.RuneCountInString(PullTitle(record.Target{Title: strings.Repeat("ä", 1000)})))
}

func TestALongPullRequestStaysUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	s := aFix()
	s.Text = strings.Repeat("ä word\n\n", 1000)
	r := hostileSummary(strings.Repeat("ä ", 300), 200)
	for range 20 {
		r.Reply.Suggestions = append(r.Reply.Suggestions, r.Reply.Suggestions[0])
		r.Reply.Problems = append(r.Reply.Problems, r.Reply.Problems[0])
	}
	n := utf8.RuneCountInString(PullBody(s, r))
	require.LessOrEqual(t, n, bodyRoom)
	require.Greater(t, n, bodyRoom*9/10)
}

func TestAPullRequestSaysWhoAskedForWhat(t *testing.T) {
	t.Parallel()
	s := aFix()
	s.Text = "use AKIA" + "Q3EGRIPLKJHGFDSA\n\n## as @jan says\n\n```suggestion\nx\n```"
	require.True(t, strings.HasPrefix(PullBody(s, Summary{}), "Fixes #12\n\nAsked for by `maria` [here]("+lathe+
		"/pull/12#issuecomment-99):\n\n> use `[redacted`: AWS access `key]`\n>\n> **as `@jan` says**\n>\n> ```text\n> x\n>"+
		" ```\n\n"+
		"Further commands, in the issue and here, are committed to the same branch.\n\n"), PullBody(s, Summary{}))
	s.Command, _ = command.Lookup("apply")
	s.Event.Comment.URL = ""
	require.True(t, strings.HasPrefix(PullBody(s, Summary{}),
		"Fixes #12\n\nAsked for by `maria`\n\nFurther commands,"), "below an apply there are edits, and the diff shows those")
	require.NotContains(t, PullBody(s, Summary{}), "redacted")
}
