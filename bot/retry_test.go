package bot

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/prompts"
)

// runOf is the record of a run that came to these results.
func runOf(t *testing.T, made committed) Run {
	t.Helper()
	run := Run{ID: "abcdefghijkl", Steps: map[string][]byte{}}
	for name, what := range map[string]any{applyStep(0): made.applied, "commit": made} {
		data, err := json.Marshal(what)
		require.NoError(t, err)
		run.Steps[name] = data
	}
	return run
}

var mixedRows = []row{
	{Path: "a.go", Status: "applied", Line: 3},
	{Path: "b.go", Status: "failed", Reason: "not-found", Detail: "Not there", Diff: "-x\n+y\n"},
	{Path: "b.go", Status: "skipped", Reason: "earlier-failed", Detail: "Later"},
	{Path: "c.go", Status: "skipped", Reason: "already-applied"},
	{Path: "d.go", Status: "skipped", Reason: "no-change"},
	{Path: ".git/x", Status: "failed", Reason: "unsafe-path"},
}

func TestWhatIsLeftOfARunIsWhatCouldStillBeMade(t *testing.T) {
	t.Parallel()
	e, err := editsOf(runOf(t, committed{SHA: someSHA, applied: applied{Results: mixedRows}}))
	require.NoError(t, err)
	require.Equal(t, []prompts.MadeEdit{{Number: 1, Path: "a.go", Line: 3}, {Number: 4, Path: "c.go"}}, e.made)
	require.Equal(t, []prompts.LostEdit{{Number: 2, Path: "b.go", Why: "Not there", Diff: "-x\n+y\n"}, {Number: 3, Path: "b.go", Why: "Later"}}, e.lost)
	require.True(t, e.hopeless)
	require.Equal(t, []TaskFile{{Path: "b.go"}}, e.files())
}

func TestEditsThatWereHeldBackAreLeftToo(t *testing.T) {
	t.Parallel()
	e, err := editsOf(runOf(t, committed{Held: true, applied: applied{Results: mixedRows[:2]}}))
	require.NoError(t, err)
	require.Empty(t, e.made)
	require.Equal(t, "It fits, but nothing was committed", e.lost[0].Why)
	require.Len(t, e.lost, 2)
}

func TestWhatARetrySaysIsBounded(t *testing.T) {
	t.Parallel()
	var many []row
	for range 300 {
		many = append(many, row{Path: strings.Repeat("p", 4000), Status: "failed", Reason: "not-found", Detail: "a\nb", Diff: strings.Repeat("-x\n", 1000)})
	}
	e, err := editsOf(runOf(t, committed{SHA: someSHA, applied: applied{Results: many}}))
	require.NoError(t, err)
	_, ask := prompts.Fix(prompts.Input{Retry: e.asked(), Nonce: "n"})
	require.Less(t, len(ask), maxLostDiffs+300*(maxCell+100))
	require.Contains(t, ask, ": a b.")
}
