package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// auditedFolder returns the data folder of a server with an audit: two commits, a dead letter that was tried again, a
// refusal, and a question.
func auditedFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = storetest.Folder(t)
	now := time.Date(2026, 10, 31, 23, 0, 0, 0, time.UTC)
	st, err := store.Open(t.Context(), store.Options{Dir: dir, Now: func() time.Time { return now }})
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	cheap := func(calls, nanos int64) []port.ModelUse {
		return []port.ModelUse{{Model: "cheap", Calls: calls, In: 1000, Cached: 10, Out: 20, Nanos: nanos}}
	}
	commit := []port.MadeCommit{{Branch: "speed", SHA: strings.Repeat("c0ffee00", 5), Files: 2,
		Paths: []string{"a.go", "b.go"}}}
	for i, e := range []port.Ended{
		{Owner: "acme", Repo: "lathe", Person: "maria", Permission: "write", Command: "fix", Outcome: port.EndCommitted,
			Commits: commit, Models: cheap(2, 1_250_000_001)},
		{Owner: "acme", Repo: "lathe", Person: "evil\x1b]0;x\x07\u202e", Permission: "read", Command: "fix",
			Outcome: port.EndRefused, Reason: port.ReasonPermission},
		{Owner: "acme", Repo: "drill", Person: "maria", Permission: "admin", Command: "fix", Outcome: port.EndFailed,
			Reason: port.ReasonError, Models: cheap(1, 1)},
		{Owner: "Octo", Repo: "hello", Person: "ada", Permission: "write", Command: "ask", Outcome: port.EndAnswered,
			Models: []port.ModelUse{{Model: "own", Calls: 1, In: 5, Out: 5, Unpriced: true}}},
	} {
		delivery := fmt.Sprintf("delivery-%d", i)
		require.NoError(t, st.Submit(t.Context(), port.Event{Delivery: delivery, Kind: port.IssueComment,
			Repo: port.RepoRef{Installation: 1, ID: 2}, Thread: port.Thread{Number: i}}))
		c, _, err := st.Claim(t.Context())
		require.NoError(t, err)
		e.Run, e.Delivery, e.Thread, e.Installation, e.PersonID = port.RunID(delivery), delivery, 12, 1, int64(i)
		st.Ended(c.Event, e)
		if e.Outcome != port.EndFailed {
			require.NoError(t, st.Complete(t.Context(), c.Event))
		} else {
			require.NoError(t, st.DeadLetter(t.Context(), c.Event, errors.New("no use")))
			require.NoError(t, st.Submit(t.Context(), c.Event))
			again, _, err := st.Claim(t.Context())
			require.NoError(t, err)
			e.Outcome, e.Reason, e.Models = port.EndUnchanged, "", cheap(3, 3)
			st.Ended(again.Event, e)
			require.NoError(t, st.Complete(t.Context(), again.Event))
		}
		now = now.Add(30 * time.Minute)
	}
	return dir
}

func TestTheAuditIsListed(t *testing.T) {
	t.Parallel()
	dir := auditedFolder(t)
	code, text := printed(t, "audit", "--data", dir)
	require.Equal(t, exitOK, code, text)
	require.NotContains(t, text, "\x1b", "what a terminal would obey is not printed")
	require.NotContains(t, text, "\u202e")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, lines, 6)
	require.Regexp(t, `^ENDED \(UTC\) +WHO +PERMISSION +WHERE +COMMAND +OUTCOME +CHANGED +MODEL +COST +RUN$`, lines[0])
	require.Regexp(t, `^2026-10-31 23:00:00 +maria +write +acme/lathe#12 +fix +committed +c0ffee00c0 on speed, 2 files +`+
		`cheap +\$1\.250000001 +`+port.RunID("delivery-0")+`$`, lines[1])
	require.Regexp(t, `evil\\x1b\]0;x\\x07\\u202e +read +.* refused: permission +- +- +- `, lines[2])
	require.Regexp(t, ` failed: error `, lines[3])
	require.Regexp(t, ` unchanged +- +cheap +\$0\.000000003 `, lines[4])
	require.Regexp(t, ` ada +write +Octo/hello#12 +ask +answered +- +own +\? `, lines[5])

	for flags, want := range map[string]int{
		"--owner acme": 4, "--owner ACME --person @Maria": 3, "--repo acme/drill": 2, "--repo drill": 2,
		"--command /ask": 1, "--outcome refused": 1, "--run " + port.RunID("delivery-2"): 2,
		"--since 2026-11-01": 3, "--until 2026-11-01": 2, "--since 2026-10-31T23:30:00Z --until 2026-11-01T01:00:00+01:00": 1,
		"--since 1h": 0,
	} {
		code, text := printed(t, append([]string{"audit", "--data", dir, "--json"}, strings.Fields(flags)...)...)
		require.Equal(t, exitOK, code, text)
		require.Equal(t, want, strings.Count(text, "\n"), "%s\n%s", flags, text)
	}
	_, text = printed(t, "audit", "--data", dir, "--since", "1h")
	require.Equal(t, "There is no such entry.\n", text)
}

