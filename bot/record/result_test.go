package record

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/engine"
)

func TestAStatusIsRecordedInTheWordsOfTheEngine(t *testing.T) {
	t.Parallel()
	for recorded, of := range map[Status]engine.Status{
		StatusApplied: engine.Applied, StatusFailed: engine.Failed, StatusSkipped: engine.Skipped,
	} {
		require.Equal(t, of.String(), string(recorded))
		data, err := json.Marshal(Result{Path: "a", Status: recorded})
		require.NoError(t, err)
		require.JSONEq(t, `{"path":"a","status":"`+of.String()+`","reply_line":0}`, string(data))
	}
}

func TestAnUnknownStatusCountsAsSkipped(t *testing.T) {
	t.Parallel()
	require.Equal(t, counts{Applied: 1, Failed: 2, Skipped: 2}, Count([]Result{
		{Status: StatusFailed}, {Status: StatusApplied}, {Status: StatusSkipped}, {Status: "held"}, {Status: StatusFailed},
	}))
	require.False(t, StatusApplied.Skipped())
	require.False(t, StatusFailed.Skipped())
}

// A secret of which a part is cut off is no longer recognized.
func TestLinesAroundAProblemAreCutAfterTheirSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", maxAround-10) + " AKIA" + "Q3EGRIPLKJHGFDSA " + strings.Repeat("y", maxAround)
	verify := func(string, []byte, []byte) engine.Verification {
		return engine.Verification{Problems: []engine.FileProblem{{Line: 1, Syntax: true}}}
	}
	blocks := engine.Parse("a.go\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", engine.ParseOptions{}).Blocks
	out, err := engine.Apply(engine.MemTree{"a.go": []byte(line + "\nold\n")}, blocks, engine.Options{Verify: verify})
	require.NoError(t, err)
	around := Results(out)[0].Around
	require.Len(t, around, 2)
	require.Contains(t, around[0], "x [redacte…")
	require.Equal(t, maxAround, utf8.RuneCountInString(around[0]))
}

func TestTheProblemsOfAFileAreRecordedInBounds(t *testing.T) {
	t.Parallel()
	r := engine.Result{
		Path: "a.go", Status: engine.Failed, Reason: engine.SyntaxError,
		Edit:   &engine.Edit{Line: 2, Removed: []string{"old"}, Added: []string{"new"}, ContextBefore: []string{"above"}},
		Around: &engine.Excerpt{Line: 4, Lines: []string{"x", "y"}},
	}
	for n := range 20 {
		r.Problems = append(r.Problems, engine.FileProblem{Line: n + 1, Message: "m", Syntax: n == 0})
	}
	other := r
	other.Path = "b.go"
	rows := Results(engine.Outcome{Results: []engine.Result{r, r, other}})
	require.Equal(t, []Problem{{Line: 1, Text: "m", Syntax: true}, {Line: 2, Text: "m"}, {Line: 3, Text: "m"}},
		rows[0].Problems)
	require.Equal(t, "line 1: m", rows[0].Problems[0].String())
	require.Equal(t, "m", Problem{Text: "m"}.String())
	require.Equal(t, []string{"x", "y"}, rows[0].Around)
	require.Equal(t, 4, rows[0].AroundLine)
	require.Empty(t, rows[1].Around, "the file has one")
	require.Len(t, rows[1].Problems, 3)
	require.NotEmpty(t, rows[2].Around)
	require.Equal(t, "@@ -1,2 +1,2 @@\n above\n-old\n+new\n", rows[0].Diff, "as it would have changed the file")
}

func TestWhatABlockIsForIsRecordedWithoutSecrets(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	rows := Results(engine.Outcome{Results: []engine.Result{{Block: engine.Block{Purpose: "Use `" + key + "` here."}}}})
	require.Contains(t, rows[0].Purpose, "Use `")
	require.NotContains(t, rows[0].Purpose, key)
	require.NotContains(t, Masked(Result{Purpose: key}).Purpose, key)
}

func TestAPathIsRecordedWithoutTheSecretInIt(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	rows := Results(engine.Outcome{Results: []engine.Result{{Path: "notes/" + key + "/a.txt",
		Detail: "File not found: b.txt (did you mean notes/" + key + "/b.txt?)"}}})
	require.Contains(t, rows[0].Path, "notes/[redacted: ")
	require.Contains(t, rows[0].Detail, "did you mean notes/[redacted: ")
	require.NotContains(t, rows[0].Path+rows[0].Detail, key)
	require.NotContains(t, Masked(Result{Path: key}).Path, key)
	require.NotContains(t, Cautions([]caution.Caution{{Path: key}})[0].Path, key)
}
