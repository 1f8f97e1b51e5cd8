package eval

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var someResults = []Result{
	{Budget: 8000, Lang: "Go", Kind: "issue", Any: true, All: true, LinesAny: true, LinesAll: true, Nameable: true,
		Solved: true, Tokens: 3000, FileTokens: 2500, GoldTokens: 2000, Offered: 50, ChooseTokens: 1500, SelectMS: 4},
	{Budget: 8000, Lang: "Go", Kind: "issue", Any: true, Nameable: true, Solved: true, Rounds: make([]Round, 2),
		Tokens: 1000, FileTokens: 900, GoldTokens: 100, SelectMS: 1},
	{Budget: 8000, Lang: "Rust", Kind: "commit-message", None: true, Rounds: make([]Round, 3), SelectMS: 2},
}

// withMore returns results with those of a larger budget, in the order in which pairs are measured.
func withMore(results []Result) (out []Result) {
	for _, r := range results {
		out = append(out, r)
		r.Budget, r.All, r.LinesAll = 16_000, true, true
		out = append(out, r)
	}
	return out
}

func TestFiguresAreALineForEachBudget(t *testing.T) {
	t.Parallel()
	figures := SumEach(withMore(someResults))
	require.Len(t, figures, 2)
	require.Equal(t, Sum(someResults), figures[0])
	require.Equal(t, "tokens=8000 pairs=3 lines_any=33.3 lines_all=33.3 any=66.7 all=33.3 none=33.3 gold_share=61.8 "+
		"nameable=66.7 oracle_solved=66.7 rounds_mean=1.67 tokens_mean=1333 offered=33.3 choose_tokens_mean=500 "+
		"select_ms_p50=2.0 select_ms_p95=4.0", figures[0].String())
	require.Contains(t, figures[1].String(), "tokens=16000 pairs=3 lines_any=33.3 lines_all=100.0 ")
	require.Equal(t, Figures{}, Sum(nil))
}

func TestAPercentileIsOneOfTheValues(t *testing.T) {
	t.Parallel()
	var values []float64
	for n := range 20 {
		values = append(values, float64(n+1))
	}
	require.Equal(t, 10.0, percentile(values, 50))
	require.Equal(t, 19.0, percentile(values, 95))
	require.Equal(t, 7.0, percentile([]float64{7}, 95))
}

func TestTheTableHasARowForEachKindAndLanguageAndBudget(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, PrintTable(&out, withMore(someResults)))
	want, err := os.ReadFile("testdata/table.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