func TestTheAuditIsPrintedAsJSONLines(t *testing.T) {
	t.Parallel()
	_, text := printed(t, "audit", "--data", auditedFolder(t), "--json")
	require.NotContains(t, text, "\u202e")
	dec := json.NewDecoder(bytes.NewBufferString(text))
	var first, second auditEntry
	require.NoError(t, dec.Decode(&first))
	require.NoError(t, dec.Decode(&second))
	require.Equal(t, "evil\x1b]0;x\x07\u202e", second.Person, "the name itself")
	require.EqualValues(t, 1_250_000_001, first.Nanos)
	require.Equal(t, []string{"a.go", "b.go"}, first.Commits[0].Paths)
	require.Equal(t, "2026-10-31T23:00:00Z", first.At.Format(time.RFC3339))
}

func TestAuditSaysWhichFlagIsWrong(t *testing.T) {
	t.Parallel()
	for flags, want := range map[string]string{
		"audit --since yesterday":                       `--since "yesterday" is not a time; write a date such as 2026-11-01`,
		"audit --until -1h":                             `--until "-1h" is not a time`,
		"audit --since 2026-11-02 --until 2026-11-01":   "--since 2026-11-02 is not before --until 2026-11-01",
		"audit --outcome done":                          `--outcome "done" is none of committed, unchanged,`,
		"audit --command merge":                         `--command "merge" is not a command`,
		"audit --run 5":                                 `--run "5" is not a run`,
		"audit --owner acme --repo octo/hello":          "--repo octo/hello is not a repository of --owner acme",
		"audit --repo acme/":                            `--repo "acme/" is not a repository; write owner/name`,
		"audit --repo /lathe":                           `--repo "/lathe" is not a repository`,
		"audit --person=":                               "--person has no value; leave it out to select everything",
		"cost --since=":                                 "--since has no value",
		"cost --by weekday":                             `--by "weekday" is none of owner, repository, person,`,
		"cost --by=":                                    "--by names nothing",
		"audit --data " + strings.Repeat("nowhere/", 2): "looking for the database of a server",
	} {
		code, text := printed(t, strings.Fields(flags)...)
		require.Equal(t, exitUsage, code, flags)
		require.Contains(t, text, want, flags)
	}
}

func TestCostIsAddedUpExactly(t *testing.T) {
	t.Parallel()
	dir := auditedFolder(t)
	for by, want := range map[string]string{
		"owner": `
OWNER  RUNS  CALLS  TOKENS IN  CACHED  TOKENS OUT          COST
acme      3      5      2,000      20          40  $1.250000004
Octo      1      1          5       0           5             ?
total     4      6      2,005      20          45  $1.250000004 + ?
`,
		"month": `
MONTH    RUNS  CALLS  TOKENS IN  CACHED  TOKENS OUT          COST
2026-10     2      2      1,000      10          20  $1.250000001
2026-11     2      4      1,005      10          25  $0.000000003 + ?
total       4      6      2,005      20          45  $1.250000004 + ?
`,
		"organisation,model": `
OWNER  MODEL  RUNS  CALLS  TOKENS IN  CACHED  TOKENS OUT          COST
acme   cheap     2      5      2,000      20          40  $1.250000004
Octo   own       1      1          5       0           5             ?
total            3      6      2,005      20          45  $1.250000004 + ?
`,
	} {
		code, text := printed(t, "cost", "--data", dir, "--by", by)
		require.Equal(t, exitOK, code, text)
		table, note, _ := strings.Cut(text, "\n\n")
		require.Equal(t, strings.Fields(want), strings.Fields(table), text)
		require.Contains(t, note, "models that had no price")
	}
	_, text := printed(t, "cost", "--data", dir, "--by", "person,repo", "--json", "--owner", "acme")
	dec := json.NewDecoder(bytes.NewBufferString(text))
	var row map[string]any
	require.NoError(t, dec.Decode(&row))
	require.Equal(t, map[string]any{"person": "maria", "repository": "acme/lathe", "runs": 1.0, "calls": 2.0,
		"tokens_in": 1000.0, "tokens_cached": 10.0, "tokens_out": 20.0, "cost_nanos": 1250000001.0, "unpriced": false,
		"tokens_reserved": 0.0}, row)
	_, text = printed(t, "cost", "--data", dir, "--since", "1h")
	require.Contains(t, text, "total     0")
}

func TestDollarsAreWrittenExactly(t *testing.T) {
	t.Parallel()
	for nanos, want := range map[int64]string{0: "$0.00", 1: "$0.000000001", 100_000_000: "$0.10",
		1_234_560_000: "$1.23456", 12_000_000_000: "$12.00"} {
		require.Equal(t, want, dollars(nanos))
	}
}
