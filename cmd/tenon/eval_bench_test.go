package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/eval/ceiling"
)

// TestRetrieval measures the selection of files on real issues. It fails if a figure is worse than in
// testdata/retrieval.json. Neither the issues nor their repositories are in this one: TENON_BENCH names the folder with
// retrieval-dev.jsonl, TENON_MIRROR that of the bare repositories.
func TestRetrieval(t *testing.T) {
	dir, mirror := os.Getenv("TENON_BENCH"), os.Getenv("TENON_MIRROR")
	if dir == "" || mirror == "" {
		t.Skip("TENON_BENCH and TENON_MIRROR are not both set")
	}
	var wanted []struct {
		Tokens string
		eval.Figures
	}
	data, err := os.ReadFile("testdata/retrieval.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &wanted))
	for _, want := range wanted {
		code, out, errOut := tenon(t, "", "eval", "retrieval", filepath.Join(dir, "retrieval-dev.jsonl"), "--mirror", mirror,
			"--kind", "issue", "--tokens", want.Tokens, "--json")
		require.Equal(t, exitOK, code, errOut)
		var results []eval.Result
		for line := range strings.Lines(out) {
			var r eval.Result
			require.NoError(t, json.Unmarshal([]byte(line), &r))
			results = append(results, r)
		}
		got := eval.Sum(results)
		t.Logf("%s tokens: %s", want.Tokens, got)
		require.Equal(t, want.Pairs, got.Pairs, "the figures are for another set")
		require.GreaterOrEqual(t, got.Any, want.Any)
		require.GreaterOrEqual(t, got.All, want.All)
		require.LessOrEqual(t, got.None, want.None)
		require.GreaterOrEqual(t, got.LinesAny, want.LinesAny)
		require.GreaterOrEqual(t, got.LinesAll, want.LinesAll)
		require.GreaterOrEqual(t, got.Nameable, want.Nameable)
		require.GreaterOrEqual(t, got.Solved, want.Solved)
		require.LessOrEqual(t, got.Rounds, want.Rounds)
	}
}

// TestCeiling measures what the best model could solve of the same issues. It fails if that is less than in
// testdata/ceiling.json, or if a block was refused.
func TestCeiling(t *testing.T) {
	dir, mirror := os.Getenv("TENON_BENCH"), os.Getenv("TENON_MIRROR")
	if dir == "" || mirror == "" {
		t.Skip("TENON_BENCH and TENON_MIRROR are not both set")
	}
	var want struct {
		Pairs, Unsolved int
	}
	data, err := os.ReadFile("testdata/ceiling.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &want))
	code, out, errOut := tenon(t, "", "eval", "--oracle", filepath.Join(dir, "retrieval-dev.jsonl"), "--mirror", mirror,
		"--kind", "issue", "--json")
	require.Equal(t, exitOK, code, errOut)
	var results []ceiling.Result
	unsolved := 0
	for line := range strings.Lines(out) {
		var r ceiling.Result
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		results = append(results, r)
		require.NotEqual(t, ceiling.Refused, r.Outcome, "%s: %s", r.ID, r.Why)
		require.NotEqual(t, ceiling.Different, r.Outcome, "%s: %s", r.ID, r.Why)
		if r.Outcome != ceiling.Solved && r.Outcome != ceiling.NoFix {
			t.Logf("%s: %s: %s", r.ID, r.Outcome, r.Why)
			unsolved++
		}
	}
	got := ceiling.Sum(results)
	t.Log(got)
	require.GreaterOrEqual(t, got.Pairs, want.Pairs, "fixes that were found are not found any more")
	require.LessOrEqual(t, unsolved, want.Unsolved)
}
