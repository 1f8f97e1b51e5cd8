package eval

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var someResults = []Result{
	{Lang: "Go", Kind: "issue", Any: true, All: true, LinesAny: true, LinesAll: true, Nameable: true, Solved: true,
		Tokens: 3000, ColdMS: 40, SelectMS: 4},
	{Lang: "Go", Kind: "issue", Any: true, Nameable: true, Solved: true, Rounds: make([]Round, 2), Tokens: 1000,
		ColdMS: 10, SelectMS: 1},
	{Lang: "Rust", Kind: "commit-message", None: true, Rounds: make([]Round, 3), Tokens: 0, ColdMS: 20, SelectMS: 2},
}

func TestFiguresAreOneLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "pairs=3 any=66.7 all=33.3 none=33.3 lines_any=33.3 lines_all=33.3 nameable=66.7 oracle_solved=66.7 "+
		"rounds_mean=1.67 tokens_mean=1333 select_ms_p50=2.0 select_ms_p95=4.0", Sum(someResults).String())
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

func TestTheTableHasARowForEachKindAndLanguage(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, PrintTable(&out, someResults))
	want, err := os.ReadFile("testdata/table.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}
