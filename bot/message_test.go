package bot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func testSession() *session {
	started := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	return &session{
		Bot: &Bot{Slug: "tenon", Now: func() time.Time { return started.Add(4200 * time.Millisecond) }},
		ev: Event{
			Delivery: "d1", Kind: IssueComment, Sender: User{ID: 7, Login: "maria"},
			Repo:    RepoRef{ID: 3, Owner: "acme", Name: "lathe"},
			Thread:  Thread{Number: 12, Pull: true, URL: "https://github.example/acme/lathe/pull/12"},
			Comment: Comment{Kind: IssueComment, ID: 99, URL: "https://github.example/acme/lathe/pull/12#issuecomment-99", Body: "/tenon fix it"},
		},
		journal: journalOf(Run{ID: "abc123def456", Started: started}),
	}
}

func TestSubjectIsTheModelsOnlyWhenItDoesNothingElse(t *testing.T) {
	t.Parallel()
	s := testSession()
	for _, subject := range []string{
		"fix: greet with a comma",
		"feat(api/v2)!: drop the old route",
		"fix(server): close the listener on shutdown",
		"docs: explain `--help`",
	} {
		require.Equal(t, subject, s.subjectLine("Hello.\n  COMMIT: "+subject+"\nBye."))
	}
	for story, line := range map[string]string{
		"no line":                  "nothing here",
		"no type":                  "COMMIT: greet with a comma",
		"longer than 72":           "COMMIT: fix: " + strings.Repeat("x", 70),
		"closes an issue":          "COMMIT: fix: closes #12",
		"refers elsewhere":         "COMMIT: fix: see acme/other#3",
		"refers by GH-":            "COMMIT: fix: GH-12",
		"mentions somebody":        "COMMIT: fix: thanks @torvalds",
		"carries a link":           "COMMIT: fix: see https://evil.example",
		"skips CI":                 "COMMIT: fix: typo [skip ci]",
		"skips CI in another way":  "COMMIT: fix: typo [CI Skip]",
		"skips CI in a third way":  "COMMIT: fix: typo [no ci]",
		"skips checks":             "COMMIT: fix: typo skip-checks:true",
		"skips Azure's CI":         "COMMIT: fix: ***NO_CI***",
		"turns the text around":    "COMMIT: fix: abc\u202edef",
		"holds a control sequence": "COMMIT: fix: abc\x1b[31m",
		"is empty behind the type": "COMMIT: fix: ",
	} {
		require.Equal(t, "chore: apply edits from #12", s.subjectLine(line), story)
	}
}

func TestCommitMessageNamesWhoAskedAndTheRun(t *testing.T) {
	t.Parallel()
	s := testSession()
	a := applied{Results: []row{{Status: "applied"}, {Status: "applied"}, {Status: "failed"}, {Status: "skipped"}}}
	req := s.commitRequest(target{Branch: "speed"}, s.message(talk{replies: []engine.Reply{{Prose: "COMMIT: fix: it"}}}, a))
	require.Equal(t, `fix: it

Requested by maria in https://github.example/acme/lathe/pull/12#issuecomment-99
Applied 2, failed 1, skipped 1 of 4 edits.

Co-authored-by: maria <7+maria@users.noreply.github.com>
Tenon-Run: abc123def456
`, req.Message)
	require.Equal(t, "speed", req.Branch)
	require.Equal(t, Signature{"tenon[bot]", "tenon[bot]@users.noreply.github.com", s.run.Started}, req.Author)
	require.Equal(t, req, s.commitRequest(target{Branch: "speed"}, s.message(talk{replies: []engine.Reply{{Prose: "COMMIT: fix: it"}}}, a)), "a resumed run makes the same commit")
}
