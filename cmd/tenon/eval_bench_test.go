package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/eval/ceiling"
)

// retrievalFloor are figures of retrieval that must not get worse, for a choice and a number of tokens. The percentages
// but None are at least reached, None and Rounds at most.
type retrievalFloor struct {
	Choose    string  `json:"choose"`
	Tokens    int     `json:"tokens"`
	Pairs     int     `json:"pairs"`
	LinesAny  float64 `json:"lines_any"`
	LinesAll  float64 `json:"lines_all"`
	Any       float64 `json:"any"`
	All       float64 `json:"all"`
	None      float64 `json:"none"`
	GoldShare float64 `json:"gold_share"`
	Nameable  float64 `json:"nameable"`
	Solved    float64 `json:"oracle_solved"`
	Rounds    float64 `json:"rounds_mean"`
}

// TestRetrieval measures the selection of files on real issues, without a choice and with simulated ones. It fails if a
// figure is worse than in testdata/retrieval.json. Neither the issues nor their repositories are in this one:
// TENON_BENCH names the folder with retrieval-dev.jsonl, TENON_MIRROR that of the bare repositories.
//
// With -update, it writes the present figures to the file, rounded down, for the same choices and budgets:
//
//	TENON_BENCH=../shared/bench TENON_MIRROR=~/mirror go test ./cmd/tenon -run TestRetrieval -update
func TestRetrieval(t *testing.T) {
	dir, mirror := os.Getenv("TENON_BENCH"), os.Getenv("TENON_MIRROR")
	if dir == "" || mirror == "" {
		t.Skip("TENON_BENCH and TENON_MIRROR are not both set")
	}
	const file = "testdata/retrieval.json"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var floors []retrievalFloor
	require.NoError(t, json.Unmarshal(data, &floors))
	got := map[string][]eval.Figures{}
	for i, want := range floors {
		if got[want.Choose] == nil {
			got[want.Choose] = retrievalFigures(t, filepath.Join(dir, "retrieval-dev.jsonl"), mirror, want.Choose, floors)
		}
		at := slices.IndexFunc(got[want.Choose], func(f eval.Figures) bool { return f.Budget == want.Tokens })
		have := got[want.Choose][at]
		t.Logf("choose=%s %s", want.Choose, have)
		if *update {
			floors[i] = floorOf(want.Choose, have)
			continue
		}
		want.require(t, have)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, printFloors(t, floors), 0o644))
	}
}

// retrievalFigures measures issues with a choice, with all budgets that the floors have for it.
func retrievalFigures(t *testing.T, pairs, mirror, choose string, floors []retrievalFloor) []eval.Figures {
	t.Helper()
	args := []string{"eval", "retrieval", pairs, "--mirror", mirror, "--kind", "issue", "--choose", choose, "--json"}
	var budgets []string
	for _, f := range floors {
		if f.Choose == choose {
			budgets = append(budgets, strconv.Itoa(f.Tokens))
		}
	}
	code, out, errOut := tenon(t, "", append(args, "--tokens", strings.Join(budgets, ","))...)
	require.Equal(t, exitOK, code, errOut)
	var results []eval.Result
	for line := range strings.Lines(out) {
		var r eval.Result
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		results = append(results, r)
	}
	return eval.SumEach(results)
}

// require requires that no figure is worse than the floor.
func (f retrievalFloor) require(t *testing.T, got eval.Figures) {
	t.Helper()
	at := fmt.Sprintf("--choose %s --tokens %d", f.Choose, f.Tokens)
	require.Equal(t, f.Pairs, got.Pairs, "%s: the figures are for another set", at)
	require.GreaterOrEqual(t, got.LinesAny, f.LinesAny, at)
	require.GreaterOrEqual(t, got.LinesAll, f.LinesAll, at)
	require.GreaterOrEqual(t, got.Any, f.Any, at)
	require.GreaterOrEqual(t, got.All, f.All, at)
	require.GreaterOrEqual(t, got.GoldShare, f.GoldShare, at)
	require.GreaterOrEqual(t, got.Nameable, f.Nameable, at)
	require.GreaterOrEqual(t, got.Solved, f.Solved, at)
	require.LessOrEqual(t, got.None, f.None, at)
	require.LessOrEqual(t, got.Rounds, f.Rounds, at)
}

// floorOf returns the floor that figures just reach.
func floorOf(choose string, f eval.Figures) retrievalFloor {
	down := func(x float64) float64 { return math.Floor(x*10) / 10 }
	return retrievalFloor{
		Choose: choose, Tokens: f.Budget, Pairs: f.Pairs,
		LinesAny: down(f.LinesAny), LinesAll: down(f.LinesAll), Any: down(f.Any), All: down(f.All),
		None: math.Ceil(f.None*10) / 10, GoldShare: down(f.GoldShare), Nameable: down(f.Nameable), Solved: down(f.Solved),
		Rounds: math.Ceil(f.Rounds*100) / 100,
	}
}

// printFloors returns floors as JSON, one on a line.
func printFloors(t *testing.T, floors []retrievalFloor) []byte {
	t.Helper()
	lines := make([]string, 0, len(floors))
	for _, f := range floors {
		line, err := json.Marshal(f)
		require.NoError(t, err)
		lines = append(lines, "  "+string(line))
	}
	return []byte("[\n" + strings.Join(lines, ",\n") + "\n]\n")
}

func TestAFloorIsWhatTheFiguresReach(t *testing.T) {
	t.Parallel()
	got := eval.Figures{Budget: 8000, Pairs: 9, LinesAny: 66.67, LinesAll: 33.33, Any: 100, None: 0.01, GoldShare: 36.19,
		Rounds: 0.432}
	floor := floorOf("perfect", got)
	floor.require(t, got)
	require.Equal(t, `[
  {"choose":"perfect","tokens":8000,"pairs":9,"lines_any":66.6,"lines_all":33.3,"any":100,"all":0,"none":0.1,`+
		`"gold_share":36.1,"nameable":0,"oracle_solved":0,"rounds_mean":0.44}
]
`, string(printFloors(t, []retrievalFloor{floor})))
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
