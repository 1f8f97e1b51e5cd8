package bot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func fixMessages() messages {
	return messages{own: port.User{Login: "tenon[bot]"}, ev: fixEvent(), run: "abc123def456", started: started}
}

func TestSubjectIsTheModelsOnlyWhenItDoesNothingElse(t *testing.T) {
	t.Parallel()
	m := fixMessages()
	for _, subject := range []string{
		"fix: greet with a comma",
		"feat(api/v2): drop the old route",
		"fix(server): close the listener on shutdown",
		"docs: explain `--help`",
	} {
		require.Equal(t, subject, m.subject("Hello.\n  COMMIT: "+subject+"\nBye."))
	}
	require.Equal(t, "fix: it", m.subject("The index is one too large.\n\nCOMMIT: fix: it\n"), "the cause comes first")
	for story, line := range map[string]string{
		"no line":                     "nothing here",
		"no type":                     "COMMIT: greet with a comma",
		"longer than 72":              "COMMIT: fix: " + strings.Repeat("x", 70),
		"is a breaking change":        "COMMIT: feat(api/v2)!: drop the old route",
		"closes an issue":             "COMMIT: fix: closes #12",
		"refers elsewhere":            "COMMIT: fix: see acme/other#3",
		"refers by GH-":               "COMMIT: fix: GH-12",
		"mentions somebody":           "COMMIT: fix: thanks @torvalds",
		"carries a link":              "COMMIT: fix: see https://evil.example",
		"skips CI":                    "COMMIT: fix: typo [skip ci]",
		"skips CI in another way":     "COMMIT: fix: typo [CI Skip]",
		"skips CI in a third way":     "COMMIT: fix: typo [no ci]",
		"skips checks":                "COMMIT: fix: typo skip-checks:true",
		"skips Azure's CI":            "COMMIT: fix: ***NO_CI***",
		"turns the text around":       "COMMIT: fix: abc\u202edef",
		"contains a control sequence": "COMMIT: fix: abc\x1b[31m",
		"is empty after the type":     "COMMIT: fix: ",
	} {
		require.Equal(t, "chore: apply edits from #12", m.subject(line), story)
	}
}

func TestCommitMessageNamesWhoAskedAndTheRun(t *testing.T) {
	t.Parallel()
	m := fixMessages()
	request := func() repo.CommitRequest {
		c := conversation.Conversation{Replies: []engine.Reply{{Prose: "COMMIT: fix: it"}}}
		a := record.Application{Results: []record.Result{
			{Status: record.StatusApplied}, {Status: record.StatusApplied}, {Status: record.StatusFailed},
			{Status: record.StatusSkipped},
		}}
		return m.request(record.Target{Branch: "speed"}, m.ofEdits(c, "It was *wrong*.", a))
	}
	req := request()
	require.Equal(t, `fix: it

It was wrong.

Requested by maria in https://github.example/acme/lathe/pull/12#issuecomment-99
Applied 2 of 4 edits.

Co-authored-by: maria <7+maria@users.noreply.github.example>
Tenon-Run: abc123def456
`, req.Message)
	require.Equal(t, "speed", req.Branch)
	require.Equal(t,
		repo.Signature{Name: "tenon[bot]", Email: "tenon[bot]@users.noreply.github.example", When: started}, req.Author)
	require.Equal(t, req.Author, req.Committer)
	require.Equal(t, req, request(), "a resumed run makes the same commit")
}
